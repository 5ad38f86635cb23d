"""Play at a live table: drawing seeds, dealing rounds, moves, and the end of the match."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from fairness import Seed, commitment
from leagues.emit import emit_table_over
from leagues.games import Position, RoundLog, games
from leagues.models import Match, Player, Table, TableMove, TableRound, TableSeat
from leagues.results import record_played_match
from leagues.tables.changes import BotTurn, Event, TableChange, TableNotFound, change_table
from leagues.tables.clock import is_bot
from leagues.tables.log import PlayedMove, TableLog, find_log, read_log

log = logging.getLogger(__name__)


def end_match(change: TableChange, rounds: Sequence[RoundLog]) -> None:
    """End the match at a live table.

    The result takes effect once spectators, who watch with a delay, have seen the end. Until then,
    only the players know it.
    """
    table = change.table
    table.state, table.turn, table.ended_at = Table.State.OVER, None, change.at
    emit_table_over(table, at=change.at)
    if table.delay and table.watch != Table.Watch.NOBODY:
        table.counts_at = change.at + dt.timedelta(seconds=table.delay)
    else:
        count_result(change, rounds)


def count_result(change: TableChange, rounds: Sequence[RoundLog]) -> None:
    """Let the result of a match take effect if all seats have players, not bots.

    `rounds` are all rounds of the match.
    """
    table = change.table
    table.counts_at = None
    players = [seat.player for seat in change.people if seat.player is not None]
    if len(players) == len(change.seats) and len({p.person_id for p in players}) == len(players):
        table.match = _record(change, players, rounds)


def _record(
    change: TableChange, players: Sequence[Player], rounds: Sequence[RoundLog]
) -> Match | None:
    """Record the finished match. Return None if the referee objects.

    An objection must not undo the last move, so it is only logged and stored in the table.
    """
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


SeedSource = Callable[[], Seed]


def seal_round(table: Table, seats: int, rounds: Sequence[RoundLog], *, fresh: SeedSource) -> None:
    """Draw the seed of the next round, and fix it together with the stake by a digest (Ruling
    F-2).
    """
    stake = games[table.game].table.stake(rules=table.rules, seats=seats, rounds=rounds)
    seed = fresh().value
    TableRound.objects.create(
        table=table,
        number=len(rounds) + 1,
        seed=seed,
        commitment=commitment(seed, stake),
        stake=stake,
    )


def deal_round(change: TableChange, *, fresh: SeedSource) -> None:
    table = change.table
    table.round += 1
    change.rounds_changed = True
    TableRound.objects.filter(table=table, number=table.round).update(begun_at=change.at)
    _make_ready(change, ready=False)
    log = read_log(table.pk)
    rounds = log.played(rounds=table.round, moves=table.moves_made)
    change.add_event(Event.DEALT)
    apply_position(change, rounds, log.restore(rounds), fresh=fresh)


def apply_position(
    change: TableChange, rounds: Sequence[RoundLog], position: Position, *, fresh: SeedSource
) -> None:
    table = change.table
    table.points = list(position.points)
    table.turn = None if position.round_over else position.turn
    if position.round_over:
        change.rounds_changed = True
        TableRound.objects.filter(table=table, number=table.round).update(
            ended_at=change.at, points=_points_gained(table)
        )
    if position.match_over:
        end_match(change, rounds)
    elif position.round_over:
        _make_ready(change, ready=False)
        seal_round(table, len(change.seats), rounds, fresh=fresh)


def _points_gained(table: Table) -> list[int]:
    before = TableRound.objects.filter(table=table, number__lt=table.round)
    rounds = before.values_list("points", flat=True)
    return [now - sum(then) for now, *then in zip(table.points, *rounds, strict=True)]


def _make_ready(change: TableChange, *, ready: bool) -> None:
    for seat in change.people:
        if seat.ready != ready:
            seat.ready = ready
            seat.save(update_fields=["ready"])


def mark_ready(change: TableChange, seat: int, *, fresh: SeedSource) -> None:
    change.seats[seat].ready = True
    change.seats[seat].save(update_fields=["ready"])
    change.add_event(Event.READY, seat)
    if all(seat.ready or seat.stand_in for seat in change.people):
        deal_round(change, fresh=fresh)


class Overtaken(Exception):
    """The table has changed since the player loaded it, so the move is rejected."""


class NotPlaying(Exception):
    """No move is possible: the table waits for players or for the next round, or the match is
    over.
    """


class NotTheirTurn(Exception):
    """The player tried to move although it is the turn of another seat, which is `turn`."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        super().__init__(turn)


