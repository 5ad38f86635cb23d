"""The rules against which a scoresheet is checked: days, runners, destinations and effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from eltoro.engine import Card, Destination, Rules
from eltoro.tabletop.sheets.deck import DeckPoints, HandSizes, TableDeck

# Effects of destinations, as named in the data files.
RUNNER, CARD, BULL, FIRST, DIE, POINTS = "runner", "card", "bull", "first", "die", "points"
# Effects of action cards that bring points.
BRINGING_POINTS: Final = frozenset({"points", "brave"})
# Number of destinations laid out each morning (Ruling E-3).
DESTINATIONS_LAID: Final = 5
HAND_SIZE: Final = 5
FIRST_BULLS: Final = 6
# Number of bulls that the game has (Ruling E-1).
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
    """The start of a player's day, after the effects of yesterday's destinations (Ruling E-7).

    `runners`, `cards`: total numbers. `points`: points added at once. `dice`: number of dice to
    roll for points. `bulls`: number of bulls added to the six. `first`: True if the player takes
    the first-player token.
    """

    runners: int
    cards: int = HAND_SIZE
    points: int = 0
    dice: int = 0
    bulls: int = 0
    first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRules:
    """The rules against which a scoresheet is checked.

    `kinds`: destinations by key, in the order of the file. `card_points`: the most points that one
    action card brings.
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
            deck=DeckPoints.of(rules.cards, _most_runners(rules, players)),
        )

    def table(self) -> TableDeck:
        """Return the number of players and the deck, with all sizes of hands that effects of
        destinations allow.
        """
        evenings = range(self.days - 1)
        least, most = (
            tuple((size,) * self.players for _evening in evenings) for size in self.hand_sizes
        )
        return TableDeck(self.deck, self.players, self.steps, HAND_SIZE, HandSizes(least, most))

    @property
    def hand_sizes(self) -> tuple[int, int]:
        """The smallest and the largest number of cards to which a hand may be filled, with the
        effects of destinations.
        """
        more = [kind.amount * kind.count for kind in self.kinds.values() if kind.has(CARD)]
        fewest = HAND_SIZE + sum(amount for amount in more if amount < 0)
        return max(0, fewest), HAND_SIZE + sum(amount for amount in more if amount > 0)

    def hands_matter(self) -> bool:
        """Return True if the number of cards in hands influences when the deck can have been
        shuffled.
        """
        return _hands_matter(self.table(), self.hand_sizes, self.days)

    @property
    def most_by_cards(self) -> int:
        """The most points that cards can bring a player in a day: one card per step
        (Ruling E-4).
        """
        return self.steps * self.card_points

    def morning(self, reached: Iterable[DestinationKind] = ()) -> Morning:
        destinations = list(reached)
        return Morning(
            # A player has at least one runner and at least zero cards (Rulings E-1 and E-8).
            runners=max(1, self.runners + _sum_amounts(destinations, RUNNER)),
            cards=max(0, HAND_SIZE + _sum_amounts(destinations, CARD)),
            points=_sum_amounts(destinations, POINTS),
            dice=sum(kind.has(DIE) for kind in destinations),
            bulls=_sum_amounts(destinations, BULL),
            first=any(kind.has(FIRST) for kind in destinations),
        )

    def bounds(self, day: int) -> tuple[int, int]:
        """Return the fewest and the most points that a player can get on a day (from 0).

        The bounds include every possible result, because they assume that the player reached the
        best destinations on the day before.
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
        """Return the number of bulls: six plus those added by effects, at most ten."""
        more = sum(morning.bulls for morning in mornings)
        return max(1, min(MAX_BULLS, FIRST_BULLS + more))


@lru_cache(maxsize=64)
def _hands_matter(table: TableDeck, sizes: tuple[int, int], days: int) -> bool:
    hands = product(sizes, repeat=days - 1)
    tables = (table.with_hands((size,) * table.players for size in some) for some in hands)
    return any(other.shuffles(days) != table.shuffles(days) for other in tables)


def _most_runners(rules: Rules, players: int) -> int:
    more = [
        max(0, kind.amount) * kind.count for kind in rules.destinations if kind.effect == RUNNER
    ]
    return rules.runners(players) + sum(more)


def _sum_amounts(reached: Iterable[DestinationKind], effect: str) -> int:
    return sum(kind.amount for kind in reached if kind.has(effect))


def die_points(face: int) -> int:
    """Return the points of a die rolled for a destination: even faces count, odd faces cost one."""
    return -1 if face % 2 else face


def max_card_points(cards: Iterable[Card]) -> int:
    return max((card.amount for card in cards if str(card.effect) in BRINGING_POINTS), default=0)
