"""Proofs that an evening (a game over several days) cannot have brought certain points.

The proofs follow Rulings E-1, E-4, E-7, E-8 and E-9. Functions return the reason as text, or `None`
if nothing was proved. `None` does not mean that the points are possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import product
from typing import Any, NamedTuple

from tests.eltoro.oracle.morning import DESTINATIONS_LAID, RUNNERS_EACH
from tests.eltoro.oracle.papers import (
    Line,
    amount,
    pack_of_cards,
    read_board,
    read_cards,
    read_destinations,
)
from tests.eltoro.oracle.sheets import (
    WORTH,
    are_numbers,
    days_on,
    is_right,
    kind_of,
    reached_by,
    whole_day,
)
from tests.eltoro.oracle.shelf import Setting

HAND = 5
# Maximum number of cards with points for which every possible distribution to the players is tried.
FEW_CARDS = 8
# Maximum number of ways in which points can have come about. If there are more ways, nothing is
# proved.
FEW_WAYS = 500

# Points from cards by seat and day.
Gains = tuple[tuple[int, ...], ...]


class Arrival(NamedTuple):
    """Points of a player's runners on a day, and their effects on the next day."""

    points: int
    runners: int
    dice: int
    bonus: int


class Limits:
    """The cards, destinations and players of an evening, and the points that they allow."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.players, self.days = setting.players, setting.days
        self.cards = read_cards(setting.cards)
        self.kinds = read_destinations(setting.destinations)
        self.steps = read_board(setting.board)["steps"]

    # The following functions limit the points from cards.

    @cached_property
    def bringing(self) -> list[tuple[bool, int]]:
        """Every card with points: whether it may bring fewer, and the most that it brings."""
        return [
            (line["effect"] == "brave", amount(line))
            for line in self.cards.values()
            if line["effect"] in ("points", "brave")
            for _ in range(int(line["count"]))
        ]

    @cached_property
    def drawing(self) -> list[int]:
        """How many cards are drawn by each card that draws during a day."""
        lines = [line for line in self.cards.values() if line["effect"] == "draw"]
        return [amount(line) for line in lines for _ in range(int(line["count"]))]

    @cached_property
    def days_of_one_deck(self) -> int:
        """Number of days on which no card can come twice, because the deck lasts (Ruling E-8)."""
        more = sum(
            max(0, int(line["amount"] or 1)) * int(line["count"])
            for line in self.kinds
            if line["effect"] == "card"
        )
        needed = HAND * self.players + sum(self.drawing)
        days = 0
        while needed <= len(pack_of_cards(self.cards)) and days < self.days:
            days += 1
            needed += (HAND + more) * self.players
        return days

    def gains_are_impossible(self, gains: Gains) -> str | None:
        """Try to prove that these points cannot come from cards.

        Each player plays one card a step (Ruling E-4), and there are only so many cards with
        points.
        """
        for seat in gains:
            for gained in seat:
                if not 0 <= gained <= self.most_by_seat:
                    return "E-4 more points of cards than a card a step"
        once = self.days_of_one_deck
        if not self.can_be_played([seat[:once] for seat in gains], self.bringing):
            return "E-8 more points of cards than one deck has"
        for day in range(once, self.days):
            again = self.bringing * (1 + len(self.drawing))
            if len(self.drawing) <= 1 and not self.can_be_played(
                [seat[day : day + 1] for seat in gains], again
            ):
                return "E-8 more points of cards than can come in a day"
        return None

    @cached_property
    def most_by_seat(self) -> int:
        """The most points that a player can gain from cards in a day, with one card a step."""
        best = max([0, *(points for _, points in self.bringing)])
        return self.steps * best

    def can_be_played(self, gains: Iterable[Sequence[int]], cards: list[tuple[bool, int]]) -> bool:
        """Return whether these cards, each played once, can have brought these points."""
        wanted = sorted((points for seat in gains for points in seat if points), reverse=True)
        if sum(wanted) > sum(points for _, points in cards):
            return False
        return len(cards) > FEW_CARDS or shared_out(tuple(wanted), tuple(sorted(cards)), self.steps)

    # The following functions limit the points from runners.

    def runners(self, more: int) -> int:
        """Return how many runners a player has, with this change by effects (Ruling E-1)."""
        return max(1, RUNNERS_EACH[self.players] + more)

    def ways_to_gain(self, points: Sequence[int]) -> set[tuple[int, ...]]:
        """Return the points from cards, day by day, with which the points of a player are possible.

        If no points from cards are needed, only this way is returned, because it is possible
        whatever cards the others played.
        """
        return self.paths(points, [0]) or self.paths(points, range(self.most_by_seat + 1))

    def paths(self, points: Sequence[int], usable: Sequence[int]) -> set[tuple[int, ...]]:
        """Return every way to explain the points with usable points from cards, day by day."""
        states: dict[tuple[int, int, int], set[tuple[int, ...]]] = {(0, 0, 0): {()}}
        for wanted in points:
            further: dict[tuple[int, int, int], set[tuple[int, ...]]] = {}
            for (more, dice, bonus), ways in states.items():
                before = Arrival(0, more, dice, bonus)
                for brought, after in self.brought(before):
                    if wanted - brought in usable:
                        key = (after.runners, after.dice, after.bonus)
                        further.setdefault(key, set()).update(
                            (*way, wanted - brought) for way in ways
                        )
            states = further
        return {way for ways in states.values() for way in ways}

    def brought(self, before: Arrival) -> list[tuple[int, Arrival]]:
        """Return all possible points and effects of a day after the given effects."""
        return possible_points(
            self.setting.destinations,
            self.runners(before.runners),
            before.dice,
            before.bonus,
        )

    # The following functions are proofs for whole scoresheets.

    def points_are_impossible(self, sheet: Mapping[str, Any]) -> str | None:
        """Try to prove that a scoresheet with points by day and seat is impossible."""
        rows = days_on(sheet, "points", self.days)
        if not rows or not all(are_numbers(row, self.players) for row in rows):
            return "E-9 other days or players than there are"
        ways = [self.ways_to_gain(column) for column in zip(*rows, strict=True)]
        if not all(ways):
            return "E-9 points that no day brings"
        many = 1
        for own in ways:
            many *= len(own)
        if many > FEW_WAYS:
            return None
        reasons = [self.gains_are_impossible(tuple(one)) for one in product(*ways)]
        return None if None in reasons else reasons[0]

    def arrivals_are_impossible(self, sheet: Mapping[str, Any]) -> str | None:
        """Try to prove that a scoresheet with runners and gains by day is impossible."""
        rows = days_on(sheet, "arrivals", self.days)
        if not rows:
            return "E-9 other days than there are"
        reached: list[list[Line]] = [[] for _ in range(self.players)]
        gains: list[tuple[int, ...]] = []
        for row in rows:
            day = whole_day(row, self.players)
            if not is_right(day, self.kinds, self.players, reached, self.most_by_seat):
                return "E-7 arrivals, cards or dice that cannot be"
            laid = [kind_of(self.kinds, key) for key in day["destinations"]]
            reached = [reached_by(day, laid, seat) for seat in range(self.players)]
            gains.append(tuple(day["gained"]))
        return self.gains_are_impossible(tuple(zip(*gains, strict=True)))


@cache
def shared_out(wanted: tuple[int, ...], cards: tuple[tuple[bool, int], ...], steps: int) -> bool:
    """Return whether separate cards can make up each of these sums, one card a step at most."""
    if not wanted:
        return True
    first, *others = wanted
    for chosen in product((False, True), repeat=len(cards)):
        mine = [card for card, taken in zip(cards, chosen, strict=True) if taken]
        most = sum(points for _, points in mine)
        least = sum(points for fewer, points in mine if not fewer)
        if len(mine) <= steps and least <= first <= most:
            rest = tuple(card for card, taken in zip(cards, chosen, strict=True) if not taken)
            if shared_out(tuple(others), rest, steps):
                return True
    return False


@cache
def throws(dice: int) -> frozenset[int]:
    """Return all sums of points that this many dice can bring."""
    return frozenset(map(sum, product(set(WORTH.values()), repeat=dice)))


@cache
def arrivals(destinations: str, runners: int) -> frozenset[Arrival]:
    """Return every result of up to this many runners, for any destinations on the board."""
    found = {(0, 0, Arrival(0, 0, 0, 0))}
    for line in read_destinations(destinations):
        found |= {
            (spots + reached, used + there, with_runners(line, arrival, reached, there))
            for spots, used, arrival in found
            for reached in range(1, 1 + min(int(line["count"]), DESTINATIONS_LAID - spots))
            for there in range(reached, runners - used + 1)
        }
    return frozenset(arrival for *_, arrival in found)


def with_runners(line: Line, arrival: Arrival, reached: int, there: int) -> Arrival:
    """Return the result after adding runners at some destinations of one kind."""
    points = arrival.points + there * int(line["points"])
    return Arrival(
        points,
        arrival.runners + (reached * int(line["amount"]) if line["effect"] == "runner" else 0),
        arrival.dice + (reached if line["effect"] == "die" else 0),
        arrival.bonus + (reached * int(line["amount"]) if line["effect"] == "points" else 0),
    )


@cache
def possible_points(
    destinations: str, runners: int, dice: int, bonus: int
) -> list[tuple[int, Arrival]]:
    """Return all points of a day without cards, together with its effects on the next day."""
    each = {
        (arrival.points + bonus + thrown, arrival._replace(points=0))
        for arrival in arrivals(destinations, runners)
        for thrown in throws(dice)
    }
    return sorted(each)
