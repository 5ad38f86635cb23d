"""The rules that a sheet is checked against: days, runners, destinations and their effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from eltoro.engine import DECK_SIZE, Card, Destination, Effect, Rules

MAX_CARDS_TRIED: Final = 8
"""Cards that bring points, up to which every way of playing them is tried; past that their sum."""

CardPoints = tuple[int, int]
"""The fewest and the most points that a card brings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckPoints:
    """The points that the cards of one deck bring.

    `cards`: of each card that brings points, the fewest and the most; `drawing`: how many cards
    those draw that draw in the midst of a day; `draws`: how many such cards there are.
    """

    cards: tuple[CardPoints, ...]
    drawing: int
    draws: int

    @classmethod
    def of(cls, cards: Iterable[Card]) -> DeckPoints:
        """Those of these kinds of cards."""
        each = [(one.effect, one.amount) for one in cards for _copy in range(one.count)]
        drawing = [amount for effect, amount in each if effect is Effect.DRAW]
        exact = [(amount, amount) for effect, amount in each if effect is Effect.POINTS]
        up_to = [(0, amount) for effect, amount in each if effect is Effect.BRAVE]
        return cls(cards=(*exact, *up_to), drawing=sum(drawing), draws=len(drawing))

    @property
    def times_a_day(self) -> int | None:
        """How often a card can come in a day; None where several cards draw others in its midst."""
        return 1 + self.draws if self.draws <= 1 else None

    def of_one_day(self, steps: int) -> frozenset[int]:
        """What one player can have of these cards in a day: one a step (Ruling E-4)."""
        cards = self.cards * (self.times_a_day or MAX_CARDS_TRIED + 1)
        if len(cards) > MAX_CARDS_TRIED:
            best = max((most for _least, most in cards), default=0)
            return frozenset(range(steps * best + 1))
        return frozenset(
            points
            for count in range(min(steps, len(cards)) + 1)
            for chosen in combinations(cards, count)
            for points in range(sum(low for low, _ in chosen), sum(top for _, top in chosen) + 1)
        )

    def can_bring(self, wanted: Iterable[int], steps: int, copies: int = 1) -> bool:
        """Whether the deck, gone through so often, brings all of these.

        Each is what one player has of cards in one day.
        """
        cards = self.cards * copies
        wants = sorted((want for want in wanted if want > 0), reverse=True)
        if sum(wants) > sum(most for _least, most in cards):
            return False
        return len(cards) > MAX_CARDS_TRIED or _is_shareable(tuple(wants), cards, steps)

    def against(self, gains: Sequence[Sequence[int]], steps: int, once: int) -> int | None:
        """The day, from 0, from which these points by day and seat cannot be; None if they can.

        Within the first `once` days each card comes once. Later it comes once a day, or twice where
        one card draws others in its midst; past that nothing is said.
        """
        if not self.can_bring([points for day in gains[:once] for points in day], steps):
            return 0
        copies = self.times_a_day
        if copies is None:
            return None
        later = range(once, len(gains))
        return next((n for n in later if not self.can_bring(gains[n], steps, copies)), None)


@lru_cache(maxsize=4096)
def _is_shareable(wants: tuple[int, ...], cards: tuple[CardPoints, ...], steps: int) -> bool:
    """Whether each gets so many points from cards of its own, `steps` cards at the most."""
    if not wants:
        return True
    for count in range(1, min(steps, len(cards)) + 1):
        for places in combinations(range(len(cards)), count):
            chosen = [cards[place] for place in places]
            if sum(low for low, _ in chosen) <= wants[0] <= sum(top for _, top in chosen):
                left = tuple(card for place, card in enumerate(cards) if place not in places)
                if _is_shareable(wants[1:], left, steps):
                    return True
    return False


