"""Search index rows of players and leagues, and functions that update them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from leagues.models import League, Player
from search import index
from search.index import IndexRow

PLAYER: Final = "player"
LEAGUE: Final = "league"


def player_rows(players: Any) -> Iterator[IndexRow]:
    """Yield search index rows of players, except merged players and those whose account was
    deleted.
    """
    present = players.filter(merged_into=None, left_at=None)
    for pk, name in present.values_list("pk", "name"):
        yield IndexRow(PLAYER, pk, (name,))


def league_rows(leagues: Any) -> Iterator[IndexRow]:
    for pk, name in leagues.values_list("pk", "name"):
        yield IndexRow(LEAGUE, pk, (name,))


def index_players(keys: Collection[int]) -> None:
    """Update the search index for these players, which also removes those who are no longer
    listed.
    """
    rows = list(player_rows(Player.objects.filter(pk__in=keys)))
    index.remove(PLAYER, set(keys) - {row.key for row in rows})
    index.update_rows(rows)


def index_leagues(keys: Collection[int]) -> None:
    index.update_rows(league_rows(League.objects.filter(pk__in=keys)))
