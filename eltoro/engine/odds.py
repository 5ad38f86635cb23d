"""Exact chances of a runner if no more cards are played, step by step (Rulings E-5 and E-6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final, NamedTuple

from eltoro.engine.board import EVEN, ODD
from eltoro.engine.byte_view import die_to_byte, town_of
from eltoro.engine.cards import Bonus
from eltoro.engine.dice import FACES, FIRST_BULLS, MAX_BULLS
from eltoro.engine.effects import tables_of
from eltoro.engine.rules import Rules
from eltoro.engine.town import Phase, Town, View

LATE_FACES: Final = (2, 3, 4, 5, 6)
PHASES_BEFORE_MOVE: Final = (Phase.MORNING, Phase.CARDS)
Spread = Mapping[int, float]


class Odds(NamedTuple):
    """The chances of a runner to arrive or to be trampled.

    `arrives`: chances for the destinations d1 to d5. `by_step`: chances of being trampled in the
    charge of this step and of each later step. `trampled`: their sum, or 1 if the runner is already
    trampled. `points`: expected points from destinations.
    """

    arrives: tuple[float, ...]
    trampled: float
    by_step: tuple[float, ...]
    points: float


def odds(seen: View | Town, rules: Rules, seat: int, number: int) -> Odds:
    """Return the chances of a runner if no more cards are played. `number` counts from 0.

    In the morning, all rolls of bulls that are still missing are included. During a charge, dice
    that are still to be rolled count with their current faces. Raises `ValueError` for a 1 that is
    not yet placed, and `IndexError` for an unknown runner.
    """
    town = town_of(seen)
    die = town.runners[seat][number]
    if die is None:
        return Odds((0.0,) * len(LATE_FACES), 1.0, (), 0.0)
    if die.space < 0:
        raise ValueError("Where this runner starts is not known yet. (Ruling E-3)")
    down = _street_table(town, rules, seat)
    known = [die_to_byte(bull) for bull in town.bulls]
    outcomes = [
        (chance, *_walk_down(town, rules, die_to_byte(die), down, [*known, *late]))
        for chance, late in _late_bulls(town, rules)
    ]
    return _sum_odds(town, rules, outcomes)


def _sum_odds(
    town: Town, rules: Rules, outcomes: Iterable[tuple[float, Spread, tuple[float, ...]]]
) -> Odds:
    """Return the chances over all outcomes, weighted by the probability of each outcome."""
    arrives = [0.0] * len(LATE_FACES)
    risks: list[list[float]] = []
    for chance, spread, by_step in outcomes:
        risks.append([chance * risk for risk in by_step])
        for byte, share in spread.items():
            arrives[tables_of(rules).slots[byte]] += chance * share
    by_step = tuple(map(sum, zip(*risks, strict=True)))
    worth = [rules.destinations[index].points for index in town.destinations]
    expected = sum(share * points for share, points in zip(arrives, worth, strict=False))
    return Odds(tuple(arrives), float(sum(by_step)), by_step, expected)


def _street_table(town: Town, rules: Rules, seat: int) -> bytes:
    """Return a table of the ways of a seat's runners with its tokens on path signs (Ruling E-5)."""
    down = bytearray(tables_of(rules).down)
    for fork, ways in tables_of(rules).forks.items():
        own = [parity for parity in (EVEN, ODD) if town.tokens.get((fork, parity)) == seat]
        if len(own) == 1:
            down[fork * FACES : (fork + 1) * FACES] = ways[own[0]]
    return bytes(down)


def _late_bulls(town: Town, rules: Rules) -> Iterator[tuple[float, list[int]]]:
    """Yield every possible roll of the bulls that have not been rolled yet this morning, with its
    probability (Ruling E-3).
    """
    late = 0
    if town.phase is Phase.MORNING:
        every = rules.destinations
        effects = [every[index] for seat in town.effects for index in seat]
        late = 1 + sum(each.amount for each in effects if each.effect is Bonus.BULL)
        late = min(late, MAX_BULLS - FIRST_BULLS) - max(len(town.bulls) - FIRST_BULLS, 0)
    starting = tables_of(rules).starting
    for faces in combinations_with_replacement(LATE_FACES, max(late, 0)):
        ways = factorial(len(faces)) / prod(map(factorial, Counter(faces).values()))
        yield ways / len(LATE_FACES) ** len(faces), [starting[face] for face in faces]


def _walk_down(
    town: Town, rules: Rules, byte: int, down: bytes, bulls: list[int]
) -> tuple[Spread, tuple[float, ...]]:
    """Return the bytes that a runner may have at the end of the day, and the risk of each
    charge.
    """
    spread: Spread = {byte: 1.0}
    risks = []
    phase = town.phase
    for _ in range(town.step, rules.board.steps):
        if phase in PHASES_BEFORE_MOVE:
            spread = _move_down(spread, down)
        if phase in PHASES_BEFORE_MOVE or phase is Phase.RUNNERS:
            bulls = [tables_of(rules).down[bull] for bull in bulls]
        risk = 0.0
        if phase is not Phase.CHARGE:
            spread, risk = _charged(spread, set(bulls))
        risks.append(risk)
        phase = Phase.CARDS
    return spread, tuple(risks)


def _move_down(spread: Spread, down: bytes) -> Spread:
    """Return the distribution of a runner after it moves one row down."""
    after: dict[int, float] = {}
    for byte, share in spread.items():
        after[down[byte]] = after.get(down[byte], 0.0) + share
    return after


def _charged(spread: Spread, bulls: set[int]) -> tuple[Spread, float]:
    """Return the distribution of a runner after a charge, and the risk of being trampled.

    A runner that matches a bull is rolled once, and is trampled if it matches again (E-6).
    """
    after: dict[int, float] = {}
    risk = 0.0
    for byte, share in spread.items():
        if byte not in bulls:
            after[byte] = after.get(byte, 0.0) + share
            continue
        space = byte - byte % FACES
        for rolled in range(space, space + FACES):
            if rolled in bulls:
                risk += share / FACES
            else:
                after[rolled] = after.get(rolled, 0.0) + share / FACES
    return after, risk