RUNNER, CARD, BULL, FIRST, DIE, POINTS = "runner", "card", "bull", "first", "die", "points"
"""Effects of destinations, as the data name them."""
BRINGING_POINTS: Final = frozenset({"points", "brave"})
"""Effects of action cards that bring points."""
DESTINATIONS_LAID: Final = 5
"""Destinations laid out each morning (Ruling E-3)."""
HAND_SIZE: Final = 5
FIRST_BULLS: Final = 6
MAX_BULLS: Final = 10
"""What the box holds (Ruling E-1)."""
FACES: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class DestinationKind:
    """One kind of destination."""

    destination: Destination

    @property
    def count(self) -> int:
        """How many cards of it there are."""
        return self.destination.count

    @property
    def points(self) -> int:
        """What each runner there is worth."""
        return self.destination.points

    @property
    def amount(self) -> int:
        """How much of its effect."""
        return self.destination.amount

    def has(self, effect: str) -> bool:
        """Whether this is what it brings the day after."""
        return self.destination.effect == effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Morning:
    """What one player begins a day with, by what was reached the day before (Ruling E-7).

    `runners`, `cards`: how many, in all. `points` are credited at once, `dice` rolled for more.
    `bulls` come in besides the six. `first`: takes the first-player token.
    """

    runners: int
    cards: int = HAND_SIZE
    points: int = 0
    dice: int = 0
    bulls: int = 0
    first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRules:
    """The rules as far as a sheet can break them.

    `kinds` by key, in the order of the file; `card_points`: the most that one card brings.
    """

    days: int
    players: int
    runners: int
    steps: int
    kinds: Mapping[str, DestinationKind]
    card_points: int
    deck: DeckPoints

    @classmethod
    def of(cls, rules: Rules, players: int) -> SheetRules:
        """The law of these rules for so many players."""
        return cls(
            days=rules.days,
            players=players,
            runners=rules.runners(players),
            steps=rules.board.steps,
            kinds={one.key: DestinationKind(destination=one) for one in rules.destinations},
            card_points=max_card_points(rules.cards),
            deck=DeckPoints.of(rules.cards),
        )

    @property
    def days_of_one_deck(self) -> int:
        """How many days end before the deck can have been shuffled anew (Ruling E-8).

        At the most everybody draws a whole hand each evening, and each card that draws is played.
        """
        more = sum(
            max(0, kind.amount) * kind.count for kind in self.kinds.values() if kind.has(CARD)
        )
        drawn = HAND_SIZE * self.players + self.deck.drawing
        days = 0
        while days < self.days and drawn <= DECK_SIZE:
            days += 1
            drawn += (HAND_SIZE + more) * self.players
        return days

    @property
    def most_by_cards(self) -> int:
        """The most points that cards can bring a player in a day: one card a step (E-4)."""
        return self.steps * self.card_points

    def morning(self, reached: Iterable[DestinationKind] = ()) -> Morning:
        """How a player begins the day after having reached these destination cards."""
        found = list(reached)
        return Morning(
            # Nobody is left without a runner, or with less than no card (Rulings E-1, E-8).
            runners=max(1, self.runners + _sum_amounts(found, RUNNER)),
            cards=max(0, HAND_SIZE + _sum_amounts(found, CARD)),
            points=_sum_amounts(found, POINTS),
            dice=sum(kind.has(DIE) for kind in found),
            bulls=_sum_amounts(found, BULL),
            first=any(kind.has(FIRST) for kind in found),
        )

    def bounds(self, day: int) -> tuple[int, int]:
        """The fewest and the most points that a player can have of a day, counted from 0.

        Never too narrow: as if the best that there is had been reached the day before.
        """
        worths = [kind.points for kind in self.kinds.values()]
        worst, best = min(0, *worths), max(0, *worths)
        if not day:
            return self.runners * worst, self.runners * best + self.most_by_cards
        low, high, more = 0, self.most_by_cards, 0
        for kind in self.kinds.values():
            if kind.has(RUNNER):
                more += max(0, kind.amount) * kind.count
            elif kind.has(POINTS):
                high += max(0, kind.amount) * kind.count
                low += min(0, kind.amount) * kind.count
            elif kind.has(DIE):
                high += FACES * kind.count
                low -= kind.count
        return low + (self.runners + more) * worst, high + (self.runners + more) * best

    def bulls(self, mornings: Iterable[Morning]) -> int:
        """How many bulls run that day: six and what effects add, as far as there are dice."""
        more = sum(morning.bulls for morning in mornings)
        return max(1, min(MAX_BULLS, FIRST_BULLS + more))


def _sum_amounts(reached: Iterable[DestinationKind], effect: str) -> int:
    return sum(kind.amount for kind in reached if kind.has(effect))


def die_points(face: int) -> int:
    """What the die of a destination brings: an even face so many points, an odd one costs one."""
    return -1 if face % 2 else face


def max_card_points(cards: Iterable[Card]) -> int:
    """The most points that playing one action card brings."""
    return max((one.amount for one in cards if str(one.effect) in BRINGING_POINTS), default=0)
