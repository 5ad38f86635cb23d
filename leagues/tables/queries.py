"""Queries of live tables for lists: tables to join, tables to watch, and one's own tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Q, QuerySet

from leagues.games import Game, games
from leagues.members_read.queries import belongs_to
from leagues.models import Player, Table, TableSeat
from leagues.text import number_duplicates

# Maximum number of tables in a list.
MAX_LISTED: Final = 40


@dataclass(frozen=True, kw_only=True)
class ListedTable:
    """A live table in a list.

    `names` are the names of the players by seat, empty for free seats. `players` are primary keys,
    None for bots and free seats. `mine` is True if it is the viewer's turn.
    """

    table: Table
    game: Game
    rules: str
    names: tuple[str, ...]
    players: tuple[int | None, ...]
    mine: bool

    @property
    def free_seats(self) -> int:
        return self.names.count("")


def tables_to_join(at: dt.datetime, game: str = "") -> list[ListedTable]:
    tables = _active(game).filter(
        state=Table.State.OPEN, seating=Table.Seating.ANYBODY, league=None, deadline__gt=at
    )
    return [
        table for table in _listed_tables(tables.order_by("-created_at", "-pk")) if table.free_seats
    ]


def tables_of_player(player: Player | None, game: str = "") -> list[ListedTable]:
    if player is None:
        return []
    person = Q(seats__player__pk=player.person_id) | Q(seats__player__merged_into=player.person_id)
    laid = Q(host__pk=player.person_id) | Q(host__merged_into=player.person_id)
    tables = _active(game).filter(person | laid).distinct().order_by("-changed_at")
    return sorted(_listed_tables(tables, player), key=lambda table: not table.mine)


def tables_to_watch(game: str = "") -> list[ListedTable]:
    tables = Table.objects.filter(watchable_tables(), game__in=_keys(game))
    return _listed_tables(tables.order_by("-changed_at"))


def tables_known_to(player: Player | None, at: dt.datetime) -> QuerySet[Table]:
    return Table.objects.filter(
        joinable_tables(at) | watchable_tables() | own_tables(player)
    ).filter(game__in=[game.key for game in games.all_games()])


def joinable_tables(at: dt.datetime) -> Q:
    free = TableSeat.objects.filter(player=None, bot="").values("table")
    return Q(
        state=Table.State.OPEN,
        seating=Table.Seating.ANYBODY,
        league=None,
        deadline__gt=at,
        pk__in=free,
    )


def watchable_tables() -> Q:
    """Return a filter for running games with at least one present player that anybody may watch.

    A finished game is included until spectators have seen its end.
    """
    on_air = Q(state=Table.State.PLAYING) | Q(counts_at__isnull=False)
    present = TableSeat.objects.filter(player__isnull=False, stand_in=False).values("table")
    return on_air & Q(watch=Table.Watch.ANYBODY, league=None, pk__in=present)


def own_tables(player: Player | None) -> Q:
    if player is None:
        return Q(pk__in=[])
    seats = TableSeat.objects.filter(belongs_to(player)).values("table")
    return Q(state__in=Table.ACTIVE) & (Q(pk__in=seats) | belongs_to(player, "host"))


def _active(game: str) -> QuerySet[Table]:
    return Table.objects.filter(state__in=Table.ACTIVE, game__in=_keys(game))


def _keys(game: str) -> list[str]:
    return [known_game.key for known_game in games.all_games() if game in ("", known_game.key)]


def _listed_tables(rows: QuerySet[Table], player: Player | None = None) -> list[ListedTable]:
    tables = list(rows[:MAX_LISTED])
    seats = TableSeat.objects.filter(table__in=tables).select_related("player")
    of_table: dict[int, list[TableSeat]] = {table.pk: [] for table in tables}
    for seat in seats.order_by("number"):
        of_table[seat.table_id].append(seat)
    return [_listed_table(table, of_table[table.pk], player) for table in tables]


def _listed_table(table: Table, seats: Sequence[TableSeat], player: Player | None) -> ListedTable:
    game = games[table.game]
    profile, bots = game.profile(table.profile), dict(game.bots)
    return ListedTable(
        table=table,
        game=game,
        rules=str(profile.name) if profile else "",
        names=tuple(_names(seats, bots)),
        players=tuple(seat.player.person_id if seat.player else None for seat in seats),
        mine=any(_waits_for(table, seat, player) for seat in seats),
    )


def _names(seats: Sequence[TableSeat], bots: Mapping[str, str]) -> list[str]:
    people = [seat.player.name if seat.player is not None else "" for seat in seats]
    called = number_duplicates(
        [
            "" if name else str(bots.get(seat.bot, seat.bot))
            for name, seat in zip(people, seats, strict=True)
        ]
    )
    return [name or bot for name, bot in zip(people, called, strict=True)]


def _waits_for(table: Table, seat: TableSeat, player: Player | None) -> bool:
    if player is None or seat.player is None:
        return False
    same = seat.player.person_id == player.person_id
    return same and table.state == Table.State.PLAYING and table.turn == seat.number
