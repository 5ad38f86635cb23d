"""What the cards of one deck can bring to all players together (Rulings E-4 and E-8)."""

from __future__ import annotations

import time
from itertools import product

import pytest

from eltoro.engine import Rules
from eltoro.tabletop.sheets import Reading, SheetRules, read_evening
from eltoro.tabletop.sheets.deck import (
    DeckPoints,
    HandSizes,
    PointCards,
    Table,
    Way,
    can_bring,
    plan_of,
)
from fairness import Chance, Seed
from tests.eltoro.tabletop.sheets.paper import Day, arrivals, day, points

SHIPPED = Rules()


def found_in(reading: Reading) -> list[tuple[str, str, object]]:
    return [(fault.path, fault.code, fault.params) for fault in reading.objections]


def refused_days(days: int) -> list[tuple[str, str, object]]:
    return [("days", "deck_points", {"days": days})]


# The shipped deck has two cards with points: two, and up to three.
# The most points of a day without cards are 48 with three players and 36 with four to six.
FIRST_DAYS = [
    ((50, 50, 48), True),  # one with each card
    ((50, 51, 48), True),
    ((53, 48, 48), True),
    ((50, 50, 49), False),  # three with two cards
    ((51, 51, 48), False),  # only one card brings three points
    ((52, 48, 48), True),
    ((52, 49, 48), False),
    ((37, 38, 36, 36, 36, 36), True),
    ((37, 37, 37, 36, 36, 36), False),
    ((39, 38, 36, 36), True),
    ((39, 39, 36, 36), False),
]


@pytest.mark.parametrize(("first", "stands"), FIRST_DAYS)
def test_e_8_points_of_all_players_on_a_day(first: tuple[int, ...], stands: bool) -> None:
    """The days after it leave every player many ways to have come by the points."""
    later = " ".join(["21"] * len(first))
    sheet = points(" ".join(map(str, first)), later, later)
    reading = read_evening(SHIPPED, len(first), sheet)
    assert found_in(reading) == ([] if stands else refused_days(1))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_search_ends_soon_with_the_most_days_and_players(players: int) -> None:
    """Everybody needs a card on the first day, and many ways lead to the points after it."""
    first = SHIPPED.runners(players) * 6
    needy = [first + 2 + seat if seat < 2 else first for seat in range(players)]
    sheet = points(" ".join(map(str, needy)), *[" ".join(["33"] * players)] * 2)
    began = time.process_time()
    assert found_in(read_evening(SHIPPED, players, sheet)) == []
    row, later = " ".join([str(first + 1)] * players), " ".join(["33"] * players)
    assert found_in(read_evening(SHIPPED, players, points(row, later, row))) == refused_days(1)
    assert time.process_time() - began < 5


def bookstores(*rows: str) -> Day:
    return day(*rows, laid=("bookstore", "bookstore", "bank", "pier", "restaurant"))


DEALT = [
    # arrivals of the first two days by seat, cards drawn besides in both evenings
    (("....1", "....1", "....1"), 0, False),
    (("11...", "....1", "....1"), 4, False),
    (("11...", "1....", "....1"), 6, True),
    (("11...", "11...", "11..."), 12, True),
]


@pytest.mark.parametrize(("rows", "more", "stands"), DEALT)
def test_e_8_three_players_shuffle_again_if_they_draw_enough(
    rows: tuple[str, str, str], more: int, stands: bool
) -> None:
    """15 cards and twice 15 more, and the three of the churros, leave four of 52."""
    days = [bookstores(*rows), bookstores(*rows), bookstores("1....", "1....", "1....")]
    days[0]["gained"], days[2]["gained"] = [5, 0, 0], [2, 0, 0]
    reading = read_evening(SHIPPED, 3, arrivals(*days))
    assert sum(morning.cards - 5 for day in reading.days[1:] for morning in day.began) == more
    assert found_in(reading) == ([] if stands else refused_days(3))


SHUFFLES = [
    # players, cards dealt up to in both evenings, moments of the shuffles
    (2, (5, 5), [[]]),
    (2, (7, 7), [[]]),
    (3, (5, 5), [[]]),
    (3, (7, 7), [[3], [4]]),
    (4, (5, 5), [[3], [4]]),  # 20 cards, and twice 16 if nobody discards any: the last is dealt
    (4, (5, 7), [[3]]),
    (5, (5, 5), [[1, 3], [1, 4], [2, 3]]),
    (6, (5, 5), [[1, 3]]),
]


