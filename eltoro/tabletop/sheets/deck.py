"""Checks which points the cards of one deck can bring all players together (E-4 and E-8).

A card that was played can be drawn again only after the discarded cards have been shuffled. So
between two shuffles each card is played at most once. `ShufflePlan` describes when the deck can
have been shuffled. This follows from the number of cards that can have been drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, combinations, product
from typing import Final, NamedTuple

from eltoro.engine import DECK_SIZE, Card, Effect

# Maximum number of combinations of cards that are tried for one scoresheet. They take about half a
# second. The supplied deck needs at most a tenth of them. If a scoresheet needs more combinations,
# the check stops and the scoresheet is accepted.
MAX_CHOICES: Final = 200_000
# If there are more possible totals of one player in a day, all totals up to the maximum count as
# possible.
MAX_SUMS: Final = 2_000


class PointCards(NamedTuple):
    """A kind of cards that bring points.

    `least`, `most`: the points that one card can bring. `copies`: number of such cards.
    """

    least: int
    most: int
    copies: int


class PointsExplanation(NamedTuple):
    """A possible explanation of one player's points on each day of a game.

    `gains`: points from cards by day. `hands`: number of cards in hand after each evening's deal,
    empty if not known.
    """

    gains: tuple[int, ...]
    hands: tuple[int, ...] = ()


class HandSizes(NamedTuple):
    """Bounds of the number of cards in each hand after the deal, by evening and seat."""

    least: tuple[tuple[int, ...], ...]
    most: tuple[tuple[int, ...], ...]

    @classmethod
    def exactly(cls, by_evening: Iterable[Iterable[int]]) -> HandSizes:
        sizes = tuple(map(tuple, by_evening))
        return cls(sizes, sizes)


# For each day, the numbers of the passes through the deck from which cards can be played. A day has
# two passes if the deck was shuffled during the day. If the deck can have been shuffled any number
# of times, the day has no pass, and cards are not limited.
ShufflePlan = tuple[tuple[int, ...], ...]

# The times at which the deck was shuffled: 2 * day for a shuffle during a day, and 2 * day + 1 for
# a shuffle in the evening after it.
Shuffles = frozenset[int]


class SearchLimit(Exception):
    """Error: the search for cards has used up its budget."""


class Budget:
    """Number of combinations of cards that may still be tried."""

    def __init__(self, choices: int = MAX_CHOICES) -> None:
        self.left = choices

    def use_combination(self) -> None:
        """Use one combination. Raises `SearchLimit` if none is left."""
        self.left -= 1
        if self.left < 0:
            raise SearchLimit


@dataclass(frozen=True, slots=True)
class DeckPoints:
    """The cards of a deck that bring points, and those with which their player draws cards.

    `kinds`: kinds of cards that bring points. `drawing`: for each card that draws cards, their
    number.
    """

    kinds: tuple[PointCards, ...]
    drawing: tuple[int, ...]

    @classmethod
    def of(cls, cards: Iterable[Card], runners: int) -> DeckPoints:
        """Return the cards of a deck that matter for points.

        `runners`: the largest number of runners that a player can have.
        """
        counts: Counter[tuple[int, int]] = Counter()
        drawing: list[int] = []
        for card in cards:
            if card.effect is Effect.DRAW:
                drawing += [card.amount] * card.count
            elif card.effect is Effect.POINTS:
                counts[card.amount, card.amount] += card.count
            elif card.effect is Effect.BRAVE:
                # This card brings a point for each own runner that shares a space with a bull.
                counts[0, min(card.amount, runners)] += card.count
        kinds = (PointCards(*points, count) for points, count in counts.items())
        return cls(kinds=tuple(kinds), drawing=tuple(drawing))

    def gains_of_one_day(self, steps: int) -> Collection[int]:
        """Return all numbers of points that cards can bring a player in one day."""
        sums: list[set[int]] = [{0}, *(set[int]() for _step in range(steps))]
        for kind in self.kinds:
            for _card in range(min(kind.copies * self._times_a_day(steps), steps)):
                for played in range(steps, 0, -1):
                    each = range(kind.least, kind.most + 1)
                    sums[played] |= {total + one for total in sums[played - 1] for one in each}
                    if len(sums[played]) > MAX_SUMS:
                        return range(steps * max(kind.most for kind in self.kinds) + 1)
        return set[int]().union(*sums)

    def _times_a_day(self, steps: int) -> int:
        """Return how often the same card can be played in a day.

        There is no limit except `steps` if several cards of the deck draw cards.
        """
        return 1 + len(self.drawing) if len(self.drawing) <= 1 else steps


def choices(
    kinds: Sequence[PointCards], left: Sequence[int], gain: int, steps: int, budget: Budget
) -> Iterator[tuple[int, ...]]:
    """Yield combinations of cards that can bring these points, without needless cards.

    A combination is the number of cards of each kind, at most `steps` in total. `left`: how many
    cards of each kind are available.
    """
    # The most points that a single card of the remaining kinds can bring. If even these points are
    # not enough, the search stops early.
    best = [*accumulate((kind.most for kind in reversed(kinds)), max)][::-1]

    def choose(at: int, low: int, high: int, room: int) -> Iterator[tuple[int, ...]]:
        budget.use_combination()
        if low <= gain <= high:
            yield (0,) * (len(kinds) - at)
            return
        if at == len(kinds) or low > gain or high + room * best[at] < gain:
            return
        kind = kinds[at]
        for count in range(min(left[at], room) + 1):
            lower, higher = low + count * kind.least, high + count * kind.most
            for rest in choose(at + 1, lower, higher, room - count):
                yield (count, *rest)
            if lower > gain or lower <= gain <= higher:
                return

    yield from choose(0, 0, 0, steps)


@dataclass(frozen=True, slots=True)
class TableDeck:
    """The number of players of a game, and all that determines how many cards they draw from the
    deck.

    `steps`: number of cards that each player plays in a day. `hand`: size of the first hand.
    `sizes`: sizes of later hands.
    """

    deck: DeckPoints
    players: int
    steps: int
    hand: int
    sizes: HandSizes

    def shuffles(self, days: int) -> frozenset[Shuffles]:
        """Return the possible sets of times at which the deck was shuffled in these days.

        Sets that are part of another set are left out, because fewer shuffles never allow more
        points.
        """
        return _shuffles(self, days)

    def with_hands(self, hands: Iterable[Iterable[int]]) -> TableDeck:
        """Return a copy of this object with known sizes of hands, by evening and seat."""
        return replace(self, sizes=HandSizes.exactly(hands))

    def largest_hands(self) -> tuple[tuple[int, ...], ...]:
        """Return the largest possible number of cards in each hand, by morning and seat.

        Players keep their cards if they have more than the deal would give them.
        """
        mornings = [(self.hand,) * self.players]
        for sizes in self.sizes.most:
            drawn = sum(self.deck.drawing)
            mornings.append(
                tuple(
                    max(size, max(0, before - self.steps) + drawn)
                    for size, before in zip(sizes, mornings[-1], strict=True)
                )
            )
        return tuple(mornings)

    def least_drawn(self, evening: int, drawn: int) -> int:
        """Return the smallest number of cards drawn in an evening, if nobody discards cards.

        `drawn`: number of cards that were drawn during the day.
        """
        before = self.largest_hands()[evening]
        missing = (
            max(0, size - max(0, cards - self.steps))
            for size, cards in zip(self.sizes.least[evening], before, strict=True)
        )
        return max(0, sum(missing) - drawn)


@lru_cache(maxsize=1024)
def _shuffles(table: TableDeck, days: int) -> frozenset[Shuffles]:
    found = {course.shuffles for course in _courses(table, days)}
    return frozenset(one for one in found if not any(one < other for other in found))


class _Course(NamedTuple):
    """A possible state of the deck of cards at some time in a game.

    `fewest`, `most`: bounds of the number of cards in the deck. `shuffles`: the shuffles so far.
    `drawable`: number of cards that effects of cards can still draw before the next shuffle.
    `drawn`: number of cards drawn during the last day.
    """

    fewest: int
    most: int
    drawable: int
    shuffles: Shuffles = frozenset()
    drawn: int = 0


def _courses(table: TableDeck, days: int) -> list[_Course]:
    deck = DECK_SIZE - table.players * table.hand
    courses = [_Course(deck, deck, sum(table.deck.drawing))]
    for number in range(days):
        courses = [after for course in courses for after in _day(table, number, course)]
        if number < days - 1:
            courses = [after for course in courses for after in _evening(table, number, course)]
    return courses


def _day(table: TableDeck, number: int, course: _Course) -> Iterator[_Course]:
    """Yield the possible states of the deck after a day.

    There are up to three cases: no card that draws cards was played, such cards were played, or
    they emptied the deck so that it was shuffled.
    """
    drawing = table.deck.drawing
    fewest, most, drawable, shuffles, _drawn = course
    yield course._replace(drawn=0)
    if not drawable:
        return
    if len(drawing) > 1:  # perhaps only some of these cards were played
        yield _Course(max(0, fewest - drawable), most, drawable, shuffles, drawable)
    elif most >= drawable:
        yield _Course(max(0, fewest - drawable), most - drawable, 0, shuffles, drawable)
    if drawable <= fewest:
        return
    everything, shuffled = sum(drawing), shuffles | {2 * number}
    if len(drawing) > 1:
        yield _Course(0, DECK_SIZE, everything, shuffled, DECK_SIZE)
    else:
        # After the shuffle, the deck has all cards except the card being played and the cards in
        # hands.
        rest = DECK_SIZE - 1 - sum(table.largest_hands()[number]) - everything
        yield _Course(max(0, rest), DECK_SIZE - 1, 0, shuffled, drawable)


def _evening(table: TableDeck, number: int, course: _Course) -> Iterator[_Course]:
    """Yield the possible states of the deck after an evening with a shuffle and without a
    shuffle.
    """
    fewest, most, drawable, shuffles, drawn = course
    least_drawn, most_drawn = table.least_drawn(number, drawn), sum(table.sizes.most[number])
    if most_drawn > fewest:
        yield _Course(
            max(0, DECK_SIZE - sum(table.largest_hands()[number + 1])),
            max(0, DECK_SIZE - sum(table.sizes.least[number])),
            sum(table.deck.drawing),
            shuffles | {2 * number + 1},
        )
    if least_drawn <= most:
        yield _Course(max(0, fewest - most_drawn), most - least_drawn, drawable, shuffles)


def plan_of(shuffles: Shuffles, days: int, *, again_and_again: bool) -> ShufflePlan:
    """Return the plan for these shuffles: the passes through the deck on each day."""
    plan, number = [], 0
    for day in range(days):
        passes = [number]
        if 2 * day in shuffles:
            number += 1
            passes.append(number)
        plan.append(() if again_and_again and len(passes) > 1 else tuple(passes))
        number += 2 * day + 1 in shuffles
    return tuple(plan)


def can_bring(
    table: TableDeck, ways: Sequence[Collection[PointsExplanation]], *, shuffled: bool = True
) -> bool:
    """Return False if it is impossible that the cards of one deck brought all players these points.

    `ways`: by seat, all explanations of the seat's points. The points are possible if one
    explanation of each seat can be true together. `shuffled`: False if the deck was never shuffled
    again. Returns True if the search reaches its limit.
    """
    days = len(next(iter(ways[0])).gains)
    found: Iterable[Shuffles] = table.shuffles(days) if shuffled else [frozenset()]
    with_hands = any(way.hands for way in ways[0])
    if with_hands:
        # If the sizes of hands are known, some of these shuffles can be possible although all of
        # them together are not.
        found = {
            frozenset(part)
            for whole in found
            for size in range(len(whole) + 1)
            for part in combinations(sorted(whole), size)
        }
    # A search that ignores the sizes of hands is faster, and often already shows that there are not
    # enough cards.
    bare = [cheapest({PointsExplanation(way.gains) for way in own}) for own in ways]
    budget = Budget()
    try:
        return any(
            _Search(table, bare, shuffles, days, budget).run()
            and (not with_hands or _Search(table, ways, shuffles, days, budget).run())
            for shuffles in sorted(found, key=lambda found: (len(found), sorted(found)))
        )
    except SearchLimit:
        return True


def cheapest(ways: set[PointsExplanation]) -> set[PointsExplanation]:
    """Remove every explanation that needs cards on more days than another explanation of the same
    points.
    """
    return {way for way in ways if not any(way._replace(gains=less) in ways for less in _less(way))}


def _less(way: PointsExplanation) -> Iterator[tuple[int, ...]]:
    """Yield variants of an explanation of a player's points in which the points from cards on some
    days are replaced by 0.
    """
    each = [(gain, 0) if gain else (0,) for gain in way.gains]
    return (gains for gains in product(*each) if gains != way.gains)


class _Search:
    """Search for cards that explain the points of all players, player by player.

    The times of the shuffles are given.
    """

    def __init__(
        self,
        table: TableDeck,
        ways: Sequence[Collection[PointsExplanation]],
        shuffles: Shuffles,
        days: int,
        budget: Budget,
    ) -> None:
        self.table = table
        self.kinds = table.deck.kinds
        self.days = days
        self.shuffles = shuffles
        self.plan = plan_of(shuffles, days, again_and_again=len(table.deck.drawing) > 1)
        self.ways = [sorted(own, key=_order_of) for own in ways]
        self.budget = budget
        self.seen: set[object] = set()

    def run(self) -> bool:
        passes = 1 + max((number for day in self.plan for number in day), default=0)
        counts = tuple(kind.copies for kind in self.kinds)
        return self._find_cards(0, (counts,) * passes, frozenset(), ())

    def _find_cards(
        self,
        seat: int,
        left: tuple[tuple[int, ...], ...],
        drew: frozenset[int],
        dealt: tuple[tuple[int, ...], ...],
    ) -> bool:
        """Return True if the remaining cards can explain the points of this seat and of all
        following seats.

        `left`: number of remaining cards by pass through the deck and kind. `drew`: days on which a
        player already has the cards from a shuffle during the day. `dealt`: hands of the seats
        before, by evening.
        """
        if seat == len(self.ways):
            return self._can_be_shuffled(dealt)
        key = (seat, left, drew, dealt)
        if key in self.seen:
            return False
        self.seen.add(key)
        for way in self.ways[seat]:
            # The order of the seats does not matter, so hands are sorted.
            hands = tuple(sorted((*dealt, way.hands))) if way.hands else dealt
            for after, drawn in self._hands_after(0, way.gains, left, drew):
                if self._find_cards(seat + 1, after, drawn, hands):
                    return True
        return False

    def _can_be_shuffled(self, dealt: tuple[tuple[int, ...], ...]) -> bool:
        if not dealt or not self.shuffles:
            return True
        table = self.table.with_hands(zip(*dealt, strict=True))
        return any(self.shuffles <= found for found in table.shuffles(self.days))

    def _hands_after(
        self,
        day: int,
        gains: tuple[int, ...],
        left: tuple[tuple[int, ...], ...],
        drew: frozenset[int],
    ) -> Iterator[tuple[tuple[tuple[int, ...], ...], frozenset[int]]]:
        """Yield the cards that remain after a player has played cards for these points, from the
        day `day` to the end.
        """
        self.budget.use_combination()
        if day == len(gains):
            yield left, drew
            return
        passes = self.plan[day]
        if not gains[day] or not passes:
            yield from self._hands_after(day + 1, gains, left, drew)
            return
        for taken, shuffled in self._cards(day, gains[day], left, drew):
            yield from self._hands_after(day + 1, gains, taken, drew | {day} if shuffled else drew)

    def _cards(
        self, day: int, gain: int, left: tuple[tuple[int, ...], ...], drew: frozenset[int]
    ) -> Iterator[tuple[tuple[tuple[int, ...], ...], bool]]:
        """Yield the remaining cards after these points of a day.

        The boolean is True if the player used cards that were shuffled into the deck during the
        day.
        """
        first, *again = self.plan[day]
        for cards in choices(self.kinds, left[first], gain, self.table.steps, self.budget):
            yield _without_cards(left, first, cards), False
        if not again or day in drew:
            return
        # After a shuffle during the day, only the player of the drawing card draws cards, and that
        # card used up one of the player's steps.
        (second,) = again
        kinds, counts = (*self.kinds, *self.kinds), (*left[first], *left[second])
        for both in choices(kinds, counts, gain, self.table.steps - 1, self.budget):
            cards, more = both[: len(self.kinds)], both[len(self.kinds) :]
            if 0 < sum(more) <= self.table.deck.drawing[0]:
                yield _without_cards(_without_cards(left, first, cards), second, more), True


def _order_of(way: PointsExplanation) -> tuple[int, int, PointsExplanation]:
    """Return a sort key for explanations of points.

    Explanations with few points from cards and with large hands come first.
    """
    return sum(way.gains), -sum(way.hands), way


def _without_cards(
    left: tuple[tuple[int, ...], ...], number: int, cards: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    rest = tuple(count - card for count, card in zip(left[number], cards, strict=True))
    return (*left[:number], rest, *left[number + 1 :])
