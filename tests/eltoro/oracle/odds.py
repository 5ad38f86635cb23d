"""Exact chances of one runner if no more cards are played, by following every roll to its end."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tests.eltoro.oracle.morning import BULLS, STARTS
from tests.eltoro.oracle.street import way_of_bull, way_of_runner
from tests.eltoro.oracle.town import MOST_BULLS, Die, Town, effect_of, faces_at, owner

FACES = range(1, 7)


@dataclass
class Prospect:
    """Exact chances of arriving at each destination and of being trampled in each step.

    `points` are the expected points.
    """

    arrives: dict[str, Fraction]
    trampled: list[Fraction]
    points: Fraction


def endings(town: Town, seat: int, die: Die, step: int) -> Iterator[tuple[Fraction, str, int]]:
    """Yield every possible end of a runner, from the cards of a step on.

    Each end consists of a probability, the destination or `trampled`, and the step.
    """
    town, die = deepcopy_of_bulls(town), Die(way_of_runner(town, seat, die), die.face)
    for bull in town.bulls.values():
        bull.space = way_of_bull(town, bull)
    horns = faces_at(town, die.space)
    for face in FACES if die.face in horns else [die.face]:
        likely = Fraction(1, 6) if die.face in horns else Fraction(1)
        if face in horns:
            yield likely, "trampled", step
        elif step == town.board["steps"]:
            yield likely, str(die.space), step
        else:
            for then, where, when in endings(town, seat, Die(die.space, face), step + 1):
                yield likely * then, where, when


def deepcopy_of_bulls(town: Town) -> Town:
    """Return the position with copied bulls, which can be moved without changing the original."""
    return Town(**{**vars(town), "bulls": deepcopy(town.bulls)})


def late_throws(town: Town) -> Iterator[Town]:
    """Yield the position with every possible roll of the bulls still to come, equally likely.

    Only the morning has such bulls.
    """
    if town.phase != "morning":
        yield town
        return
    more = sum(effect_of(town, seat, "bull") for seat in range(town.players))
    coming = range(len(town.bulls) + 1, min(MOST_BULLS, BULLS + more) + 1)
    for starts in product(STARTS, repeat=len(coming)):
        bulls = {f"T{at}": Die(start, int(start)) for at, start in zip(coming, starts, strict=True)}
        yield Town(**{**vars(town), "step": 1, "bulls": {**town.bulls, **bulls}})


def odds(town: Town, runner: str) -> Prospect:
    """Return the chances of a runner from the present step on, or from the morning."""
    step, throws = max(1, town.step), list(late_throws(town))
    arrives = dict.fromkeys(["d1", "d2", "d3", "d4", "d5"], Fraction(0))
    trampled = [Fraction(0)] * (town.board["steps"] - step + 1)
    for throw in throws:
        for likely, where, when in endings(throw, owner(runner), town.runners[runner], step):
            if where == "trampled":
                trampled[when - step] += likely / len(throws)
            else:
                arrives[where] += likely / len(throws)
    worth = [int(town.destinations[kind]["points"]) for kind in town.laid]
    points = sum(
        (arrives[place] * value for place, value in zip(sorted(arrives), worth, strict=True)),
        Fraction(0),
    )
    return Prospect(arrives, trampled, points)
