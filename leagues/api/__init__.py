"""Leagues, matches, players and tables for programs: see `api`.

Who acts is the player of an account, by key or session; guests, who have none, keep to the pages.
Whoever may see or do something on a page may do so here, by the same `leagues.rules`: what
somebody may not see is not there (404). Nothing here knows a game by name: what a sheet looks like
and what a seat sees are told by each game (`telling`).
"""

from leagues.api import refusals

__all__ = ["refusals"]
