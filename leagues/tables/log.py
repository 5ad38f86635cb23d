"""A live table with its full history, as an immutable value.

Rounds, moves and changes are only ever added, and the table's row contains their numbers. Reading
them with several queries is therefore consistent. Logs are cached in the process. A short query
checks whether the table has changed since.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final, NamedTuple

from cachetools import LRUCache
from django.db import connection

from api.types import JSON
from leagues.games import Game, Position, RoundLog, games
from leagues.models import Player, Table, TableMoment, TableMove, TableRound

# Maximum number of cached logs per process. A log has about 50 KB.
CACHE_SIZE: Final = 256


class TablePlayer(NamedTuple):
    """A player at a live table. `person` is the primary key of the player after merges."""

    key: int
    name: str
    slug: str
    person: int


class SeatOccupant(NamedTuple):
    player_id: int | None
    bot: str
    stand_in: bool
    ready: bool


class Moment(NamedTuple):
    number: int
    event: str
    seat: int | None
    state: str
    round: int
    moves: int
    points: tuple[int, ...]
    chairs: tuple[SeatOccupant, ...]
    deadline: dt.datetime | None
    at: dt.datetime


class PlayedMove(NamedTuple):
    number: int
    round: int
    seat: int
    text: str
    bot: str
    at: dt.datetime


class SealedRound(NamedTuple):
    """A stored round: seed, stake, and the published digest of both (Ruling F-2)."""

    number: int
    seed: bytes
    commitment: bytes
    stake: JSON
    begun_at: dt.datetime | None
    ended_at: dt.datetime | None
    points: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class TableLog:
    """A live table and its history. `table` is the database row, which must not be changed.

    The last of `rounds` may not have begun yet, with only its seed drawn.
    """

    table: Table
    people: Mapping[int, TablePlayer]
    rounds: tuple[SealedRound, ...]
    moves: tuple[PlayedMove, ...]
    moments: tuple[Moment, ...]

    @property
    def game(self) -> Game:
        return games[self.table.game]

    @property
    def seats(self) -> int:
        return len(self.moments[-1].chairs)

    @property
    def chairs(self) -> tuple[SeatOccupant, ...]:
        return self.moments[-1].chairs

    def seat_of(self, player: Player | None) -> int | None:
        if player is None:
            return None
        for number, chair in enumerate(self.chairs):
            if (
                chair.player_id is not None
                and self.people[chair.player_id].person == player.person_id
            ):
                return number
        return None

    def watched_at(self, moment: Moment) -> dt.datetime:
        """Return the time when spectators may see a change.

        Changes before the first move are shown without delay.
        """
        if moment.moves == 0 and moment.round <= 1:
            return moment.at
        if moment.event == TableMoment.Event.COUNTED:
            return moment.at  # spectators have seen the end by then
        return moment.at + dt.timedelta(seconds=self.table.delay)

    def latest_moment(self, *, seat: int | None, at: dt.datetime) -> Moment:
        if seat is not None:
            return self.moments[-1]
        due = [moment for moment in self.moments if self.watched_at(moment) <= at]
        return due[-1] if due else self.moments[0]

    def played(self, *, rounds: int, moves: int) -> tuple[RoundLog, ...]:
        """Return the first `rounds` rounds of the match.

        They contain only the first `moves` moves of the match.
        """
        texts_by_round: list[list[str]] = [[] for _ in range(rounds)]
        for move in self.moves[:moves]:
            texts_by_round[move.round - 1].append(move.text)
        return tuple(
            RoundLog(number=kept.number, seed=kept.seed, stake=kept.stake, moves=tuple(texts))
            for kept, texts in zip(self.rounds, texts_by_round, strict=False)
        )

    def present(self) -> tuple[RoundLog, ...]:
        return self.played(rounds=self.table.round, moves=self.table.moves_made)

    def position(self, moment: Moment) -> Position:
        return self.restore(self.played(rounds=moment.round, moves=moment.moves))

    def position_after(self, moves: int) -> Position:
        """Return the position after this number of moves, or else the present position."""
        at_count = [moment for moment in self.moments if moment.moves == moves]
        return self.position((at_count or self.moments)[-1])

    def restore(self, rounds: tuple[RoundLog, ...]) -> Position:
        return self.game.table.restore(rules=self.table.rules, seats=self.seats, rounds=rounds)

    def position_with_move(self, seat: int, text: str) -> Position:
        return self.game.table.play(
            rules=self.table.rules, seats=self.seats, rounds=self.present(), seat=seat, move=text
        )


_cache: LRUCache[tuple[str, str], TableLog] = LRUCache(CACHE_SIZE)
_lock = Lock()


def find_log(table_id: int) -> TableLog | None:
    rows = Table.objects.filter(pk=table_id).values_list("invitation", "changes")
    row = rows.first()
    if row is None:
        return None
    log = _cached(row[0])
    if log is None or log.table.changes != row[1]:
        log = read_log(table_id)
        cache_log(log)
    return log


def _key(invitation: str) -> tuple[str, str]:
    """Return the cache key of a log: the table's invitation and the name of the database."""
    return str(connection.settings_dict["NAME"]), invitation


