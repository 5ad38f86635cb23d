"""Whether a round was what had been promised of it (Ruling F-2)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from fairness import Difference, verify
from leagues.games import MoveRefused, RoundLog
from leagues.playing.log import Sealed, TableLog


def verify_round(log: TableLog, number: int) -> Sequence[Difference]:
    """What differs between a round as it stands and what its seed brings; nothing: as promised.

    Compared are the commitment, what was at stake, the points, and whatever the game compares of
    deal and moves. Raises IndexError where there is no such round.
    """
    kept = log.rounds[number - 1]
    until = log.played(rounds=number, moves=_moves_until(log, number))
    derived = _derived(log, until)
    claimed = {"stake": kept.stake, "points": list(kept.points)}
    if kept.ended_at is None:
        claimed.pop("points")
        derived.pop("points", None)
    found = verify(
        promised=kept.commitment,
        seed=kept.seed,
        stake=kept.stake,
        claimed=claimed,
        derived=derived,
    )
    return (*found, *_by_the_game(log, until, kept))


def _moves_until(log: TableLog, number: int) -> int:
    return sum(1 for made in log.moves if made.round <= number)


def _derived(log: TableLog, until: tuple[RoundLog, ...]) -> dict[str, object]:
    """What follows from seeds and moves; without what cannot follow, where they fit no game."""
    found: dict[str, object] = {}
    with suppress(MoveRefused):
        game, rules = log.game.table, log.table.rules
        found["stake"] = game.stake(rules=rules, seats=log.seats, rounds=until[:-1])
        before = log.restore(until[:-1]).points if len(until) > 1 else (0,) * log.seats
        after = log.restore(until).points
        found["points"] = [now - then for now, then in zip(after, before, strict=True)]
    return found


def _by_the_game(log: TableLog, until: tuple[RoundLog, ...], kept: Sealed) -> Sequence[Difference]:
    told = log.game.table.verify(rules=log.table.rules, seats=log.seats, rounds=until)
    return [Difference(f"round {kept.number}", sentence, "") for sentence in told]
