"""The end of a match played here: the table is over, and what counts is recorded, once."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence

from django.db import transaction

from leagues.counting import record_played_match
from leagues.counting.heralding import tell_table
from leagues.games import Position, RoundLog, games
from leagues.models import Match, Player, Table
from leagues.playing.change import Change

log = logging.getLogger(__name__)


def end_match(change: Change, rounds: Sequence[RoundLog], position: Position) -> None:
    """The match is over: no turn, no clock.

    It counts once whoever watches has seen the end; until then only those who sat there know it.
    """
    table = change.table
    table.state, table.turn, table.ended_at = Table.State.OVER, None, change.at
    tell_table(table, at=change.at)
    if table.delay and table.watch != Table.Watch.NOBODY:
        table.counts_at = change.at + dt.timedelta(seconds=table.delay)
    else:
        count_result(change, rounds)


def count_result(change: Change, rounds: Sequence[RoundLog]) -> None:
    """Let the result take effect, where people sat at every seat; `rounds` are all there were."""
    table = change.table
    table.counts_at = None
    players = [seat.player for seat in change.people if seat.player is not None]
    if len(players) == len(change.seats) and len({p.person_id for p in players}) == len(players):
        table.match = _record(change, players, rounds)


def _record(change: Change, players: Sequence[Player], rounds: Sequence[RoundLog]) -> Match | None:
    """The match, final at once. A referee who objects must not take the last move back."""
    table = change.table
    try:
        with transaction.atomic():
            content = games[table.game].table.sheet(
                rules=table.rules, seats=len(players), rounds=rounds
            )
            return record_played_match(
                game=table.game,
                rules=table.rules,
                rules_hash=table.rules_hash,
                players=players,
                content=content,
                began_at=table.begun_at or table.created_at,
                played_at=table.ended_at or change.at,
                at=change.at,
                league=table.league,
                fixture=table.fixture,
                rated=table.rated,
            )
    except ValueError as error:
        log.exception("The match of table %s could not be recorded", table.pk)
        table.error = f"{type(error).__name__}: {error}"[:300]
        return None
