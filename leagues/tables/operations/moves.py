"""Operations during and after a game: moves, readiness, leaving, coming back, rematches."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

from django.db import IntegrityError
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from fairness import Seed
from leagues import notifications
from leagues.exceptions import NotAllowed, OperationError
from leagues.games import MoveRefused
from leagues.matches.operations.matches import OWN_RULES
from leagues.models import League, Player, Table
from leagues.permissions import may_play
from leagues.tables import bot_turns, changes, play
from leagues.tables.changes import Event
from leagues.tables.log import TableLog
from leagues.tables.operations.lobby import (
    ALLOWANCES,
    IllegalMove,
    StaleTable,
    TableSettings,
    begin_table,
    check_playing,
    create_table,
    find_table,
    is_same_person,
    lock_table,
    own_seat,
    sit_down,
)
from leagues.tables.play import MoveResult


def make_move(
    *, table_id: int, player: Player | None, seen: int, fields: Mapping[str, str], at: dt.datetime
) -> MoveResult:
    """Make the moves in the fields of a form, for a player who has seen `seen` moves.

    If the request is repeated, the moves are made only once, with the same result
    (`MoveResult.again`). A player whom a bot replaced gets the seat back. If the table changes
    between two moves, for example because the time runs out, the earlier moves stay and the rest is
    dropped. Raises `NotAllowed` for players without a seat, `StaleTable`, `IllegalMove`, and
    `OperationError` if it is not the player's turn.
    """
    log = find_table(table_id)
    seat = log.seat_of(player)
    if seat is None:
        raise NotAllowed(_("You don’t have a seat at this table."))
    result = _play_moves(log, seat, seen, fields, at)
    bot_turns.wake(result.bot)
    return result


def _play_moves(
    log: TableLog, seat: int, seen: int, fields: Mapping[str, str], at: dt.datetime
) -> MoveResult:
    result = None
    try:
        looked_at = log.position_after(seen)
        texts = log.game.table.read_moves(fields, position=looked_at, seat=seat)
        for number, text in enumerate(texts, start=seen):
            result = play.play_move(
                log.table.pk, seat=seat, seen=number, text=text, at=at, fresh=Seed.fresh
            )
    except MoveRefused as refused:
        raise IllegalMove(refused) from refused
    except play.Overtaken as overtaken:
        if result is None:
            raise StaleTable from overtaken
    except play.NotTheirTurn as error:
        _refuse_turn(log, error.turn)
    except play.NotPlaying as error:
        raise OperationError(_("No move can be made at this table right now.")) from error
    assert result is not None, "no game reads a form as no move"
    return result


def _refuse_turn(log: TableLog, turn: int) -> NoReturn:
    key = log.chairs[turn].player_id
    if key is None:
        raise OperationError(_("It is not your turn: a bot plays next."))
    name = log.people[key].name
    raise OperationError(_("It is not your turn: %(name)s plays next.") % {"name": name})


def say_ready(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Mark a player as ready for the next round.

    The round is dealt once all present players are ready. Nothing happens if it has been dealt
    meanwhile.
    """
    with lock_table(table_id, at) as change:
        seat = own_seat(change, player)
        check_playing(change.table)
        if seat.stand_in:
            changes.return_to_seat(change, seat.number)
        if change.awaited.what in {"round", "anybody"} and change.table.turn is None:
            play.mark_ready(change, seat.number, fresh=Seed.fresh)


