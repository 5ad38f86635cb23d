"""The own ways through the town while the bulls are known, for dice that roll in one's head."""

from __future__ import annotations

from collections.abc import Sequence

from eltoro.bots.dice import Turns
from eltoro.bots.outlook import Outlook
from eltoro.bots.streets import SAFE, Ways
from eltoro.engine import FACES


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
