"""Matador for programs: what a seat sees of a hand, and the form of its sheets.

Tables, matches and leagues of it are asked for where those of every game are: `leagues.api`.
"""

from dominoes.api.telling import offer

__all__ = ["offer"]