def leave_game(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Leave a game. A bot plays instead, and the seat stays reserved for the player."""
    with lock_table(table_id, at) as change:
        seat = own_seat(change, player)
        check_playing(change.table)
        if not seat.stand_in:
            changes.let_bot_stand_in(change, seat.number, Event.LEFT)


def come_back(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Take one's seat back from the bot that replaced the player."""
    with lock_table(table_id, at) as change:
        seat = own_seat(change, player)
        check_playing(change.table)
        if seat.stand_in:
            changes.return_to_seat(change, seat.number)


# Maximum number of rematches of one match, whether created, closed or finished.
MAX_REMATCHES: Final = 20


def rematch(*, table_id: int, player: Player | None, at: dt.datetime) -> Table:
    """Join the rematch of a finished match. The first request creates the rematch.

    Game, rules, seats, bots and settings are those of the match. The rematch begins once all
    players have joined. Its invitation is derived from that of the old table, so other tables of
    the same players are never mistaken for the rematch. Raises `NotAllowed` for players who did not
    play, and `OperationError` if the match is not over.
    """
    log = find_table(table_id)
    if player is None or log.seat_of(player) is None:
        raise NotAllowed(_("You did not play at this table."))
    if log.table.state != Table.State.OVER:
        raise OperationError(_("The match is not over yet."))
    table, invitation = _existing_rematch(log.table)
    if table is None:
        try:
            created = _create_rematch(log, player, at, invitation)
        except IntegrityError:  # two players created it concurrently
            table = Table.objects.get(invitation=invitation)
        else:
            notifications.notify_rematch(log.table, by=player, at=at)
            return created
    sit_down(table_id=table.pk, player=player, at=at, invited=True)
    full = all(seat.player_id or seat.bot for seat in table.seats.all())
    if full and table.state == Table.State.OPEN:
        begin_table(table_id=table.pk, player=table.host, at=at)
    return table


@dataclass(frozen=True, kw_only=True)
class RematchOffer:
    """The options of a player of a finished match with regard to a rematch.

    `table` is the table of the rematch, if there is one, and `by` the player who created it. `sits`
    means that the visitor has a seat at that table. `possible` is whether `rematch` would succeed.
    """

    table: int | None = None
    by: str = ""
    sits: bool = False
    possible: bool = False

    @property
    def state(self) -> str:
        """Return a text that changes whenever the page has to show the rematch options
        differently.
        """
        return f"{self.table or ''}-{self.sits}-{self.possible}"


def rematch_offer(log: TableLog, player: Player) -> RematchOffer:
    """Return the rematch options of a player of a finished match, with up to five queries."""
    try:
        table, _invitation = _existing_rematch(log.table)
    except OperationError:
        return RematchOffer()
    # The league in the cached log may be out of date, so it is read again.
    league = log.table.league and League.objects.get(pk=log.table.league.pk)
    may_sit = league is None or may_play(player, league)
    if table is None:
        drawn = league is not None and league.format != League.Format.LADDER
        return RematchOffer(possible=may_sit and not drawn)
    seats = list(table.seats.select_related("player"))
    host = table.host.merged_into or table.host
    free = any(seat.player_id is None and not seat.bot for seat in seats)
    return RematchOffer(
        table=table.pk,
        by=host.name,
        sits=any(is_same_person(seat.player, player) for seat in seats),
        possible=may_sit and free and table.state == Table.State.OPEN,
    )


def _existing_rematch(old: Table) -> tuple[Table | None, str]:
    """Return the unfinished rematch, if any, and the invitation of the present or next rematch."""
    names = [_invitation(old, number) for number in range(MAX_REMATCHES)]
    rows = Table.objects.filter(invitation__in=names).select_related("host__merged_into")
    laid = {table.invitation: table for table in rows}
    for name in names:
        rematch_table = laid.get(name)
        if rematch_table is None or rematch_table.state in Table.ACTIVE:
            return rematch_table, name
    raise OperationError(
        _("There have been too many rematches of this match. Open a new table instead.")
    )


def _invitation(old: Table, number: int) -> str:
    """Return the secret in the link of a rematch.

    It depends only on the old table and the number of the rematch.
    """
    mac = salted_hmac("leagues.rematch", f"{old.invitation}/{number}", algorithm="sha256")
    return mac.hexdigest()[:43]


def _create_rematch(log: TableLog, player: Player, at: dt.datetime, invitation: str) -> Table:
    old = log.table
    named = log.game.profile(old.profile)
    return create_table(
        host=player,
        at=at,
        game=old.game,
        profile=old.profile if named else OWN_RULES,
        options=None if named else old.rules,
        seats=log.seats,
        house=_settings_of(old),
        bots={number: chair.bot for number, chair in enumerate(log.chairs) if chair.bot},
        league=old.league,
        invitation=invitation,
    )


def _settings_of(old: Table) -> TableSettings:
    pace = Table.Pace(old.pace)
    return TableSettings(
        pace=pace,
        allowance=old.allowance // ALLOWANCES[pace][2],
        seating=Table.Seating.LINK,
        watch=Table.Watch(old.watch),
        delay=old.delay,
        rated=old.rated,
    )
