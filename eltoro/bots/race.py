"""Cards and targets compared over the same imagined afternoons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from eltoro.bots.afternoon import ROWS, SPARE, Afternoon, Plan, plans_of, spoils_of
from eltoro.bots.aim import BULL, Aim
from eltoro.bots.aims import aims, own_part
from eltoro.bots.bull_aims import IN_THE_BOX
from eltoro.bots.outlook import Outlook, points_of
from eltoro.bots.scene import Scene
from eltoro.bots.streets import Sign
from eltoro.bots.tomorrow import effects_of
from eltoro.bots.unseen import unseen
from eltoro.bots.worth import STRAIGHT, lasting
from eltoro.engine import FACES, Card, Effect
from fairness import Chance

AIMS: Final = 3
"""So many targets of each card are thought through."""
BEHIND: Final = 3.0
"""A move is dropped when it is behind by so many standard errors."""


@dataclass(slots=True)
class Candidate:
    """A card aimed, what it brings beside the own dice, and what each afternoon brought."""

    card: int
    aim: Aim
    aside: float
    plans: list[Plan]
    draws: int
    values: list[float] = field(default_factory=list)


class Race:
    """The afternoons over which the moves of one decision are compared."""

    def __init__(self, outlook: Outlook, chance: Chance) -> None:
        view = outlook.view
        self.outlook, self.chance = outlook, chance
        self.points, self.effects = points_of(view), effects_of(view)
        self.goes_on = view.town.day < view.rules.days
        self.steps = outlook.streets.board.steps - outlook.row
        self.plans = plans_of(view.rules, view.players)
        self.unseen = unseen(view)
        self.own = list(outlook.dice[outlook.seat])
        self.stride = max(IN_THE_BOX, len(self.own)) + SPARE
        self.spoils = spoils_of(view, self.steps)
        self._scenes: dict[tuple[tuple[int, ...], frozenset[Sign]], Scene] = {}

    def candidates(self) -> list[Candidate]:
        """The best aims of every card in hand."""
        hand, cards = self.outlook.view.hand, self.outlook.view.rules.cards
        return [
            self._candidate(kind, aim)
            for kind in sorted(set(hand))
            for aim in aims(self.outlook, cards[kind])[:AIMS]
        ]

    def _candidate(self, kind: int, aim: Aim) -> Candidate:
        view = self.outlook.view
        card = view.rules.cards[kind]
        rest = list(view.hand)
        rest.remove(kind)
        plans = [self.plans[one] for one in rest]
        draws = card.amount if card.effect is Effect.DRAW else 0
        return Candidate(kind, aim, self._aside(card, aim), plans, draws)

    def _aside(self, card: Card, aim: Aim) -> float:
        """The part of an aim's gain that does not come from own dice, as far as it lasts."""
        if card.effect in STRAIGHT:
            return 0.0 if card.effect is Effect.DRAW else aim.gain
        return (aim.gain - own_part(self.outlook, aim)) * lasting(self.steps)

    def run(self, running: list[Candidate]) -> None:
        """One more afternoon, after every move that is still in the race."""
        faces = [self.chance.below(FACES) for _ in range(ROWS * self.stride * self.steps)]
        most = max(one.draws for one in running)
        drawn = self.chance.shuffled(self.unseen)[:most] if most else []
        afternoon = Afternoon(faces, self.stride, self.spoils)
        for one in running:
            plans = [*one.plans, *(self.plans[card] for card in drawn[: one.draws])]
            one.values.append(self._value(one, plans, afternoon))

    def _scene(self, bulls: tuple[int, ...], signs: frozenset[Sign]) -> Scene:
        key = (bulls, signs)
        if key not in self._scenes:
            ways = self.outlook.streets.ways(signs)
            self._scenes[key] = Scene(self.outlook, bulls, ways)
        return self._scenes[key]

    def _value(self, one: Candidate, plans: list[Plan], afternoon: Afternoon) -> float:
        """What a move brings on one afternoon, with these cards left in hand."""
        dice = list(self.own)
        scene = self._thrown(one.aim, dice, afternoon.faces)
        total = one.aside + afternoon.walk(scene, dice, plans)
        if self.goes_on:
            total += sum([plan.kept for plan in plans])
        return total + scene.arrival(dice, self.points, self.effects)

    def _thrown(self, aim: Aim, dice: list[int], faces: Sequence[int]) -> Scene:
        """Throw the dice that a move throws, the own ones in place; the town afterwards."""
        outlook = self.outlook
        bulls = list(outlook.bulls)
        for seat, number, places in aim.throws:
            place = places[faces[number] if len(places) > 1 else 0]
            if seat == BULL:
                bulls[number : number + 1] = [place]
            elif seat == outlook.seat:
                dice[number] = place
        signs = outlook.signs[outlook.seat] if aim.signs is None else aim.signs
        return self._scene(tuple(bulls), signs)


def best_of(running: list[Candidate]) -> Candidate:
    """The move that has brought most so far; the first of those that are level."""
    return max(running, key=lambda one: sum(one.values) if one.values else one.aim.gain)


def in_the_running(running: list[Candidate]) -> list[Candidate]:
    """The moves that are not clearly behind the best."""
    best = best_of(running).values
    return [one for one in running if not _behind(one.values, best)]


def _behind(values: list[float], best: list[float]) -> bool:
    """Whether the gap to the best, over the same afternoons, is more than chance."""
    gaps = [one - other for one, other in zip(best, values, strict=True)]
    total, count = sum(gaps), len(gaps)
    spread = sum(gap * gap for gap in gaps) - total * total / count
    return total > BEHIND * sqrt(max(spread, 0.0) * count / (count - 1)) and total > 0
