"""The rest of a day, played out quickly for one seat: its dice roll, the bulls are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from eltoro.bots.dice import Turns, turns_of
from eltoro.bots.outlook import Outlook
from eltoro.bots.streets import FACES, SAFE, Ways
from eltoro.bots.worth import card_worth
from eltoro.engine import Card, Effect, Whose

OWN_DICE: Final = frozenset(
    {Effect.ROLL, Effect.TURN, Effect.FLIP, Effect.ODD, Effect.EVEN, Effect.SET}
)
TOGETHER: Final = frozenset({Effect.ROLL_SPACE, Effect.ROLL_ALL})


class Plan(NamedTuple):
    """How a card is played in a hurry.

    `turns`: what it makes of an own die, of `most` at most; where `together` is not 0, of all on
    a space (1) or all (2). Without turns it brings `flat` points.
    """

    flat: float
    turns: Turns | None = None
    most: int = 0
    together: int = 0


def plan_of(card: Card, players: int) -> Plan:
    """The plan of a card; what is aimed at others or at bulls brings what it usually brings."""
    if card.whose is Whose.OTHER or card.effect not in OWN_DICE | TOGETHER:
        return Plan(
            float(card.amount) if card.effect is Effect.POINTS else card_worth(card, players)
        )
    together = {Effect.ROLL_SPACE: 1, Effect.ROLL_ALL: 2}.get(card.effect, 0)
    return Plan(0.0, turns_of(card), card.amount, together)


class Gains(dict[int, tuple[float, tuple[int, ...]]]):
    """By place: the best that a card can make of an own die there, its gain and new places."""

    def __init__(self, turns: Turns, value: Sequence[float]) -> None:
        super().__init__()
        self._turns, self._value = turns, value
        self[-1] = (0.0, (-1,))

    def __missing__(self, place: int) -> tuple[float, tuple[int, ...]]:
        value, first = self._value, place - place % FACES
        best: tuple[float, tuple[int, ...]] = (-99.0, (place,))
        for turn in self._turns[place % FACES]:
            places = tuple([first + face for face in turn.faces])
            gain = sum([value[one] for one in places]) / len(places) - value[place]
            best = max(best, (gain, places))
        self[place] = best
        return best


class Scene:
    """The own ways through the town under bulls that are known, and what each place is worth.

    `value` and `hit` (whether a bull will match) have one place more, for dice that are out: -1.
    """

    def __init__(self, outlook: Outlook, bulls: Sequence[int], ways: Ways) -> None:
        streets = outlook.streets
        threats = streets.threats(bulls)
        worth = outlook.worth[outlook.seat]
        self.down = ways.down
        self.value = [*streets.prospects(ways, threats, worth, outlook.row), 0.0]
        self.hit = [bool(mask >> face & 1) for mask in threats for face in range(FACES)] + [False]
        last = streets.begins[-2]
        masks = threats[last // FACES :]
        self.last = last
        self.safe = [
            len(SAFE[m]) / FACES if m >> f & 1 else 1.0 for m in masks for f in range(FACES)
        ]
        self._gains: dict[int, Gains] = {}

    def gains(self, turns: Turns) -> Gains:
        """What may be made of own dice in these ways."""
        found = self._gains.get(id(turns))
        if found is None:
            found = self._gains[id(turns)] = Gains(turns, self.value)
        return found

    def advance(self, dice: list[int], faces: Sequence[int]) -> None:
        """One row down, and the charge; `faces`, from 0, by the number of the die."""
        down, hit = self.down, self.hit
        for number, place in enumerate(dice):
            there = down[place]
            if hit[there]:
                there += faces[number] - there % FACES
                if hit[there]:
                    there = -1
            dice[number] = there

    def arrival(self, dice: list[int], points: Sequence[float], effects: Sequence[float]) -> float:
        """What dice one row above the destinations may expect, effects counted once each."""
        total, down, last = 0.0, self.down, self.last
        missing = [1.0] * len(points)
        for place in dice:
            if place >= 0:
                there = down[place] - last
                likely, slot = self.safe[there], there // FACES
                total += points[slot] * likely
                missing[slot] *= 1 - likely
        return total + sum([e * (1 - m) for e, m in zip(effects, missing, strict=True)])


Move = tuple[float, list[tuple[int, tuple[int, ...]]]]
"""What a card brings, and the own dice it changes, each to one of these places."""


def quick(scene: Scene, plan: Plan, dice: Sequence[int]) -> Move:
    """The best way to play a card now, own dice only."""
    if plan.turns is None:
        return plan.flat, []
    gains = scene.gains(plan.turns)
    found = [(*gains[place], number) for number, place in enumerate(dice) if place >= 0]
    if plan.together == 1:
        return _best_space(found)
    if not plan.together:
        found = sorted([one for one in found if one[0] > 0], reverse=True)[: plan.most]
    return sum([one[0] for one in found]), [(number, places) for _, places, number in found]


def _best_space(found: list[tuple[float, tuple[int, ...], int]]) -> Move:
    spaces: dict[int, list[tuple[float, tuple[int, ...], int]]] = {}
    for one in found:
        spaces.setdefault(one[1][0], []).append(one)
    best: Move = (0.0, [])
    for parts in spaces.values():
        gain = sum([one[0] for one in parts])
        if gain > best[0]:
            best = gain, [(number, places) for _, places, number in parts]
    return best
