"""Once more with the same players: one lays the table, the others find it, all by one press."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.utils.translation import gettext as _

from leagues.models import Player, Table
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.tables.begin import begin
from leagues.operations.tables.held import find_table
from leagues.operations.tables.laying import ALLOWANCES, OWN, House, lay_table
from leagues.operations.tables.sitting import sit_down
from leagues.playing import TableLog

FOUND_FOR: Final = dt.timedelta(hours=2)
"""How long a rematch waits to be found by those who played."""


def rematch(*, table_id: int, player: Player | None, at: dt.datetime) -> Table:
    """Sit down at the rematch of a match that is over: laid by the first who asks.

    Game, rules, seats, bots and house are as before; once everybody is there it begins. Raises
    `NotAllowed` to who did not play, `OperationError` while the match goes on.
    """
    log = find_table(table_id)
    if player is None or log.seat_of(player) is None:
        raise NotAllowed(_("You did not sit at this table."))
    if log.table.state != Table.State.OVER:
        raise OperationError(_("The match is not over yet."))
    found = _laid_already(log, at)
    if found is None:
        return _lay(log, player, at)
    sit_down(table_id=found.pk, player=player, at=at, invited=True)
    if all(seat.player_id or seat.bot for seat in found.seats.all()):
        begin(table_id=found.pk, player=found.host, at=at)
    return found


def _laid_already(log: TableLog, at: dt.datetime) -> Table | None:
    """The table that one of those who played has laid since, and that still waits."""
    people = [chair.player_id for chair in log.chairs if chair.player_id is not None]
    old = log.table
    waiting = Table.objects.filter(
        host__in=people,
        state=Table.State.OPEN,
        game=old.game,
        rules_hash=old.rules_hash,
        created_at__gte=max(old.ended_at or old.created_at, at - FOUND_FOR),
    )
    same = (t for t in waiting.order_by("created_at") if t.seats.count() == log.seats)
    return next(same, None)


def _lay(log: TableLog, player: Player, at: dt.datetime) -> Table:
    old = log.table
    named = log.game.profile(old.profile)
    return lay_table(
        host=player,
        at=at,
        game=old.game,
        profile=old.profile if named else OWN,
        options=None if named else old.rules,
        seats=log.seats,
        house=_house(old),
        bots={number: chair.bot for number, chair in enumerate(log.chairs) if chair.bot},
        league=old.league,
    )


def _house(old: Table) -> House:
    pace = Table.Pace(old.pace)
    return House(
        pace=pace,
        allowance=old.allowance // ALLOWANCES[pace][2],
        seating=Table.Seating.LINK,
        watch=Table.Watch(old.watch),
        delay=old.delay,
        rated=old.rated,
    )
