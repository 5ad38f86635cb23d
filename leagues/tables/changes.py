"""Changes of a live table in one transaction: rows, the log entry and the signal to the feed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from leagues import notifications
from leagues.models import Table, TableMoment, TableMove, TableSeat
from leagues.tables.clock import SOLO_TIMEOUT, Awaited, awaited, time_limit
from leagues.tables.log import PlayedMove, cache_log, extended_log, moment_from_row
from live import pubsub

# Languages of the feed. Each language has its own channels.
LANGUAGES = ("en", "es")

Event = TableMoment.Event

# Columns of a live table that a change may update.
CHANGED_FIELDS = (
    *("state", "moves_made", "round", "changes", "turn", "deadline", "points", "match"),
    *("failures", "error", "changed_at", "begun_at", "ended_at", "counts_at"),
)


class TableNotFound(LookupError):
    """The live table does not exist, or has been deleted."""


class BotTurn(NamedTuple):
    """A bot must make the move after `moves_made` at the time `due`."""

    table: int
    moves_made: int
    due: dt.datetime


@dataclass
class TableChange:
    """A live table that is locked for a change.

    The change must be described by calling `add_event`, otherwise nothing is saved. `awaited` is
    what the table waits for: before the change and, after saving, after it. `made` is the move, if
    any. `rounds_changed` is True if a round began or ended.
    """

    table: Table
    seats: list[TableSeat]
    at: dt.datetime
    awaited: Awaited
    event: TableMoment.Event | None = None
    seat: int | None = None
    made: tuple[PlayedMove, ...] = ()
    rounds_changed: bool = False
    _clock_moved: bool = False

    def add_event(self, event: TableMoment.Event, seat: int | None = None) -> None:
        self.event, self.seat = event, seat

    @property
    def people(self) -> list[TableSeat]:
        return [seat for seat in self.seats if seat.player_id is not None]

    @property
    def bot_turn(self) -> BotTurn | None:
        if self.awaited.what != "bot" or self.table.deadline is None:
            return None
        return BotTurn(self.table.pk, self.table.moves_made, self.table.deadline)

    def write(self) -> None:
        assert self.event is not None
        self._set_clock()
        self.table.changes += 1
        self.table.changed_at = self.at
        self.table.save(update_fields=CHANGED_FIELDS)
        row = TableMoment.objects.create(
            table=self.table,
            number=self.table.changes,
            event=self.event,
            seat=self.seat,
            state=self.table.state,
            round=self.table.round,
            moves=self.table.moves_made,
            points=self.table.points,
            seats=[[s.player_id, s.bot, s.stand_in, s.ready] for s in self.seats],
            deadline=self.table.deadline,
            at=self.at,
        )
        moment = moment_from_row(row)
        log = None if self.rounds_changed else extended_log(self.table, moment, self.made)
        if log is not None:  # rendering this moment then needs no further queries
            transaction.on_commit(lambda: cache_log(log))
        seats = [seat.number for seat in self.people]
        seats.sort(key=lambda number: number == self.seat)  # the player who made the change is last
        notify_feed(self.table.pk, seats)
        self._notify_turn()

    def _notify_turn(self) -> None:
        if self.awaited.what == "person" and self.event != Event.LAID and self._clock_moved:
            seat = self.seats[self.awaited.seat or 0]
            if seat.player_id is not None:
                notifications.notify_turn(self.table, seat.player_id, at=self.at)

    def _set_clock(self) -> None:
        """Set the deadline of the table.

        The deadline stays the same if the table still waits for the same player or event.
        """
        now, before = awaited(self.table, self.seats), self.awaited
        self._clock_moved = now != before
        if now != before:
            again = self.event == Event.MOVED and now.seat == self.seat
            wait = time_limit(self.table, self.seats, now.what, again=again)
            if now.what == "anybody" and len(self.people) == 1:
                wait = max(dt.timedelta(), self._last_seen() + SOLO_TIMEOUT - self.at)
            self.table.deadline = None if wait is None else self.at + wait
        self.awaited = now

    def _last_seen(self) -> dt.datetime:
        moves = TableMove.objects.filter(table=self.table, bot="")
        words = TableMoment.objects.filter(table=self.table, event__in=(Event.BACK, Event.READY))
        latest: list[dt.datetime | None] = [
            rows.aggregate(at=Max("at"))["at"] for rows in (moves, words)
        ]
        begun = self.table.begun_at or self.table.created_at
        return max([begun, *(at for at in latest if at is not None)])


@contextmanager
def change_table(table_id: int, *, at: dt.datetime) -> Iterator[TableChange]:
    """Context manager that locks a live table and saves the changes at the end of the block.

    All changes are saved or none. Raises `TableNotFound`.
    """
    with transaction.atomic():
        table = Table.objects.select_for_update().filter(pk=table_id).first()
        if table is None:
            raise TableNotFound(table_id)
        seats = list(TableSeat.objects.filter(table=table).order_by("number"))
        # The time must not be before the previous change. Clocks of machines differ, and a request
        # may have read its clock before it waited for the lock.
        change = TableChange(table, seats, max(at, table.changed_at), awaited(table, seats))
        yield change
        if change.event is not None:
            change.write()


def notify_feed(table_id: int, seats: list[int]) -> None:
    keys = [("seat", f"{table_id}-{seat}") for seat in seats] + [("table", f"{table_id}")]
    bells = [(f"{kind}-{language}", key) for kind, key in keys for language in LANGUAGES]
    transaction.on_commit(lambda: pubsub.publish_all(bells))


def let_bot_stand_in(change: TableChange, seat: int, event: Event) -> None:
    change.seats[seat].stand_in = True
    change.seats[seat].save(update_fields=["stand_in"])
    change.add_event(event, seat)


def return_to_seat(change: TableChange, seat: int) -> None:
    """Return a seat to its player at once. A move that a bot is calculating will be discarded."""
    change.seats[seat].stand_in = False
    change.seats[seat].save(update_fields=["stand_in"])
    change.add_event(Event.BACK, seat)


def abandon_table(change: TableChange) -> None:
    change.table.state, change.table.turn = Table.State.CLOSED, None
    change.table.ended_at = change.at
    change.add_event(Event.CLOSED)
