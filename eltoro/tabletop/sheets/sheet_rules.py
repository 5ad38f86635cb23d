"""The rules that a sheet is checked against: days, runners, destinations and their effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from eltoro.engine import DECK_SIZE, Card, Destination, Effect, Rules

# Maximum number of point cards for which every combination is tried. Beyond that only the sum.
MAX_CARDS_TRIED: Final = 8

# The fewest and the most points of a card.
CardPoints = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckPoints:
    """The points that the cards of one deck can bring.

    `cards`: the fewest and the most points of each card with points. `drawing`: cards drawn
    by those that draw during a day. `draws`: the number of such cards.
    """

    cards: tuple[CardPoints, ...]
    drawing: int
    draws: int

    @classmethod
    def of(cls, cards: Iterable[Card]) -> DeckPoints:
        each = [(card.effect, card.amount) for card in cards for _copy in range(card.count)]
        drawing = [amount for effect, amount in each if effect is Effect.DRAW]
        exact = [(amount, amount) for effect, amount in each if effect is Effect.POINTS]
        up_to = [(0, amount) for effect, amount in each if effect is Effect.BRAVE]
        return cls(cards=(*exact, *up_to), drawing=sum(drawing), draws=len(drawing))

    @property
    def times_a_day(self) -> int | None:
        """Return how often a card can come in a day, or None if several cards draw others."""
        return 1 + self.draws if self.draws <= 1 else None

    def of_one_day(self, steps: int) -> frozenset[int]:
        """Return the possible points of one player in a day, with one card per step (Ruling
        E-4).
        """
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
        """Return True if so many passes of the deck can bring all of these.

        Each is one player's points of cards in one day.
        """
        cards = self.cards * copies
        wants = sorted((want for want in wanted if want > 0), reverse=True)
        if sum(wants) > sum(most for _least, most in cards):
            return False
        return len(cards) > MAX_CARDS_TRIED or _is_shareable(tuple(wants), cards, steps)

    def against(self, gains: Sequence[Sequence[int]], steps: int, once: int) -> int | None:
        """Return the day (from 0) from which the points (by day and seat) are impossible, or None.

        Within the first `once` days each card comes once. Later it comes once a day, or twice
        if one card draws others. Beyond that there is no objection.
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
    """Return True if the cards can be distributed so that each gets such points."""
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


# Effects of destinations in the data.
RUNNER, CARD, BULL, FIRST, DIE, POINTS = "runner", "card", "bull", "first", "die", "points"
# Effects of action cards that bring points.
BRINGING_POINTS: Final = frozenset({"points", "brave"})
# Destinations laid out each morning (Ruling E-3).
DESTINATIONS_LAID: Final = 5
HAND_SIZE: Final = 5
FIRST_BULLS: Final = 6
# Bulls in the box (Ruling E-1).
MAX_BULLS: Final = 10
FACES: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class DestinationKind:
    destination: Destination

    @property
    def count(self) -> int:
        return self.destination.count

    @property
    def points(self) -> int:
        return self.destination.points

    @property
    def amount(self) -> int:
        return self.destination.amount

    def has(self, effect: str) -> bool:
        return self.destination.effect == effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Morning:
    """A player's start of a day, after the destinations of the day before (Ruling E-7).

    `runners`, `cards`: total numbers. `points` are added at once, `dice` rolled for more.
    `bulls` are added to the six. `first`: takes the first-player token.
    """

    runners: int
    cards: int = HAND_SIZE
    points: int = 0
    dice: int = 0
    bulls: int = 0
    first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRules:
    """The rules against which a sheet is checked.

    `kinds` by key, in the order of the file. `card_points`: the most that one card brings.
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
        return cls(
            days=rules.days,
            players=players,
            runners=rules.runners(players),
            steps=rules.board.steps,
            kinds={
                destination.key: DestinationKind(destination=destination)
                for destination in rules.destinations
            },
            card_points=max_card_points(rules.cards),
            deck=DeckPoints.of(rules.cards),
        )

    @property
    def days_of_one_deck(self) -> int:
        """Return how many days end before the deck can have been shuffled again (Ruling E-8).

        Assumes that everybody draws a whole hand each evening and each drawing card is
        played.
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
        """Return the most points of a player's cards in a day: one card per step (Ruling E-4)."""
        return self.steps * self.card_points

    def morning(self, reached: Iterable[DestinationKind] = ()) -> Morning:
        destinations = list(reached)
        return Morning(
            # Nobody is left without a runner, or with less than no card (Rulings E-1, E-8).
            runners=max(1, self.runners + _sum_amounts(destinations, RUNNER)),
            cards=max(0, HAND_SIZE + _sum_amounts(destinations, CARD)),
            points=_sum_amounts(destinations, POINTS),
            dice=sum(kind.has(DIE) for kind in destinations),
            bulls=_sum_amounts(destinations, BULL),
            first=any(kind.has(FIRST) for kind in destinations),
        )

    def bounds(self, day: int) -> tuple[int, int]:
        """Return the fewest and the most points of a player on a day (from 0).

        Never too narrow: assumes the best destinations on the day before.
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
        """Return the number of bulls: six and those of effects, limited by the box."""
        more = sum(morning.bulls for morning in mornings)
        return max(1, min(MAX_BULLS, FIRST_BULLS + more))


def _sum_amounts(reached: Iterable[DestinationKind], effect: str) -> int:
    return sum(kind.amount for kind in reached if kind.has(effect))


def die_points(face: int) -> int:
    """Return the points of a destination's die: even faces count, odd ones cost one."""
    return -1 if face % 2 else face


def max_card_points(cards: Iterable[Card]) -> int:
    return max((card.amount for card in cards if str(card.effect) in BRINGING_POINTS), default=0)
