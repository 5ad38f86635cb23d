"""The ladder of version 3: a card at a higher or lower rating."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corridas.engine import CROWD_RANGES, RANGES, TROPHY_RANGES, MatadorCard, Range
from corridas.world.winter.cards import moved, new_card
from corridas.world.winter.form import HIGHEST, LOWEST
from corridas.world.winter.ladder import (
    FIRST_VUELTA,
    LADDER,
    LAST_VUELTA,
    LEAST_VUELTA,
    MINIMA,
    PIVOT,
    climbed,
    widened,
)
from corridas.world.winter.widths import COVERING, EMPTY, widths
from fairness import Seed
from tests.properties import examples

# A card of rating 75 with the minimum widths.
WIDE = {
    "bronca": "1-3",
    "pitos": "4-7",
    "silencio": "8-24",
    "division": "25-30",
    "aplausos": "31-40",
    "ovacion": "41-50",
    "oreja": "51-80",
    "dos_orejas": "81-96",
    "rabo": "97-100",
    "vuelta": "40-60",
    "aviso": "1-8",
    "indulto": "100",
}
EXACT = range(40, HIGHEST + 1)


def card(rating: int = PIVOT, **changes: str) -> MatadorCard:
    return MatadorCard.parse("Nobody", rating, None, WIDE | changes)


@pytest.mark.parametrize(
    ("rating", "changes"),
    [
        (76, {"oreja": "51-80", "vuelta": "39-60"}),
        (77, {"division": "25-29", "ovacion": "40-49", "oreja": "50-80", "vuelta": "38-59"}),
        (78, {"oreja": "50-79", "dos_orejas": "80-96", "vuelta": "38-59"}),
        (79, {"silencio": "8-23", "oreja": "49-79", "dos_orejas": "80-96", "vuelta": "37-58"}),
        (80, {"pitos": "4-6", "oreja": "48-79", "vuelta": "36-57"}),
        (88, {"oreja": "45-77", "dos_orejas": "78-95", "rabo": "96-100"}),
        (99, {"oreja": "40-73", "dos_orejas": "74-95", "rabo": "96-100", "vuelta": "24-49"}),
        (74, {"silencio": "8-25", "oreja": "52-80", "vuelta": "41-61"}),
        (73, {"oreja": "52-81", "dos_orejas": "82-96", "vuelta": "41-61"}),
        (72, {"aplausos": "32-42", "oreja": "53-81", "vuelta": "42-62"}),
        (40, {"oreja": "66-91", "dos_orejas": "92-98", "rabo": "99-100", "vuelta": "62-75"}),
    ],
)
def test_points_of_rating_move_numbers(rating: int, changes: dict[str, str]) -> None:
    ranges = climbed(card(), rating).ranges()
    assert {name: ranges[name] for name in changes} == changes


def test_twenty_points_move_twenty_numbers() -> None:
    assert {kind: LADDER.count(kind) for kind in LADDER} == {"E": 9, "D": 6, "R": 1, "V": 4}
    low, high = widths(climbed(card(), 60)), widths(climbed(card(), 80))
    gained = {name: high[name] - low[name] for name in TROPHY_RANGES}
    assert gained == {"oreja": 3, "dos_orejas": 5, "rabo": 1}
    assert climbed(card(), 80).vuelta.size == climbed(card(), 60).vuelta.size + 4


def test_every_point_changes_the_card_and_nothing_else_changes() -> None:
    there = [climbed(card(), rating) for rating in range(LOWEST, HIGHEST + 1)]
    for one, two in pairwise(there):
        assert one.ranges() != two.ranges()
    for name in ("bronca", "ovacion"):
        assert {getattr(one, name).size for one in there if one.rating in EXACT} == {
            getattr(card(), name).size
        }
    assert {(one.aviso, one.indulto, one.name) for one in there} == {
        (Range(1, 8), Range(100, 100), "Nobody")
    }


def test_silencio_gives_for_the_verdicts_that_a_card_lacks() -> None:
    few = card(pitos="-", silencio="4-30", division="-")
    risen = climbed(few, 99)
    assert (risen.pitos, risen.division) == (EMPTY, EMPTY)
    assert risen.silencio.size < few.silencio.size - 5


# Cards for properties


@st.composite
def wide_cards(draw: st.DrawFn) -> MatadorCard:
    """Generate a card of rating 75 with the minimum widths."""
    lacking = draw(st.sets(st.sampled_from(["bronca", "pitos", "division", "aplausos", "ovacion"])))
    least = {
        name: 0 if name in lacking else MINIMA.get(name, 1)
        for name in (*CROWD_RANGES, *TROPHY_RANGES)
    }
    spare = 100 - sum(least.values())
    cuts = sorted(draw(st.lists(st.integers(0, spare), min_size=8, max_size=8)))
    sizes, before = dict(least), 0
    for name, cut in zip(least, [*cuts, spare], strict=True):
        # What a missing range would get goes to SILENCIO.
        sizes["silencio" if name in lacking else name] += cut - before
        before = cut
    ranges: dict[str, Any] = {}
    begin = 1
    for name, size in sizes.items():
        ranges[name] = Range(begin, begin + size - 1) if size else EMPTY
        begin += size
    width = draw(st.integers(LEAST_VUELTA, LAST_VUELTA - FIRST_VUELTA + 1))
    low = draw(st.integers(FIRST_VUELTA, LAST_VUELTA + 1 - width))
    ranges["vuelta"] = draw(st.sampled_from([EMPTY, Range(low, low + width - 1)]))
    return MatadorCard(
        name="Wide", rating=PIVOT, aviso=Range(3, 9), indulto=Range(100, 100), **ranges
    )


extents = st.one_of(
    st.just(EMPTY),
    st.tuples(st.integers(1, 100), st.integers(1, 100)).map(lambda ends: Range(*sorted(ends))),
)


@st.composite
def any_cards(draw: st.DrawFn) -> MatadorCard:
    """Generate any card that the engine accepts, as somebody may type it: its ranges in any order
    and some of them empty.
    """
    cuts = sorted(draw(st.lists(st.integers(0, 100), min_size=8, max_size=8)))
    ranges: dict[str, Any] = {name: draw(extents) for name in ("vuelta", "aviso", "indulto")}
    begin = 0
    for name, end in zip(draw(st.permutations(COVERING)), [*cuts, 100], strict=True):
        ranges[name] = Range(begin + 1, end) if end > begin else EMPTY
        begin = end
    day = draw(st.none() | st.just(dt.date(1950, 5, 1)))
    return MatadorCard(name="Any", rating=draw(st.integers(0, 120)), alternativa=day, **ranges)


def goodness(card: MatadorCard) -> tuple[int, int, int, int]:
    """Return the numbers for an ear or more, two or more, the tail, and a lap of honour."""
    one, two, tail = (getattr(card, name).size for name in TROPHY_RANGES)
    return one + two + tail, two + tail, tail, card.vuelta.size


def never_worse(low: MatadorCard, high: MatadorCard) -> bool:
    return all(a <= b for a, b in zip(goodness(low), goodness(high), strict=True))


@settings(max_examples=examples(20))
@given(wide_cards())
def test_wide_card_is_never_worse_and_comes_back_between_40_and_99(card: MatadorCard) -> None:
    there = [climbed(card, rating) for rating in EXACT]
    for low, high in pairwise(there):
        assert never_worse(low, high)
        assert low.ranges() != high.ranges() or card.vuelta == EMPTY
        for name in TROPHY_RANGES:
            assert getattr(high, name).low <= getattr(low, name).low
    for one in there[::6]:
        assert climbed(one, PIVOT) == card
        for other in there[::7]:
            assert climbed(one, other.rating) == other


@settings(max_examples=examples(30))
@given(any_cards(), st.lists(st.integers(0, 120), min_size=2, max_size=6))
def test_any_card_stays_legal_and_is_never_worse(card: MatadorCard, ratings: list[int]) -> None:
    there = sorted(
        (moved(card, rating, version=3) for rating in ratings), key=lambda one: one.rating
    )
    assert [one.rating for one in there] == sorted(ratings)
    for low, high in pairwise(there):
        assert never_worse(low, high)
    for one in there:
        assert (one.name, one.alternativa) == (card.name, card.alternativa)
        assert (one.aviso, one.indulto) == (card.aviso, card.indulto)
        for name in RANGES:
            assert bool(getattr(one, name).size) == bool(getattr(card, name).size)


@settings(max_examples=examples(30))
@given(any_cards())
def test_widened_card_has_the_minimum_widths(card: MatadorCard) -> None:
    whole = all(getattr(card, name).size for name in TROPHY_RANGES)
    wide = widened(replace(card, rating=PIVOT))
    for name, least in MINIMA.items():
        had = getattr(card, name).size or name == "silencio"
        assert getattr(wide, name).size >= least if had else getattr(wide, name) == EMPTY
    if card.vuelta.size:
        assert wide.vuelta.size >= LEAST_VUELTA
        assert wide.vuelta.low >= FIRST_VUELTA
        assert wide.vuelta.high <= LAST_VUELTA
    assert widened(wide) == wide
    for rating in (40, 58, 99):
        assert climbed(climbed(wide, rating), PIVOT) == wide or not whole


@settings(max_examples=examples(30))
@given(
    st.lists(wide_cards(), min_size=1, max_size=3),
    st.integers(40, 99),
    st.integers(40, 99),
    st.integers(0, 2**32),
)
def test_new_card_has_the_minimum_widths(
    masters: list[MatadorCard], learned: int, rating: int, number: int
) -> None:
    masters = [climbed(master, learned) for master in masters]
    chance = Seed(number.to_bytes(32, "big")).chance("new")
    new = new_card(masters, "New", rating, chance, version=3)
    assert (new.name, new.rating, new.alternativa) == ("New", rating, None)
    at_pivot = climbed(new, PIVOT)
    assert widened(at_pivot) == at_pivot
    assert climbed(at_pivot, rating) == new


@settings(max_examples=examples(30))
@given(any_cards(), st.integers(1, 100), st.integers(0, 2**32))
def test_new_card_is_legal_with_any_master(master: MatadorCard, rating: int, number: int) -> None:
    chance = Seed(number.to_bytes(32, "big")).chance("new")
    assert new_card([master], "New", rating, chance, version=3).rating == rating
