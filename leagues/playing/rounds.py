"""Rounds: sealed beforehand, dealt, over; and the match after the last of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairness import Seed, commitment
from leagues.games import Position, RoundLog, games
from leagues.models import Table, TableRound
from leagues.playing.change import Change, Event
from leagues.playing.ending import end_match
from leagues.playing.log import read

Fresh = Callable[[], Seed]


def seal_round(table: Table, seats: int, rounds: Sequence[RoundLog], *, fresh: Fresh) -> None:
    """Draw the seed of the next round and promise it together with what is at stake (F-2)."""
    stake = games[table.game].table.stake(rules=table.rules, seats=seats, rounds=rounds)
    seed = fresh().value
    TableRound.objects.create(
        table=table,
        number=len(rounds) + 1,
        seed=seed,
        commitment=commitment(seed, stake),
        stake=stake,
    )


def deal_next(change: Change, *, fresh: Fresh) -> None:
    """Begin the round that is sealed."""
    table = change.table
    table.round += 1
    change.rounds_changed = True
    TableRound.objects.filter(table=table, number=table.round).update(begun_at=change.at)
    _make_ready(change, ready=False)
    log = read(table.pk)
    rounds = log.played(rounds=table.round, moves=table.moves_made)
    change.tell(Event.DEALT)
    settle(change, rounds, log.restore(rounds), fresh=fresh)


def settle(change: Change, rounds: Sequence[RoundLog], position: Position, *, fresh: Fresh) -> None:
    """Let the table stand where the game stands: whose turn, the points, a round or match over."""
    table = change.table
    table.points = list(position.points)
    table.turn = None if position.round_over else position.turn
    if position.round_over:
        change.rounds_changed = True
        TableRound.objects.filter(table=table, number=table.round).update(
            ended_at=change.at, points=_gained(table)
        )
    if position.match_over:
        end_match(change, rounds, position)
    elif position.round_over:
        _make_ready(change, ready=False)
        seal_round(table, len(change.seats), rounds, fresh=fresh)


def _gained(table: Table) -> list[int]:
    """The points of the round that is over; some may have come in the middle of it."""
    before = TableRound.objects.filter(table=table, number__lt=table.round)
    rounds = before.values_list("points", flat=True)
    return [now - sum(then) for now, *then in zip(table.points, *rounds, strict=True)]


def _make_ready(change: Change, *, ready: bool) -> None:
    for seat in change.people:
        if seat.ready != ready:
            seat.ready = ready
            seat.save(update_fields=["ready"])


def say_ready(change: Change, seat: int, *, fresh: Fresh) -> None:
    """Somebody is ready for the next round; when all who are present are, it is dealt."""
    change.seats[seat].ready = True
    change.seats[seat].save(update_fields=["ready"])
    change.tell(Event.READY, seat)
    if all(seat.ready or seat.stand_in for seat in change.people):
        deal_next(change, fresh=fresh)
