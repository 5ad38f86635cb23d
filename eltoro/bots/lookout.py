"""The strongest El Toro bot. It compares cards and targets by simulating the rest of the day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from eltoro.bots.aims import (
    BULL_SEAT,
    BULLS_IN_BOX,
    ROLL_TURNS,
    Aim,
    Turns,
    aims_of,
    own_gain,
    turns_of,
)
from eltoro.bots.outlook import Outlook, best_start, pending_ask, points_of
from eltoro.bots.streets import SAFE_FACES, DieWays, Sign
from eltoro.bots.values import (
    DIRECT_EFFECTS,
    arrival_values,
    card_value,
    effect_values,
    indirect_card_value,
    lasting_share,
    mean_card_value,
    unwanted_cards,
)
from eltoro.engine import FACES, Card, DecisionKind, Effect, Move, Rules, RunnerOwner, View
from fairness import Chance
from leagues.bots import Clock, is_clearly_worse


class Gains(dict[int, tuple[float, tuple[int, ...]]]):
    """Mapping (a cache) to the best change that a card can make to a die of the player.

    The key is the place of the die (its space and face). The value is a pair of the expected gain
    in points and the possible new places of the die.
    """

    def __init__(self, turns: Turns, value: Sequence[float]) -> None:
        super().__init__()
        self._turns, self._value = turns, value
        self[-1] = (0.0, (-1,))

    def __missing__(self, place: int) -> tuple[float, tuple[int, ...]]:
        value, first = self._value, place - place % FACES
        best: tuple[float, tuple[int, ...]] = (-99.0, (place,))
        for turn in self._turns[place % FACES]:
            places = tuple([first + face for face in turn.faces])
            gain = sum([value[at] for at in places]) / len(places) - value[place]
            best = max(best, (gain, places))
        self[place] = best
        return best


class ImaginedTown:
    """The streets of one player with bulls at known places, and the value of each place.

    A place is a space with a face. `value` and `hit` (True if a bull will match a die there) have
    one additional item at the end, for dice that are out (place -1).
    """

    def __init__(self, outlook: Outlook, bulls: Sequence[int], ways: DieWays) -> None:
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
            len(SAFE_FACES[m]) / FACES if m >> f & 1 else 1.0 for m in masks for f in range(FACES)
        ]
        self._gains: dict[int, Gains] = {}

    def gains(self, turns: Turns) -> Gains:
        cached = self._gains.get(id(turns))
        if cached is None:
            cached = self._gains[id(turns)] = Gains(turns, self.value)
        return cached

    def advance(self, dice: list[int], faces: Sequence[int]) -> None:
        """Move the player's dice one row down and roll those that match a bull.

        `faces` (0 to 5): the faces to roll, by number of the die. A die that matches again is out.
        """
        down, hit = self.down, self.hit
        for number, place in enumerate(dice):
            there = down[place]
            if hit[there]:
                there += faces[number] - there % FACES
                if hit[there]:
                    there = -1
            dice[number] = there

    def arrival(self, dice: list[int], points: Sequence[float], effects: Sequence[float]) -> float:
        """Return the expected value of dice that are one row above the destinations.

        `points` count for each die, `effects` only once per destination.
        """
        total, down, last = 0.0, self.down, self.last
        missing = [1.0] * len(points)
        for place in dice:
            if place >= 0:
                there = down[place] - last
                likely, slot = self.safe[there], there // FACES
                total += points[slot] * likely
                missing[slot] *= 1 - likely
        return total + sum([e * (1 - m) for e, m in zip(effects, missing, strict=True)])


def unseen_cards(view: View) -> list[int]:
    left = Counter({kind: card.count for kind, card in enumerate(view.rules.cards)})
    left.subtract(view.hand)
    left.subtract(view.town.discards)
    return sorted(left.elements())


OWN_DICE: Final = frozenset(
    {Effect.ROLL, Effect.TURN, Effect.FLIP, Effect.ODD, Effect.EVEN, Effect.SET}
)
GROUP_ROLLS: Final = frozenset({Effect.ROLL_SPACE, Effect.ROLL_ALL})
SPACE_MODE, ALL_MODE = 1, 2
# Each step of a simulated day has this many prepared rows of dice rolls.
ROWS: Final = 3
# Number of additional dice rolls in each row, which belong to no die.
SPARE: Final = 2
# Mean number of a player's dice that other players roll again in a step. It was measured in games
# of the greedy bot.
SPOILED: float = 0.55
# A card that is saved for the next day is worth this share of the difference between its value and
# the value of a new card.
KEEP: float = 0.6


# Random factors with mean 1, by which simulations multiply gains from other players' dice and from
# bulls.
SPREAD: Final = (0.2, 0.5, 0.7, 1.0, 1.4, 2.2)
EVEN_SPREAD: Final = (1.0,) * FACES


class CardPlan(NamedTuple):
    """A simplified use of a card in simulations.

    `turns`: possible changes of the player's dice. They apply to at most `most` dice, or to all
    dice on a space (`together` 1) or all dice (`together` 2). `flat`: points gained by other uses
    of the card, by number of steps left (from 1). They are multiplied by a random element of
    `spread`. `kept`: value of saving the card for the next day, compared with a new card.
    """

    kind: int
    flat: tuple[float, ...]
    spread: tuple[float, ...]
    kept: float
    turns: Turns | None = None
    most: int = 0
    together: int = 0


def plans_of(rules: Rules, players: int) -> list[CardPlan]:
    """Return the simplified use of each card.

    Other players' dice and bulls are not simulated, so such targets bring their average gain.
    """
    mean = mean_card_value(rules, players)
    return [_plan(kind, card, players, mean) for kind, card in enumerate(rules.cards)]


def _plan(kind: int, card: Card, players: int, mean: float) -> CardPlan:
    sure = card.effect in DIRECT_EFFECTS
    flat = tuple(
        indirect_card_value(card, players, left) * (1.0 if sure else lasting_share(left))
        for left in range(1, 5)
    )
    spread = EVEN_SPREAD if sure else SPREAD
    kept = max(0.0, KEEP * (card_value(card, players) - mean))
    if card.whose is RunnerOwner.OTHER or card.effect not in OWN_DICE | GROUP_ROLLS:
        return CardPlan(kind, flat, spread, kept)
    together = {Effect.ROLL_SPACE: 1, Effect.ROLL_ALL: 2}.get(card.effect, 0)
    return CardPlan(kind, flat, spread, kept, turns_of(card), card.amount, together)


# A use of a card: its gain, and the player's dice that it changes with their possible places.
Play = tuple[float, list[tuple[int, tuple[int, ...]]]]
NO_PLAY: Final[Play] = (-99.0, [])


def play_quickly(
    scene: ImaginedTown, plan: CardPlan, dice: Sequence[int], left: int, face: int
) -> Play:
    """Return the better of two uses of a card in a simulated step: to change the player's own dice,
    or for another gain.

    `face` selects the random factor of the other gain.
    """
    flat = plan.flat[min(left, len(plan.flat)) - 1] * plan.spread[face]
    if plan.turns is None:
        return flat, []
    own = _on_own_dice(scene, plan, plan.turns, dice)
    return own if own[0] >= flat or plan.together == ALL_MODE else (flat, [])


def _on_own_dice(scene: ImaginedTown, plan: CardPlan, turns: Turns, dice: Sequence[int]) -> Play:
    gains = scene.gains(turns)
    candidates = [(*gains[place], number) for number, place in enumerate(dice) if place >= 0]
    if plan.together == SPACE_MODE:
        return _best_space(candidates)
    if not plan.together:
        candidates = sorted(
            [candidate for candidate in candidates if candidate[0] > 0], reverse=True
        )[: plan.most]
    return sum([candidate[0] for candidate in candidates]), [
        (number, places) for _, places, number in candidates
    ]


def _best_space(candidates: list[tuple[float, tuple[int, ...], int]]) -> Play:
    spaces: dict[int, list[tuple[float, tuple[int, ...], int]]] = {}
    for part in candidates:
        spaces.setdefault(part[1][0], []).append(part)
    best: Play = (0.0, [])
    for parts in spaces.values():
        gain = sum([part[0] for part in parts])
        if gain > best[0]:
            best = gain, [(number, places) for _, places, number in parts]
    return best


class ImaginedAfternoon:
    """A simulated rest of the day for one player, whose dice are also changed by others.

    `faces` (0 to 5): dice rolls in rows of `stride`, with three rows per step: for the player's
    cards, for dice rolled by other players, and for dice that a bull matches. All moves are
    compared with the same rolls. `spoils`: for each remaining step, the mean numbers of the
    player's dice that others roll before and after the player's card.
    """

    __slots__ = ("faces", "spoils", "stride")

    def __init__(
        self, faces: Sequence[int], stride: int, spoils: Sequence[tuple[float, float]]
    ) -> None:
        self.faces, self.stride, self.spoils = faces, stride, spoils

    def walk(self, scene: ImaginedTown, dice: list[int], plans: list[CardPlan]) -> float:
        """Simulate the day to its last step. Return the points that the player gains by cards,
        without the points of the player's own dice.

        `dice` and `plans` are changed in place. Afterwards the dice are one row above the
        destinations, and `plans` contains the cards not played.
        """
        total, rolls = 0.0, scene.gains(ROLL_TURNS)
        for step, (before, after) in enumerate(self.spoils):
            at = ROWS * self.stride * step
            if step:
                scene.advance(dice, self.faces[at - self.stride : at])
                self._roll_losing_dice(rolls, dice, before, at + self.stride)
                if plans:
                    total += self._card(scene, dice, plans, step)
            self._roll_losing_dice(rolls, dice, after, at + self.stride)
        return total

    def _roll_losing_dice(self, rolls: Gains, dice: list[int], hits: float, at: int) -> None:
        """Simulate the moves of other players: roll again those dice of the player that lose most
        value.
        """
        faces, last = self.faces, at + self.stride - 1
        many = int(hits + (faces[last] * FACES + faces[last - 1]) / FACES**2)
        for _ in range(many):
            loss, number = min([(rolls[place][0], die) for die, place in enumerate(dice)])
            if loss < 0:
                dice[number] += faces[at + number] - dice[number] % FACES

    def _card(
        self, scene: ImaginedTown, dice: list[int], plans: list[CardPlan], step: int
    ) -> float:
        """Play the best card of the simulated player. Return the points that it gains directly, or
        0 if it changed the player's dice.
        """
        faces, stride, left = self.faces, self.stride, len(self.spoils) - step
        at, best, chosen = ROWS * stride * step, NO_PLAY, 0
        for number, plan in enumerate(plans):
            done = play_quickly(scene, plan, dice, left, faces[at + plan.kind % stride])
            if done[0] > best[0]:
                best, chosen = done, number
        del plans[chosen]
        for die, places in best[1]:
            dice[die] = places[faces[at + die] if len(places) > 1 else 0]
        return 0.0 if best[1] else best[0]


def disturbances_of(view: View, steps: int) -> list[tuple[float, float]]:
    """Return how many of the player's dice others will roll in each remaining step.

    Each step has two numbers: before and after the player's card.
    """
    town, players = view.town, view.players
    assert view.seat is not None
    each = SPOILED / (players - 1)
    places = [(view.seat - town.first - step) % players for step in range(steps)]
    return [(each * place, each * (players - 1 - place)) for place in places]


# Maximum number of targets that are examined for each card.
AIMS: Final = 3


@dataclass(slots=True)
class CandidateCard:
    """A card with its targets, and its value in each simulation.

    `aside`: its gain other than by the player's dice. `plans`: the cards left in hand. `draws`:
    number of cards that it draws.
    """

    card: int
    aim: Aim
    aside: float
    plans: list[CardPlan]
    draws: int
    values: list[float] = field(default_factory=list)


class CardComparison:
    """The simulations in which the candidate moves of one decision are compared."""

    def __init__(self, outlook: Outlook, chance: Chance) -> None:
        view = outlook.view
        self.outlook, self.chance = outlook, chance
        self.points, self.effects = points_of(view), effect_values(view)
        self.goes_on = view.town.day < view.rules.days
        self.steps = outlook.streets.board.steps - outlook.row
        self.plans = plans_of(view.rules, view.players)
        self.unseen = unseen_cards(view)
        self.own = list(outlook.dice[outlook.seat])
        self.stride = max(BULLS_IN_BOX, len(self.own)) + SPARE
        self.spoils = disturbances_of(view, self.steps)
        self._scenes: dict[tuple[tuple[int, ...], frozenset[Sign]], ImaginedTown] = {}

    def candidates(self) -> list[CandidateCard]:
        hand, cards = self.outlook.view.hand, self.outlook.view.rules.cards
        return [
            self._candidate(kind, aim)
            for kind in sorted(set(hand))
            for aim in aims_of(self.outlook, cards[kind])[:AIMS]
        ]

    def _candidate(self, kind: int, aim: Aim) -> CandidateCard:
        view = self.outlook.view
        card = view.rules.cards[kind]
        rest = list(view.hand)
        rest.remove(kind)
        plans = [self.plans[number] for number in rest]
        draws = card.amount if card.effect is Effect.DRAW else 0
        return CandidateCard(kind, aim, self._aside(card, aim), plans, draws)

    def _aside(self, card: Card, aim: Aim) -> float:
        """Return the part of a card's gain that is not due to the player's own dice and that lasts
        until the evening.
        """
        if card.effect in DIRECT_EFFECTS:
            return 0.0 if card.effect is Effect.DRAW else aim.gain
        return (aim.gain - own_gain(self.outlook, aim)) * lasting_share(self.steps)

    def compare_cards(self, running: list[CandidateCard]) -> None:
        faces = [self.chance.below(FACES) for _ in range(ROWS * self.stride * self.steps)]
        most = max(candidate.draws for candidate in running)
        drawn = self.chance.shuffled(self.unseen)[:most] if most else []
        afternoon = ImaginedAfternoon(faces, self.stride, self.spoils)
        for candidate in running:
            plans = [*candidate.plans, *(self.plans[card] for card in drawn[: candidate.draws])]
            candidate.values.append(self._value(candidate, plans, afternoon))

    def _scene(self, bulls: tuple[int, ...], signs: frozenset[Sign]) -> ImaginedTown:
        key = (bulls, signs)
        if key not in self._scenes:
            ways = self.outlook.streets.ways(signs)
            self._scenes[key] = ImaginedTown(self.outlook, bulls, ways)
        return self._scenes[key]

    def _value(
        self, candidate: CandidateCard, plans: list[CardPlan], afternoon: ImaginedAfternoon
    ) -> float:
        dice = list(self.own)
        scene = self._town_after(candidate.aim, dice, afternoon.faces)
        total = candidate.aside + afternoon.walk(scene, dice, plans)
        if self.goes_on:
            total += sum([plan.kept for plan in plans])
        return total + scene.arrival(dice, self.points, self.effects)

    def _town_after(self, aim: Aim, dice: list[int], faces: Sequence[int]) -> ImaginedTown:
        """Apply a candidate move to the dice and return the streets and values after it.

        `dice` (the player's dice) is changed in place.
        """
        outlook = self.outlook
        bulls = list(outlook.bulls)
        for seat, number, places in aim.throws:
            place = places[faces[number] if len(places) > 1 else 0]
            if seat == BULL_SEAT:
                bulls[number : number + 1] = [place]
            elif seat == outlook.seat:
                dice[number] = place
        signs = outlook.signs[outlook.seat] if aim.signs is None else aim.signs
        return self._scene(tuple(bulls), signs)


def best_candidate(running: list[CandidateCard]) -> CandidateCard:
    return max(
        running,
        key=lambda candidate: sum(candidate.values) if candidate.values else candidate.aim.gain,
    )


def in_the_running(running: list[CandidateCard]) -> list[CandidateCard]:
    best = best_candidate(running).values
    return [candidate for candidate in running if not is_clearly_worse(candidate.values, best)]


# Number of simulations per millisecond of the time budget if no clock is passed.
AFTERNOONS_A_MILLISECOND: Final = 16
# Maximum number of simulations per decision. Moves that have not been dropped after these
# simulations count as equally good.
MAX_AFTERNOONS: Final = 400
# Number of simulations between two checks for moves that can be dropped.
AFTERNOONS_PER_ROUND: Final = 24


class Lookout:
    """Bot that compares cards and targets in the same simulated days (Monte Carlo).

    In each simulation, the player's dice are rolled and a simple rule plays one of the player's
    cards at every step. Cards of other players are not simulated. The value of a move consists of
    the points of the runners, the effects on the next day and the effect on other players. Clearly
    worse moves are dropped early.
    """

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        ask = pending_ask(view)
        budget = Budget(budget_ms, clock)
        if ask is DecisionKind.DISCARD:
            return Move.discard(*unwanted_cards(view.rules, view.players, view.hand))
        outlook = Outlook(view, arrival_values(view))
        if ask is DecisionKind.START:
            return best_start(outlook)
        return _choose_by_race(outlook, chance, budget)


def _choose_by_race(outlook: Outlook, chance: Chance, budget: Budget) -> Move:
    race = CardComparison(outlook, chance)
    running = race.candidates()
    while (
        len(running) > 1 and len(running[0].values) < MAX_AFTERNOONS and budget.allows(len(running))
    ):
        race.compare_cards(running)
        if not len(running[0].values) % AFTERNOONS_PER_ROUND:
            running = in_the_running(running)
    best = best_candidate(running)
    return Move.play(outlook.view.rules.cards[best.card].key, *best.aim.targets)


class Budget:
    """Thinking budget of a decision: time if there is a clock, otherwise a number of
    simulations.
    """

    def __init__(self, budget_ms: int, clock: Clock | None) -> None:
        self._clock = clock
        self._until = clock() + budget_ms / 1000 if clock else 0.0
        self._left = budget_ms * AFTERNOONS_A_MILLISECOND

    def allows(self, afternoons: int) -> bool:
        if self._clock:
            return self._clock() < self._until
        self._left -= afternoons
        return self._left >= 0