@pytest.mark.parametrize(("players", "sizes", "moments"), SHUFFLES)
def test_when_the_deck_can_have_been_shuffled(
    players: int, sizes: tuple[int, int], moments: list[list[int]]
) -> None:
    table = SheetRules.of(SHIPPED, players).table()
    exact = table.with_hands((size,) * players for size in sizes)
    assert sorted(map(sorted, exact.shuffles(3))) == moments
    # with hands of any size there are no fewer
    loose = table.shuffles(3)
    assert all(any(one <= other for other in loose) for one in exact.shuffles(3))


def test_e_8_a_card_comes_twice_on_a_day_if_the_deck_is_shuffled_during_it() -> None:
    """Five players can empty the deck on the second day. The player of the churros draws again."""
    assert plan_of(frozenset({2, 3}), 3, again_and_again=False) == ((0,), (0, 1), (2,))
    table = SheetRules.of(SHIPPED, 5).table()
    nothing = {Way((0, 0, 0))}
    for gains, stands in (
        ([(0, 3, 0), (0, 3, 0)], True),
        ([(0, 3, 0), (0, 3, 0), (0, 3, 0)], False),
        ([(0, 10, 0)], False),  # four cards and the churros are more than four steps
        ([(0, 8, 0)], True),
        ([(0, 5, 0), (0, 5, 0)], True),
        ([(0, 3, 0), (0, 2, 0), (0, 3, 0), (0, 2, 0)], False),  # two players draw again
        ([(5, 5, 5)], True),
        ([(5, 6, 5)], False),
    ):
        ways = [{Way(one)} for one in gains] + [nothing] * (5 - len(gains))
        assert can_bring(table, ways) == stands, gains


def one_by_one(kinds: list[PointCards], passes: int, wants: list[tuple[int, ...]]) -> bool:
    """Every card of every pass to every player and day of that pass, or to nobody."""
    days = len(wants[0])
    cards = [
        (kind, number) for number in range(passes) for kind in kinds for _ in range(kind.copies)
    ]
    places = [(seat, at) for seat in range(len(wants)) for at in range(days)]
    return any(
        all(
            fits([card for (card, _n), to in zip(cards, given, strict=True) if to == place], want)
            for place in places
            for want in [wants[place[0]][place[1]]]
        )
        for given in product(
            *([None, *(p for p in places if passes == 1 or p[1] == n)] for _card, n in cards)
        )
    )


def fits(cards: list[PointCards], want: int) -> bool:
    least, most = sum(card.least for card in cards), sum(card.most for card in cards)
    return len(cards) <= 2 and least <= want <= most


@pytest.mark.parametrize("number", range(40))
def test_cards_are_found_if_there_are_any(number: int) -> None:
    """Two players draw all cards in one pass. Six have a new pass on each day."""
    chance = Seed(bytes(32)).chance(f"cards/{number}")
    kinds = [some_kind(chance) for _ in range(1 + chance.below(2))]
    wants = [tuple(chance.pick([0, 0, 1, 2, 3, 4]) for _ in range(2)) for _seat in range(2)]
    for players, passes in ((2, 1), (6, 2)):
        hands = HandSizes.exactly([(5,) * players])
        table = Table(DeckPoints(tuple(kinds), ()), players, 2, 5, hands)
        ways = [{Way(want)} for want in wants] + [{Way((0, 0))}] * (players - 2)
        assert can_bring(table, ways) == one_by_one(kinds, passes, wants), (kinds, wants)


def some_kind(chance: Chance) -> PointCards:
    most = 1 + chance.below(3)
    return PointCards(chance.pick([0, most]), most, 1 + chance.below(2))


def test_decks_with_many_kinds_of_cards_are_searched_for_a_while_only() -> None:
    """Forty different cards with points: nothing is found in time, so nothing is objected to."""
    kinds = tuple(PointCards(2 * n, 2 * n, 1) for n in range(40, 80))
    table = Table(DeckPoints(kinds, ()), 2, 8, 5, HandSizes((), ()))
    began = time.process_time()
    assert can_bring(table, [{Way((1101,))}, {Way((1103,))}])
    assert time.process_time() - began < 20
