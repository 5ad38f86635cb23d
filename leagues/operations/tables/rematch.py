"""Once more with the same players: one lays the table, the others find it, all by one press."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.db import IntegrityError
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from leagues.models import Player, Table
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.matches import OWN_RULES
from leagues.operations.tables.begin import begin
from leagues.operations.tables.held import find_table
from leagues.operations.tables.laying import ALLOWANCES, House, lay_table
from leagues.operations.tables.sitting import sit_down
from leagues.playing import TableLog

REMATCHES: Final = 20
"""How often a rematch of one match is laid, closed or played out."""


def rematch(*, table_id: int, player: Player | None, at: dt.datetime) -> Table:
    """Sit down at the rematch of a match that is over: laid by the first who asks.

    Game, rules, seats, bots and house are as before; once everybody is there it begins. It is
    found by its invitation, which follows from the old table: other tables of the same people are
    none of a rematch. Raises `NotAllowed` to who did not play, `OperationError` while the match
    goes on.
    """
    log = find_table(table_id)
    if player is None or log.seat_of(player) is None:
        raise NotAllowed(_("You did not play at this table."))
    if log.table.state != Table.State.OVER:
        raise OperationError(_("The match is not over yet."))
    found, invitation = _laid_already(log.table)
    if found is None:
        try:
            return _lay(log, player, at, invitation)
        except IntegrityError:  # both laid it at once
            found = Table.objects.get(invitation=invitation)
    sit_down(table_id=found.pk, player=player, at=at, invited=True)
    full = all(seat.player_id or seat.bot for seat in found.seats.all())
    if full and found.state == Table.State.OPEN:
        begin(table_id=found.pk, player=found.host, at=at)
    return found


def _laid_already(old: Table) -> tuple[Table | None, str]:
    """The rematch that waits or is being played, or None; and the invitation of the next one."""
    names = [_invitation(old, number) for number in range(REMATCHES)]
    laid = {one.invitation: one for one in Table.objects.filter(invitation__in=names)}
    for name in names:
        found = laid.get(name)
        if found is None or found.state in Table.ACTIVE:
            return found, name
    raise OperationError(_("This match has had too many rematches. Open a new table instead."))


def _invitation(old: Table, number: int) -> str:
    """The secret of a rematch's link: the same for all who ask, and for nobody else."""
    told = salted_hmac("leagues.rematch", f"{old.invitation}/{number}", algorithm="sha256")
    return told.hexdigest()[:43]


def _lay(log: TableLog, player: Player, at: dt.datetime, invitation: str) -> Table:
    old = log.table
    named = log.game.profile(old.profile)
    return lay_table(
        host=player,
        at=at,
        game=old.game,
        profile=old.profile if named else OWN_RULES,
        options=None if named else old.rules,
        seats=log.seats,
        house=_house(old),
        bots={number: chair.bot for number, chair in enumerate(log.chairs) if chair.bot},
        league=old.league,
        invitation=invitation,
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
