"""The office's view of leagues: names can be mended here, what counts is only read.

What people do with leagues and matches they do on the pages; the office may do there what an
organiser may. Seeds and keys are shown nowhere, and nobody can search by them.
"""

from leagues.admin import leagues, matches, players, results, tables

__all__ = ["leagues", "matches", "players", "results", "tables"]
