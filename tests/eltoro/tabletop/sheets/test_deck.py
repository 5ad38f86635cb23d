"""Points that the cards of one deck can give to all players together (Rulings E-4 and E-8)."""

from __future__ import annotations

import time
from itertools import product

import pytest

from eltoro.engine import Rules
from eltoro.tabletop.sheets import ScoresheetReading, SheetRules, read_evening
from eltoro.tabletop.sheets.deck import (
    DeckPoints,
    HandSizes,
    PointCards,
    PointsExplanation,
    TableDeck,
    can_bring,
    plan_of,
)
from fairness import Chance, Seed
from tests.eltoro.tabletop.sheets.paper import Day, arrivals, day, points

SHIPPED = Rules()


def found_in(reading: ScoresheetReading) -> list[tuple[str, str, object]]:
    return [(fault.path, fault.code, fault.params) for fault in reading.objections]


def refused_days(days: int) -> list[tuple[str, str, object]]:
    return [("days", "deck_points", {"days": days})]


# The shipped deck has two cards with points: one card gives two points, the other up to three.
# Without cards, a player can score at most 48 points a day in a game with three players, and 36
# with four to six players.
FIRST_DAYS = [
    ((50, 50, 48), True),  # each card for another player
    ((50, 51, 48), True),
    ((53, 48, 48), True),
    ((50, 50, 49), False),  # three players need a card, but there are two
    ((51, 51, 48), False),  # only one card gives three points
    ((52, 48, 48), True),
    ((52, 49, 48), False),
    ((37, 38, 36, 36, 36, 36), True),
    ((37, 37, 37, 36, 36, 36), False),
    ((39, 38, 36, 36), True),
    ((39, 39, 36, 36), False),
]


@pytest.mark.slow
@pytest.mark.parametrize(("first", "stands"), FIRST_DAYS)
def test_ruling_e_8_two_cards_with_points_limit_the_first_day_of_all_players(
    first: tuple[int, ...], stands: bool
) -> None:
    """The later days have points that are possible in many ways, so only the first day decides."""
    later = " ".join(["21"] * len(first))
    sheet = points(" ".join(map(str, first)), later, later)
    reading = read_evening(SHIPPED, len(first), sheet)
    assert found_in(reading) == ([] if stands else refused_days(1))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_search_for_cards_is_fast_with_the_most_days_and_players(players: int) -> None:
    """All players need a card on the first day, and the later points are possible in many ways."""
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
    # Arrivals by seat on each of the first two days, cards drawn in addition on both evenings,
    # whether the points are possible.
    (("....1", "....1", "....1"), 0, False),
    (("11...", "....1", "....1"), 4, False),
    (("11...", "1....", "....1"), 6, True),
    (("11...", "11...", "11..."), 12, True),
]


@pytest.mark.parametrize(("rows", "more", "stands"), DEALT)
def test_ruling_e_8_card_can_come_again_if_three_players_draw_enough_cards(
    rows: tuple[str, str, str], more: int, stands: bool
) -> None:
    """The first deal takes 15 cards, the two later ones 30, and the churros card draws three.

    Four of 52 cards are left.
    """
    days = [bookstores(*rows), bookstores(*rows), bookstores("1....", "1....", "1....")]
    days[0]["gained"], days[2]["gained"] = [5, 0, 0], [2, 0, 0]
    reading = read_evening(SHIPPED, 3, arrivals(*days))
    assert sum(morning.cards - 5 for day in reading.days[1:] for morning in day.began) == more
    assert found_in(reading) == ([] if stands else refused_days(3))


SHUFFLES = [
    # Each case: the number of players, the hand sizes after the deals of both evenings, and the
    # days on which the deck can have been shuffled.
    (2, (5, 5), [[]]),
    (2, (7, 7), [[]]),
    (3, (5, 5), [[]]),
    (3, (7, 7), [[3], [4]]),
    (4, (5, 5), [[3], [4]]),  # 20 + 2 * 16 cards without discards: just 52
    (4, (5, 7), [[3]]),
    (5, (5, 5), [[1, 3], [1, 4], [2, 3]]),
    (6, (5, 5), [[1, 3]]),
]