def _cached(invitation: str) -> TableLog | None:
    with _lock:
        return _cache.get(_key(invitation))


def extended_log(table: Table, moment: Moment, moves: tuple[PlayedMove, ...]) -> TableLog | None:
    """Return the cached log with one more change added, without a query.

    `table` is the row after the change. Returns None if the log is not cached or contains an
    unknown player.
    """
    log = _cached(table.invitation)
    if log is None or log.table.changes != table.changes - 1:
        return None
    if any(chair.player_id not in {None, *log.people} for chair in moment.chairs):
        return None
    return replace(log, table=table, moves=log.moves + moves, moments=(*log.moments, moment))


def cache_log(log: TableLog) -> None:
    """Cache a log until the table changes. An older log never replaces a newer one."""
    key = _key(log.table.invitation)
    with _lock:
        known = _cache.get(key)
        if known is None or known.table.changes <= log.table.changes:
            _cache[key] = log


def read_log(table_id: int) -> TableLog:
    """Read the log of a live table with five queries. Raises `Table.DoesNotExist`."""
    table = Table.objects.get(pk=table_id)
    moment_rows = TableMoment.objects.filter(table=table, number__lte=table.changes)
    moments = tuple(map(moment_from_row, moment_rows.order_by("number")))
    round_rows = TableRound.objects.filter(table=table, number__lte=table.round + 1)
    move_rows: Any = TableMove.objects.filter(table=table, number__lte=table.moves_made)
    columns = "number", "round", "seat", "text", "bot", "at"
    return TableLog(
        table=table,
        people=_people(table, moments),
        rounds=tuple(_sealed_round(row) for row in round_rows.order_by("number")),
        moves=tuple(PlayedMove(*row) for row in move_rows.order_by("number").values_list(*columns)),
        moments=moments,
    )


def moment_from_row(row: TableMoment) -> Moment:
    return Moment(
        number=row.number,
        event=row.event,
        seat=row.seat,
        state=row.state,
        round=row.round,
        moves=row.moves,
        points=tuple(row.points),
        chairs=tuple(SeatOccupant(*chair) for chair in row.seats),
        deadline=row.deadline,
        at=row.at,
    )


def _people(table: Table, moments: tuple[Moment, ...]) -> dict[int, TablePlayer]:
    sat = {chair.player_id for moment in moments for chair in moment.chairs}
    keys = {key for key in sat if key is not None} | {table.host_id}
    players = Player.objects.filter(pk__in=keys)
    rows = players.values_list("pk", "name", "slug", "merged_into")
    return {pk: TablePlayer(pk, name, slug, merged or pk) for pk, name, slug, merged in rows}


def _sealed_round(row: TableRound) -> SealedRound:
    return SealedRound(
        row.number,
        bytes(row.seed),
        bytes(row.commitment),
        row.stake,
        row.begun_at,
        row.ended_at,
        tuple(row.points),
    )
