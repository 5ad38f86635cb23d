"""Admin pages of leagues: names can be changed here, results are read-only.

Actions on leagues and matches are done on the site, where an administrator has the rights of an
organiser. Seeds and keys are neither shown nor searchable.
"""

from leagues.admin import leagues, matches, players, results, tables

__all__ = ["leagues", "matches", "players", "results", "tables"]
