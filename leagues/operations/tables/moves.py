"""During the play: move, be ready for the next round, leave, come back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import NoReturn

from django.utils.translation import gettext as _

from fairness import Seed
from leagues import playing, tasks
from leagues.games import MoveRefused
from leagues.models import Player
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.tables.held import (
    IllegalMove,
    StaleTable,
    check_playing,
    find_table,
    held,
    own_seat,
)
from leagues.playing import Answer, Event, TableLog


def make_move(
    *, table_id: int, player: Player | None, seen: int, fields: Mapping[str, str], at: dt.datetime
) -> Answer:
    """Make the moves that a form's fields say, by one who saw so many moves made.

    Asked twice, they are made once and answered alike (`Answer.again`). Whoever moves has their
    seat back, if a bot stood in. Where something happens between two moves, such as that the clock
    runs out, those before it stand, and the rest is not made. Raises `NotAllowed` to who does
    not sit here, `StaleTable`, `IllegalMove`, and `OperationError` out of turn.
    """
    log = find_table(table_id)
    seat = log.seat_of(player)
    if seat is None:
        raise NotAllowed(_("You don’t have a seat at this table."))
    answer = _move(log, seat, seen, fields, at)
    tasks.wake(answer.bot)
    return answer


def _move(
    log: TableLog, seat: int, seen: int, fields: Mapping[str, str], at: dt.datetime
) -> Answer:
    answer = None
    try:
        looked_at = log.position_after(seen)
        texts = log.game.table.read_moves(fields, position=looked_at, seat=seat)
        for number, text in enumerate(texts, start=seen):
            answer = playing.make_move(
                log.table.pk, seat=seat, seen=number, text=text, at=at, fresh=Seed.fresh
            )
    except MoveRefused as refused:
        raise IllegalMove(refused) from refused
    except playing.Overtaken as overtaken:
        if answer is None:
            raise StaleTable from overtaken
    except playing.NotTheirTurn as error:
        _refuse_turn(log, error.turn)
    except playing.NotPlaying as error:
        raise OperationError(_("No move can be made at this table right now.")) from error
    assert answer is not None, "no game reads a form as no move"
    return answer


def _refuse_turn(log: TableLog, turn: int) -> NoReturn:
    key = log.chairs[turn].player_id
    if key is None:
        raise OperationError(_("It is not your turn: a bot plays next."))
    name = log.people[key].name
    raise OperationError(_("It is not your turn: %(name)s plays next.") % {"name": name})


def say_ready(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Be ready for the next round; when all who are there are, it is dealt.

    Where no round is awaited, because it was dealt meanwhile, nothing happens.
    """
    with held(table_id, at) as change:
        seat = own_seat(change, player)
        check_playing(change.table)
        if seat.stand_in:
            playing.come_back(change, seat.number)
        if change.awaited.what in {"round", "anybody"} and change.table.turn is None:
            playing.say_ready(change, seat.number, fresh=Seed.fresh)


def leave(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Let a bot play on in one's stead; the seat stays one's own."""
    with held(table_id, at) as change:
        seat = own_seat(change, player)
        check_playing(change.table)
        if not seat.stand_in:
            playing.stand_in(change, seat.number, Event.LEFT)


def come_back(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Take one's seat back from the bot, at once."""
    with held(table_id, at) as change:
        seat = own_seat(change, player)
        check_playing(change.table)
        if seat.stand_in:
            playing.come_back(change, seat.number)