@pytest.mark.parametrize(("players", "sizes", "moments"), SHUFFLES)
def test_shuffles_of_the_deck_follow_from_players_and_hand_sizes(
    players: int, sizes: tuple[int, int], moments: list[list[int]]
) -> None:
    table = SheetRules.of(SHIPPED, players).table()
    exact = table.with_hands((size,) * players for size in sizes)
    assert sorted(map(sorted, exact.shuffles(3))) == moments
    # If the hand sizes are not known, at least as many shuffles are possible.
    loose = table.shuffles(3)
    assert all(any(one <= other for other in loose) for one in exact.shuffles(3))


def test_ruling_e_8_card_can_come_twice_on_the_day_of_a_shuffle() -> None:
    """Five players can empty the deck on the second day.

    The player with the churros card draws again.
    """
    assert plan_of(frozenset({2, 3}), 3, again_and_again=False) == ((0,), (0, 1), (2,))
    table = SheetRules.of(SHIPPED, 5).table()
    nothing = {PointsExplanation((0, 0, 0))}
    for gains, stands in (
        ([(0, 3, 0), (0, 3, 0)], True),
        ([(0, 3, 0), (0, 3, 0), (0, 3, 0)], False),
        ([(0, 10, 0)], False),  # needs five cards in four steps
        ([(0, 8, 0)], True),
        ([(0, 5, 0), (0, 5, 0)], True),
        (
            [(0, 3, 0), (0, 2, 0), (0, 3, 0), (0, 2, 0)],
            False,
        ),  # two players would have to draw again
        ([(5, 5, 5)], True),
        ([(5, 6, 5)], False),
    ):
        ways = [{PointsExplanation(one)} for one in gains] + [nothing] * (5 - len(gains))
        assert can_bring(table, ways) == stands, gains


def one_by_one(kinds: list[PointCards], passes: int, wants: list[tuple[int, ...]]) -> bool:
    """Return whether the cards can give these points, by trying every distribution.

    A pass is the part of the game between two shuffles of the deck. Each card can be played once in
    a pass.
    """
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
def test_search_finds_a_distribution_of_cards_if_one_exists(number: int) -> None:
    """Two players draw all cards in one pass through the deck.

    With six players there is a new pass on each day.
    """
    chance = Seed(bytes(32)).chance(f"cards/{number}")
    kinds = [some_kind(chance) for _ in range(1 + chance.below(2))]
    wants = [tuple(chance.pick([0, 0, 1, 2, 3, 4]) for _ in range(2)) for _seat in range(2)]
    for players, passes in ((2, 1), (6, 2)):
        hands = HandSizes.exactly([(5,) * players])
        table = TableDeck(DeckPoints(tuple(kinds), ()), players, 2, 5, hands)
        ways = [{PointsExplanation(want)} for want in wants] + [{PointsExplanation((0, 0))}] * (
            players - 2
        )
        assert can_bring(table, ways) == one_by_one(kinds, passes, wants), (kinds, wants)


def some_kind(chance: Chance) -> PointCards:
    most = 1 + chance.below(3)
    return PointCards(chance.pick([0, most]), most, 1 + chance.below(2))


def test_search_in_a_deck_with_many_kinds_of_cards_stops_without_objection() -> None:
    """With forty different cards the search ends without a result, so there is no objection."""
    kinds = tuple(PointCards(2 * n, 2 * n, 1) for n in range(40, 80))
    table = TableDeck(DeckPoints(kinds, ()), 2, 8, 5, HandSizes((), ()))
    began = time.process_time()
    assert can_bring(table, [{PointsExplanation((1101,))}, {PointsExplanation((1103,))}])
    assert time.process_time() - began < 20
