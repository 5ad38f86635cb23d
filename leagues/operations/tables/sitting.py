"""Before the play: people sit down and stand up, the host asks bots, or gives up."""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _

from leagues import playing
from leagues.games import games
from leagues.models import Fixture, Player, Table, TableSeat
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.tables.held import check_host, check_open, held, is_person, own_seat
from leagues.playing import Change, Event
from leagues.rules import may_play


def sit_down(
    *,
    table_id: int,
    player: Player,
    at: dt.datetime,
    seat: int | None = None,
    invited: bool = False,
) -> int:
    """Take a seat, or the first that is free; who sits already keeps theirs. The seat's number.

    `invited`: came by the link. Raises `OperationError` where it is taken, or the table full, or
    not open to this player.
    """
    with held(table_id, at) as change:
        sits = next((own for own in change.people if is_person(own.player, player)), None)
        if sits is not None:
            return sits.number
        check_open(change.table)
        check_may_sit(change.table, player, invited=invited)
        taken = seat_of_fixture(change, player) or _free_seat(change, seat)
        taken.player = player
        taken.save(update_fields=["player"])
        change.tell(Event.SAT, taken.number)
    return taken.number


def check_may_sit(table: Table, player: Player, *, invited: bool) -> None:
    """Raises `NotAllowed` to whom the table is not open."""
    if table.fixture is not None:
        check_fixture(table.fixture, player)
    elif table.league is not None and not may_play(player, table.league):
        raise NotAllowed(_("Only players of the league can take a seat at this table."))
    elif table.seating == Table.Seating.LINK and not (invited or is_person(table.host, player)):
        raise NotAllowed(_("Only people with the link can take a seat at this table."))


def check_fixture(fixture: Fixture, player: Player) -> None:
    """Raises `NotAllowed` to whom the fixture does not name."""
    named = fixture.seats.select_related("player")
    if not any(is_person(seat.player, player) for seat in named):
        raise NotAllowed(_("Only the players of this fixture can take a seat at this table."))


def seat_of_fixture(change: Change, player: Player) -> TableSeat | None:
    """The seat that the fixture gives to a player; None at a table without one."""
    if change.table.fixture is None:
        return None
    named = change.table.fixture.seats.select_related("player").order_by("number")
    for place, seat in enumerate(named):
        if is_person(seat.player, player):
            return change.seats[place]
    return None


def _free_seat(change: Change, wanted: int | None) -> TableSeat:
    free = [seat for seat in change.seats if seat.player_id is None and not seat.bot]
    if wanted is not None:
        free = [seat for seat in free if seat.number == wanted]
    if not free:
        sentence = (
            _("This seat is already taken.") if wanted is not None else _("All seats are taken.")
        )
        raise OperationError(sentence, "seat")
    return free[0]


def stand_up(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Leave a seat before the play; during it `leave` is asked for."""
    with held(table_id, at) as change:
        seat = own_seat(change, player)
        check_open(change.table)
        seat.player = None
        seat.save(update_fields=["player"])
        change.tell(Event.STOOD_UP, seat.number)


def ask_bot(*, table_id: int, player: Player | None, bot: str, seat: int, at: dt.datetime) -> None:
    """Let a bot have a free seat; only the host may, and in no league."""
    with held(table_id, at) as change:
        check_host(change, player)
        check_open(change.table)
        if bot not in dict(games[change.table.game].bots):
            raise OperationError(_("This bot does not exist."), "bot")
        if change.table.league_id is not None:
            raise OperationError(_("Bots can’t play in a league."), "bot")
        taken = _free_seat(change, seat)
        taken.bot = bot
        taken.save(update_fields=["bot"])
        change.tell(Event.BOT, seat)


def free_seat(*, table_id: int, player: Player | None, seat: int, at: dt.datetime) -> None:
    """Send away a bot, or somebody else who sits there; only the host may."""
    with held(table_id, at) as change:
        check_host(change, player)
        check_open(change.table)
        if not 0 <= seat < len(change.seats):
            raise OperationError(_("This seat does not exist."), "seat")
        freed = change.seats[seat]
        if freed.player_id is not None or freed.bot:
            freed.player, freed.bot = None, ""
            freed.save(update_fields=["player", "bot"])
            change.tell(Event.FREED, seat)


def close_table(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Give a table up before the play, or one at which only bots play with the host."""
    with held(table_id, at) as change:
        check_host(change, player)
        if change.table.state == Table.State.CLOSED:
            return
        alone = change.table.state == Table.State.PLAYING and len(change.people) == 1
        if not (alone and is_person(change.people[0].player, player)):
            check_open(change.table)
        playing.close(change)
