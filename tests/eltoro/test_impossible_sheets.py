"""Played evenings with one change that counting proves impossible must be rejected.

The proofs count with the shipped cards. Two of 52 give points, and there is one of each: the
lottery ticket gives two points, the daredevil one for each own runner beside a bull, at most three.
All other points come from runners. Each kind of change is a function that changes a scoresheet and
returns whether it applies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

from eltoro.tabletop.sheets import referee
from fairness import Chance, Seed
from tests.eltoro.oracle import evenings
from tests.eltoro.oracle.papers import read_cards, read_destinations
from tests.eltoro.oracle.shelf import CARDS, DESTINATIONS, any_setting
from tests.eltoro.oracle.strolling import stroll
from tests.eltoro.oracle.translation import engine_rules
from tests.impossible import Count, kinds
from tests.volume import SCALE

# Most points that each of the two cards with points gives.
LOTTERY, DAREDEVIL = 2, 3
# Number of cards drawn by the only card that draws.
CHURROS = 3
HAND, DECK = 5, 52
BASE = {2: 9, 3: 8}
# Number of runners of each player if four or more play (E-1).
FEW = 6
# Points of the destination with the most points.
BEST = 6
# Most points from effects of the previous day: Bank and Casino (E-7).
BANK, CASINO = 3, 6
WORTH = {line["destination"]: int(line["points"]) for line in read_destinations(DESTINATIONS)}
LINES = [
    line["destination"]
    for line in read_destinations(DESTINATIONS)
    for _ in range(int(line["count"]))
]

# Kinds of cards of which the deck contains only one.
SINGLE = {key for key, line in read_cards(CARDS).items() if line["count"] == "1"}
# Up to this number of players, the first day of every played evening is tried in all ways.
MOST_TRIED_OUT = 4
# Number of different evenings, each of which is changed many times.
EVENINGS = max(30, round(20 * SCALE))

Sheet = dict[str, Any]


class Evening:
    """A finished evening as points, arrivals and moves; a kind of change alters one of them."""

    def __init__(self, number: int) -> None:
        chance = Seed(bytes(32)).chance(f"impossible/{number}")
        self.setting = any_setting(chance)
        if number % 3 == 0:
            self.setting = self.setting._replace(players=2 + chance.below(2))
        course = self.setting.begin()
        course.only = ("morning", "score")
        stroll(course, chance)
        self.points = evenings.as_points(course)
        self.arrivals = evenings.as_arrivals(course, self.setting.seed)
        self.log = evenings.as_log(course, self.setting.seed)
        self.players, self.many_days = self.setting.players, self.setting.days
        self.runners = BASE.get(self.players, FEW)

    def accepts(self, sheet: Sheet) -> bool:
        """Return whether the referee accepts the scoresheet of a finished evening."""
        rules = engine_rules(self.setting).options()
        judged = referee.judge(rules=rules, seats=self.players, sheet=sheet)
        return judged.over and not judged.objections

    @property
    def days(self) -> list[Sheet]:
        """The days of the scoresheet with arrivals."""
        found: list[Sheet] = self.arrivals["days"]
        return found

    def reached(self, day: int, seat: int) -> list[str]:
        """Return the destinations that a seat reached on a day (counted from 0), once for each
        card.
        """
        laid, row = self.days[day]["destinations"], self.days[day]["arrived"][seat]
        return [kind for kind, many in zip(laid, row, strict=True) if many]

    def unshuffled_days(self) -> int:
        """Return for how many days from the first the deck lasts without being shuffled.

        Players are dealt five cards in the morning and at most five every evening, and more for
        bookstores (E-7, E-8). The only card that draws gives three.
        """
        drawn = HAND * self.players + CHURROS
        for day in range(self.many_days - 1):
            books = sum(self.reached(day, seat).count("bookstore") for seat in range(self.players))
            drawn += HAND * self.players + books
            if drawn > DECK:
                return day + 1
        return self.many_days


@cache
def evening(number: int) -> Evening:
    """Return an evening; each is played only once and shared by all kinds of changes."""
    return Evening(number)


def cards_bring(gains: Sequence[int]) -> bool:
    """Return whether one lottery ticket and one daredevil can give exactly these points."""
    lottery = [{at: LOTTERY} for at in range(len(gains))]
    brave = [{at: points} for at in range(len(gains)) for points in range(1, DAREDEVIL + 1)]
    return any(
        all(one.get(at, 0) + other.get(at, 0) == points for at, points in enumerate(gains))
        for one, other in product([{}, *lottery], [{}, *brave])
    )


@cache
def sums_of_runners(runners: int) -> list[frozenset[int]]:
    """Return for every choice of five destinations which points this many runners can score."""
    laid = {frozenset(WORTH[LINES[at]] for at in five) for five in combinations(range(10), 5)}
    found = set()
    for worth in laid:
        sums = {0}
        for _ in range(runners):
            sums |= {points + more for points in sums for more in worth}
        found.add(frozenset(sums))
    return list(found)


@cache
def first_day_is_possible(points: tuple[int, ...], runners: int) -> bool:
    """Return whether a first day can have these points, by trying all destinations and cards."""
    seats = range(len(points))
    for sums in sums_of_runners(runners):
        for lucky, brave in product(seats, seats):
            for ticket, dared in product((0, LOTTERY), range(DAREDEVIL + 1)):
                gains = [ticket * (seat == lucky) + dared * (seat == brave) for seat in seats]
                if all(p - gain in sums for p, gain in zip(points, gains, strict=True)):
                    return True
    return False


def some_seat(evening: Evening, chance: Chance) -> int:
    """Return a random seat."""
    return chance.below(evening.players)


# Impossible arrivals


def more_runners_than_a_player_has(evening: Evening, chance: Chance) -> bool:
    """Let more runners arrive on the first day than a player has: 9, 8 or 6 (E-1)."""
    row = chance.pick(evening.days[0]["arrived"])
    row[chance.below(5)] += evening.runners + 1 + chance.below(3) - sum(row)
    return bool(min(row) >= 0)


def more_runners_than_the_day_before_left(evening: Evening, chance: Chance) -> bool:
    """Let more runners arrive than a player has after Pier and Nightclub (E-1, E-7)."""
    if evening.many_days < 2:
        return False
    day, seat = 1 + chance.below(evening.many_days - 1), some_seat(evening, chance)
    before, row = evening.reached(day - 1, seat), evening.days[day]["arrived"][seat]
    most = evening.runners + before.count("pier") - before.count("nightclub")
    row[chance.below(5)] += most + 1 - sum(row)
    return bool(min(row) >= 0)


def runners_below_none(evening: Evening, chance: Chance) -> bool:
    """Write down a negative number of runners."""
    chance.pick(evening.days)["arrived"][some_seat(evening, chance)][chance.below(5)] = -1
    return True


def a_destination_more_often_than_there_are_cards(evening: Evening, chance: Chance) -> bool:
    """Lay out a destination more often than it has cards (E-3, E-10).

    Of the ten cards, two are Restaurants and two Bookstores; all others occur once.
    """
    kind = chance.pick(sorted(WORTH))
    laid = chance.pick(evening.days)["destinations"]
    others = [at for at in range(5) if laid[at] != kind]
    for at in chance.shuffled(others)[: LINES.count(kind) + 1 - laid.count(kind)]:
        laid[at] = kind
    return True


def a_destination_that_is_no_card(evening: Evening, chance: Chance) -> bool:
    """Lay out a destination that is on none of the ten cards (E-10)."""
    chance.pick(evening.days)["destinations"][chance.below(5)] = "beach"
    return True


def other_than_five_destinations(evening: Evening, chance: Chance) -> bool:
    """Lay out four or six destinations instead of five (E-3)."""
    day = chance.pick(evening.days)
    if chance.below(2):
        free = [kind for kind in LINES if day["destinations"].count(kind) < LINES.count(kind)]
        day["destinations"].append(chance.pick(free))
        day["arrived"] = [[*row, 0] for row in day["arrived"]]
    else:
        day["destinations"].pop()
        day["arrived"] = [row[:4] for row in day["arrived"]]
    return True


def three_players_who_gain(evening: Evening, chance: Chance) -> bool:
    """Let three players gain points from cards before the deck is shuffled (E-8, E-10).

    Only two cards of the deck give points, so at most two players can gain any.
    """
    if evening.players < 3:
        return False
    for seat in chance.shuffled(list(range(evening.players)))[:3]:
        evening.days[0]["gained"][seat] = 1 + chance.below(2)
    return not cards_bring(evening.days[0]["gained"])


def more_gained_than_the_cards_bring(evening: Evening, chance: Chance) -> bool:
    """Let a player gain more points on the first day than both cards give together (E-10)."""
    gained = [0] * evening.players
    gained[some_seat(evening, chance)] = LOTTERY + DAREDEVIL + 1 + chance.below(2)
    evening.days[0]["gained"] = gained
    return True


def two_gains_of_which_neither_is_the_ticket(evening: Evening, chance: Chance) -> bool:
    """Let two players gain points on the first day, but neither with the lottery ticket (E-10).

    The lottery ticket gives exactly two points.
    """
    gained = [0] * evening.players
    for seat in chance.shuffled(list(range(evening.players)))[:2]:
        gained[seat] = chance.pick((1, 3, 4))
    evening.days[0]["gained"] = gained
    return not cards_bring(gained)


def gains_of_a_card_that_was_not_shuffled_in(evening: Evening, chance: Chance) -> bool:
    """Let players gain more points before the first shuffle than one deck has (E-8)."""
    days = evening.days[: evening.unshuffled_days()]
    if len(days) < 2:
        return False
    for day in chance.shuffled(days)[:2]:
        day["gained"][some_seat(evening, chance)] = 1 + chance.below(5)
    return not cards_bring([points for day in days for points in day["gained"]])


def a_loss_by_cards(evening: Evening, chance: Chance) -> bool:
    """Write down negative points from a card; no card takes points (E-10)."""
    chance.pick(evening.days)["gained"][some_seat(evening, chance)] = -1 - chance.below(3)
    return True


def a_die_for_nothing(evening: Evening, chance: Chance) -> bool:
    """Give a die to a player who did not reach the Casino on the previous day (E-7)."""
    day, seat = chance.below(evening.many_days), some_seat(evening, chance)
    evening.days[day]["dice"][seat] = 1 + chance.below(6)
    return day == 0 or "casino" not in evening.reached(day - 1, seat)


def a_die_too_many(evening: Evening, chance: Chance) -> bool:
    """Give two dice to a player, although there is only one Casino (E-7, E-10)."""
    day = chance.below(evening.many_days)
    evening.days[day]["dice"][some_seat(evening, chance)] = [2, 3]
    return True


def a_face_that_no_die_has(evening: Evening, chance: Chance) -> bool:
    """Write down a face that a die does not have."""
    for day in evening.days:
        for seat, face in enumerate(day["dice"]):
            if face is not None:
                day["dice"][seat] = chance.pick((0, 7, -1))
                return True
    return False


def a_day_too_many(evening: Evening, chance: Chance) -> bool:
    """Add a day to an evening that is over (E-9)."""
    evening.days.append(deepcopy(evening.days[-1]))
    return True


ARRIVALS: list[Callable[[Evening, Chance], bool]] = [
    more_runners_than_a_player_has, more_runners_than_the_day_before_left, runners_below_none,
    a_destination_more_often_than_there_are_cards, a_destination_that_is_no_card,
    other_than_five_destinations, three_players_who_gain, more_gained_than_the_cards_bring,
    two_gains_of_which_neither_is_the_ticket, gains_of_a_card_that_was_not_shuffled_in,
    a_loss_by_cards, a_die_for_nothing, a_die_too_many, a_face_that_no_die_has, a_day_too_many,
]  # fmt: skip


# Impossible points


def more_points_than_runners_and_cards_bring(evening: Evening, chance: Chance) -> bool:
    """Give a player more points than all runners at the best destination and both cards (E-1,
    E-10).
    """
    most = evening.runners * BEST + LOTTERY + DAREDEVIL
    evening.points["days"][0][some_seat(evening, chance)] = most + 1 + chance.below(3)
    return True


def more_points_on_a_later_day(evening: Evening, chance: Chance) -> bool:
    """Give a player more points on a later day than are possible (E-7).

    Even one more runner, the Bank and the best casino die are not enough for them.
    """
    if evening.many_days < 2:
        return False
    most = (evening.runners + 1) * BEST + LOTTERY + DAREDEVIL + BANK + CASINO
    day = chance.pick(evening.points["days"][1:])
    # From the third day on, the deck may have been shuffled, so the same card can be played twice
    # on one day.
    if len(evening.points["days"]) > 2 and day is evening.points["days"][-1]:
        most += LOTTERY + DAREDEVIL
    day[some_seat(evening, chance)] = most + 1
    return evening.players < 4


def fewer_points_than_none(evening: Evening, chance: Chance) -> bool:
    """Give a player fewer points than possible (E-7, E-9).

    On the first day nothing costs points; later only a casino die costs one.
    """
    day = chance.below(evening.many_days)
    evening.points["days"][day][some_seat(evening, chance)] = -1 - (day > 0)
    return True


def points_that_take_three_cards(evening: Evening, chance: Chance) -> bool:
    """Give three players points on the first day that each need a card, although two have points
    (E-10).

    For example, eight runners at destinations with at most 6 points cannot score 47. All
    destinations and all distributions of the two cards are tried.
    """
    row, most = evening.points["days"][0], evening.runners * BEST
    if evening.players < 3:
        return False
    for seat in chance.shuffled(list(range(evening.players)))[:3]:
        row[seat] = most - chance.below(5) + chance.below(4)
    return not first_day_is_possible(tuple(row), evening.runners)


def points_that_two_cards_cannot_share(evening: Evening, chance: Chance) -> bool:
    """Give two players more points than their runners score and one deck adds (E-10)."""
    row, most = evening.points["days"][0], evening.runners * BEST
    first, second = chance.shuffled(list(range(evening.players)))[:2]
    row[first], row[second] = most + 1 + chance.below(5), most - 1 + chance.below(6)
    return not first_day_is_possible(tuple(row), evening.runners)


def points_of_destinations_that_do_not_lie_together(evening: Evening, chance: Chance) -> bool:
    """Give players points that would need different destinations on the same day (E-3)."""
    row = evening.points["days"][0]
    for seat in range(evening.players):
        if chance.below(3):
            row[seat] = evening.runners * BEST - chance.below(12)
    return not first_day_is_possible(tuple(row), evening.runners)


def a_second_day_after_all_went_to_one_place(evening: Evening, chance: Chance) -> bool:
    """Let a player score on two days what needs all cards twice (E-7, E-8).

    On the first day all runners were at the China Shop and both cards were played. So Pier, Bank
    and Casino were not reached. The deck of two or three players lasts until the second day is
    over, so no card gives points on it.
    """
    if evening.many_days < 2 or evening.players > 3:
        return False
    most, seat = evening.runners * BEST, some_seat(evening, chance)
    others = [s for s in range(evening.players) if s != seat]
    if any(evening.points["days"][0][other] > evening.runners for other in others):
        for other in others:
            evening.points["days"][0][other] = 0
    evening.points["days"][0][seat] = most + LOTTERY + DAREDEVIL
    evening.points["days"][1][seat] = most + 1 + chance.below(5)
    return True


def the_same_cards_on_two_days(evening: Evening, chance: Chance) -> bool:
    """Give each of two players all points of the cards, on days with only one deck (E-8)."""
    if evening.many_days < 2 or evening.players > 3:
        return False
    first, second = chance.shuffled(list(range(evening.players)))[:2]
    most = evening.runners * BEST + LOTTERY + DAREDEVIL
    evening.points["days"][0][first] = most
    evening.points["days"][1][second] = most + BEST + BANK + CASINO - chance.below(5)
    return True


def points_of_a_day_too_many(evening: Evening, chance: Chance) -> bool:
    """Add a day of points to an evening that is over (E-9)."""
    evening.points["days"].append([0] * evening.players)
    return True


POINTS: list[Callable[[Evening, Chance], bool]] = [
    more_points_than_runners_and_cards_bring, more_points_on_a_later_day, fewer_points_than_none,
    points_that_take_three_cards, points_that_two_cards_cannot_share,
    points_of_destinations_that_do_not_lie_together, a_second_day_after_all_went_to_one_place,
    the_same_cards_on_two_days, points_of_a_day_too_many,
]  # fmt: skip


# Impossible moves


def a_move_after_the_end(evening: Evening, chance: Chance) -> bool:
    """Add a move after the last day, when nobody has a decision (E-9)."""
    evening.log["moves"].append(chance.pick(evening.log["moves"]))
    return True


def a_move_that_is_missing(evening: Evening, chance: Chance) -> bool:
    """Leave out the last move, so that the evening is not over."""
    evening.log["moves"].pop()
    return True


def a_card_played_twice_in_one_day(evening: Evening, chance: Chance) -> bool:
    """Play a card twice on the first day, although the game has only one (E-8, E-10)."""
    moves: list[str] = evening.log["moves"]
    first = next((at for at, move in enumerate(moves) if move.startswith("discard")), len(moves))
    plays = [at for at in range(first) if moves[at].startswith("play ")][: 2 * evening.players]
    single = [at for at in plays[:-1] if moves[at].split()[1] in SINGLE]
    if not single:
        return False
    at = chance.pick(single)
    later = next(other for other in plays if other > at)
    moves[later] = " ".join(moves[at].split()[:2])
    return True


LOGS: list[Callable[[Evening, Chance], bool]] = [
    a_move_after_the_end, a_move_that_is_missing, a_card_played_twice_in_one_day,
]  # fmt: skip
FORM = {
    **dict.fromkeys(ARRIVALS, "arrivals"), **dict.fromkeys(POINTS, "points"),
    **dict.fromkeys(LOGS, "log"),
}  # fmt: skip


@pytest.mark.slow
@kinds(list(FORM))
def test_referee_rejects_impossible_evenings(
    kind: Callable[[Evening, Chance], bool], wanted: int
) -> None:
    chance = Seed(bytes(32)).chance(f"impossible/{kind.__name__}")
    count = Count(wanted)
    while count.more:
        played = evening(count.tried % EVENINGS)
        true = getattr(played, FORM[kind])
        changed = deepcopy(played)
        if kind(changed, chance):
            assert played.accepts(true), true
            sheet = getattr(changed, FORM[kind])
            count.add(played.accepts(sheet), {"players": played.players, "sheet": sheet})
    count.check()


def test_limits_used_for_impossible_evenings_hold_for_all_played_evenings() -> None:
    """The impossible changes exceed limits.

    These limits must not be below what played evenings brought.
    """
    for number in range(30):
        played = evening(number)
        days = played.days[: played.unshuffled_days()]
        assert cards_bring([points for day in days for points in day["gained"]])
        first = tuple(played.points["days"][0])
        assert len(first) > MOST_TRIED_OUT or first_day_is_possible(first, played.runners)
        for day, seat in product(range(played.many_days), range(played.players)):
            before = played.reached(day - 1, seat) if day else []
            most = played.runners + before.count("pier") - before.count("nightclub")
            assert sum(played.days[day]["arrived"][seat]) <= most


def test_shipped_cards_and_destinations_are_those_that_the_proofs_assume() -> None:
    """Two cards give points, one card draws, and the best destination has six points (E-10)."""
    cards = read_cards(CARDS).values()
    points = {line["card"]: int(line["amount"]) for line in cards if line["effect"] == "points"}
    brave = {line["card"]: int(line["amount"]) for line in cards if line["effect"] == "brave"}
    assert all(
        line["count"] == "1" for line in cards if line["effect"] in ("points", "brave", "draw")
    )
    draws = [int(line["amount"]) for line in cards if line["effect"] == "draw"]
    assert (points, brave, draws) == ({"lottery": LOTTERY}, {"daredevil": DAREDEVIL}, [CHURROS])
    assert sum(int(line["count"]) for line in cards) == DECK
    assert max(WORTH.values()) == BEST
    assert len(LINES) == 10


@pytest.mark.parametrize(
    ("gains", "possible"),
    [((0, 0), True), ((5, 0), True), ((2, 3), True), ((3, 1), False), ((1, 1), False),
     ((2, 2), True), ((4, 1), False), ((1, 2, 1), False), ((6, 0), False)],
)  # fmt: skip
def test_points_of_lottery_ticket_and_daredevil_are_known_exactly(
    gains: tuple[int, ...], possible: bool
) -> None:
    assert cards_bring(gains) == possible


@pytest.mark.parametrize(
    ("points", "possible"),
    [((47, 47, 0), True), ((47, 47, 47), False), ((48, 48, 48), True), ((53, 48, 0), True),
     ((53, 49, 0), False), ((51, 50, 48), True), ((51, 50, 47), False)],
)  # fmt: skip
def test_possible_points_of_a_first_day_with_three_players_are_known_exactly(
    points: tuple[int, ...], possible: bool
) -> None:
    assert first_day_is_possible(points, 8) == possible
