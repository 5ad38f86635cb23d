"""The beginning of the play: the table is full, the first round is dealt."""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _

from fairness import Seed
from leagues import playing
from leagues.models import Player, Table
from leagues.operations.errors import OperationError
from leagues.operations.tables.held import check_host, check_open, held
from leagues.playing import Change


def begin(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Deal the first round of a full table; only its host may.

    Who asks twice is not refused. Raises `OperationError` while a seat is empty.
    """
    with held(table_id, at) as change:
        check_host(change, player)
        if change.table.state == Table.State.PLAYING:
            return
        check_open(change.table)
        if not all(seat.player_id or seat.bot for seat in change.seats):
            raise OperationError(_("A seat is still empty. Invite a player or add a bot."))
        begin_play(change)


def begin_play(change: Change) -> None:
    """The table is being played at from now on.

    Raises `OperationError` where only bots sit: they do not play for nobody.
    """
    if not change.people:
        raise OperationError(
            _("Bots can’t play on their own: at least one person must take a seat."), "bots"
        )
    change.table.state, change.table.begun_at = Table.State.PLAYING, change.at
    playing.deal_next(change, fresh=Seed.fresh)