@dataclass(frozen=True, kw_only=True)
class MoveResult:
    """Result of a move: the number of moves, and the next turn of a bot, if any.

    `again` is True if the same move was made before. In that case nothing was changed.
    """

    moves_made: int
    again: bool = False
    bot: BotTurn | None = None


def play_move(
    table_id: int,
    *,
    seat: int,
    seen: int,
    text: str,
    at: dt.datetime,
    fresh: SeedSource,
    bot: str = "",
) -> MoveResult:
    """Make a move for a seat whose player has seen `seen` moves.

    The game checks the move before the table is locked, so that other requests do not wait for the
    check. Of concurrent moves, only one is made. Raises `TableNotFound`, `NotPlaying`,
    `NotTheirTurn`, `MoveRefused`, and `Overtaken` if the table has changed meanwhile.
    """
    log = _existing_log(table_id)
    if log.table.moves_made != seen:
        return _repeated_move(log, seat, seen, text, bot)
    _check_turn(log.table, seat)
    position = log.position_with_move(seat, text)
    with change_table(table_id, at=at) as change:
        if change.table.moves_made == seen and _may_move(change, seat, bot):
            _write_move(change, seat, text, bot)
            *earlier, last = log.present()
            rounds = (*earlier, replace(last, moves=(*last.moves, text)))
            apply_position(change, rounds, position, fresh=fresh)
    if change.event is None:
        return _repeated_move(_existing_log(table_id), seat, seen, text, bot)
    return MoveResult(moves_made=seen + 1, bot=change.bot_turn)


def _existing_log(table_id: int) -> TableLog:
    log = find_log(table_id)
    if log is None:
        raise TableNotFound(table_id)
    return log


def _check_turn(table: Table, seat: int) -> None:
    if table.state != Table.State.PLAYING or table.turn is None:
        raise NotPlaying(table.pk)
    if table.turn != seat:
        raise NotTheirTurn(table.turn)


def _may_move(change: TableChange, seat: int, bot: str) -> bool:
    playing = change.table.state == Table.State.PLAYING and change.table.turn == seat
    return playing and (not bot or is_bot(change.seats[seat]))


def _write_move(change: TableChange, seat: int, text: str, bot: str) -> None:
    table = change.table
    table.moves_made += 1
    table.failures, table.error = 0, ""
    row = TableMove.objects.create(
        table=table,
        number=table.moves_made,
        round=table.round,
        seat=seat,
        text=text,
        bot=bot,
        at=change.at,
    )
    change.made = (PlayedMove(row.number, row.round, seat, text, bot, row.at),)
    _update_stand_in(change.seats[seat], bot)
    change.add_event(Event.MOVED, seat)


def _update_stand_in(seat: TableSeat, bot: str) -> None:
    if not seat.stand_in:
        return
    if bot:
        seat.stood_in += 1
    else:
        seat.stand_in = False
    seat.save(update_fields=["stand_in", "stood_in"])


def _repeated_move(log: TableLog, seat: int, seen: int, text: str, bot: str) -> MoveResult:
    """Return the result if the same player repeats a move. Otherwise raise `Overtaken`."""
    made = log.moves[seen] if 0 <= seen < len(log.moves) else None
    if made is None or bot or (made.seat, made.text, made.bot) != (seat, text, ""):
        raise Overtaken(log.table.pk)
    return MoveResult(moves_made=seen + 1, again=True)
