"""A table looked up or held for one change, and the refusals that any verb can give."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext as _

from leagues import playing, tasks
from leagues.games import MoveRefused
from leagues.models import Player, Table, TableSeat
from leagues.operations.errors import NotAllowed, OperationError
from leagues.playing import Change, TableLog


class StaleTable(OperationError):  # noqa: N818  a refusal, told politely
    """The table has moved on since the page was drawn; nothing was done."""

    def __init__(self) -> None:
        super().__init__(
            _("The table has changed since you opened the page. You now see its current state.")
        )


class IllegalMove(OperationError):  # noqa: N818
    """The rules refuse the move; `ruling` says which. Nothing was done."""

    def __init__(self, refused: MoveRefused) -> None:
        self.ruling = refused.ruling
        super().__init__(str(refused), "move")


def find_table(table_id: int) -> TableLog:
    """The table with this number. Raises `OperationError` where there is none."""
    log = playing.find(table_id)
    if log is None:
        raise OperationError(_("This table does not exist."))
    return log


@contextmanager
def held(table_id: int, at: dt.datetime) -> Iterator[Change]:
    """Hold a table for one change; a bot whose turn it is then is woken."""
    try:
        with playing.changing(table_id, at=at) as change:
            yield change
    except playing.NoTable as error:
        raise OperationError(_("This table does not exist.")) from error
    if change.event is not None:
        tasks.wake(change.bot_turn)


def is_person(player: Player | None, other: Player | None) -> bool:
    """Whether both are the same person, under whatever name."""
    return player is not None and other is not None and player.person_id == other.person_id


def own_seat(change: Change, player: Player | None) -> TableSeat:
    """The seat of who asks. Raises `NotAllowed` to who has none."""
    for seat in change.people:
        if is_person(seat.player, player):
            return seat
    raise NotAllowed(_("You don’t have a seat at this table."))


def check_open(table: Table) -> None:
    """Raises `OperationError` unless the table still waits for players."""
    if table.state != Table.State.OPEN:
        raise OperationError(_("The match at this table has already started."))


def check_host(change: Change, player: Player | None) -> None:
    """Raises `NotAllowed` to all but who laid the table."""
    if not is_person(change.table.host, player):
        raise NotAllowed(_("Only the player who opened the table can do this."))


def check_playing(table: Table) -> None:
    """Raises `OperationError` unless the table is being played at."""
    if table.state != Table.State.PLAYING:
        raise OperationError(_("There is no match in progress at this table."))
