"""The strongest bot: it plays the rest of the day in its head, after every card it might play."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from eltoro.bots.afternoon import Plan, Scene, plan_of, quick
from eltoro.bots.aim import BULL, Aim
from eltoro.bots.aims import aims, own_part
from eltoro.bots.bot import Clock, asked
from eltoro.bots.bull_aims import IN_THE_BOX
from eltoro.bots.morning import start
from eltoro.bots.outlook import Outlook, points_of
from eltoro.bots.streets import FACES, Sign
from eltoro.bots.tomorrow import effects_of, worth_of
from eltoro.bots.unseen import unseen
from eltoro.bots.worth import unwanted
from eltoro.engine import Ask, Card, Effect, Move, View
from fairness import Chance

AFTERNOONS_A_MILLISECOND: Final = 8
"""How much is thought without a clock."""
AIMS: Final = 3
"""So many targets of each card are thought through."""
HEAT: Final = 24
"""Afternoons between two looks at who is behind."""
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


class Lookout:
    """Compares cards and targets over the same imagined afternoons (Monte Carlo).

    In each the own dice roll as they may, and the own cards are played in a hurry at every step;
    the others' are not. What counts is what the runners bring, tomorrow counted in, and what the
    card does to others. A move clearly behind is dropped.
    """

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """The card and targets that bring most over as many afternoons as the budget allows."""
        ask = asked(view)
        budget = Budget(budget_ms, clock)
        if ask is Ask.DISCARD:
            return Move.discard(*unwanted(view.rules, view.players, view.hand))
        outlook = Outlook(view, worth_of(view))
        if ask is Ask.START:
            return start(outlook)
        return _raced(outlook, chance, budget)


def _raced(outlook: Outlook, chance: Chance, budget: Budget) -> Move:
    race = Race(outlook, chance)
    running = race.candidates()
    while len(running) > 1 and budget.lasts(len(running)):
        race.run(running)
        if not len(running[0].values) % HEAT:
            running = in_the_running(running)
    best = best_of(running)
    return Move.play(outlook.view.rules.cards[best.card].key, *best.aim.targets)


class Budget:
    """How long a bot may go on: by the clock, or without one by a number of afternoons."""

    def __init__(self, budget_ms: int, clock: Clock | None) -> None:
        self._clock = clock
        self._until = clock() + budget_ms / 1000 if clock else 0.0
        self._left = budget_ms * AFTERNOONS_A_MILLISECOND

    def lasts(self, afternoons: int) -> bool:
        """Whether there is some left, for so many afternoons more."""
        if self._clock:
            return self._clock() < self._until
        self._left -= afternoons
        return self._left >= 0


class Race:
    """The afternoons over which the moves of one decision are compared."""

    def __init__(self, outlook: Outlook, chance: Chance) -> None:
        view = outlook.view
        self.outlook, self.chance = outlook, chance
        self.points, self.effects = points_of(view), effects_of(view)
        self.steps = outlook.streets.board.steps - outlook.row
        self.plans = [plan_of(card, view.players) for card in view.rules.cards]
        self.unseen = unseen(view)
        self.own = list(outlook.dice[outlook.seat])
        self.stride = max(IN_THE_BOX, len(self.own))
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
        """The part of an aim's gain that does not come from own dice."""
        if card.effect is Effect.DRAW:
            return 0.0
        return aim.gain - own_part(self.outlook, aim)

    def run(self, running: list[Candidate]) -> None:
        """One more afternoon, after every move that is still in the race."""
        faces = [self.chance.below(FACES) for _ in range(2 * self.stride * self.steps)]
        drawn = [self.plans[card] for card in self.chance.shuffled(self.unseen)[:4]]
        for one in running:
            one.values.append(one.aside + self._afternoon(one, faces, drawn))

    def _scene(self, bulls: tuple[int, ...], signs: frozenset[Sign]) -> Scene:
        key = (bulls, signs)
        if key not in self._scenes:
            ways = self.outlook.streets.ways(signs)
            self._scenes[key] = Scene(self.outlook, bulls, ways)
        return self._scenes[key]

    def _afternoon(self, one: Candidate, faces: list[int], drawn: list[Plan]) -> float:
        outlook = self.outlook
        dice, bulls = list(self.own), list(outlook.bulls)
        for throw in one.aim.throws:
            place = throw.places[faces[throw.number] if len(throw.places) > 1 else 0]
            if throw.seat == BULL:
                bulls[throw.number : throw.number + 1] = [place]
            elif throw.seat == outlook.seat:
                dice[throw.number] = place
        signs = outlook.signs[outlook.seat] if one.aim.signs is None else one.aim.signs
        scene = self._scene(tuple(bulls), signs)
        plans = one.plans + drawn[: one.draws]
        return self._rest(scene, dice, plans, faces)

    def _rest(self, scene: Scene, dice: list[int], plans: list[Plan], faces: list[int]) -> float:
        """The steps after a card: what further cards bring, and the arrival."""
        total = 0.0
        for step in range(1, self.steps):
            at = 2 * self.stride * step
            scene.advance(dice, faces[at - self.stride : at])
            if plans:
                ways = [(quick(scene, plan, dice), number) for number, plan in enumerate(plans)]
                (gain, changes), number = max(ways, key=lambda way: way[0][0])
                plans = plans[:number] + plans[number + 1 :]
                if not changes:
                    total += gain
                for die, places in changes:
                    dice[die] = places[faces[at + die] if len(places) > 1 else 0]
        return total + scene.arrival(dice, self.points, self.effects)


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
