"""Stored chances of cards, and what they let one expect of a matador's season."""

from __future__ import annotations

import datetime as dt
from math import sqrt

import pytest
from pytest_django import DjangoAssertNumQueries

from corridas.escalafon.queries.chances import (
    Expectation,
    expectations,
    expected_ears,
    stored_chances,
)
from corridas.models import Corrida, Lidia, Puesto
from corridas.world.chances import Chances
from tests.factories import OREJA, World


def chances(ears: float) -> Chances:
    return Chances(ear=ears, two_ears=0.0, lap=0.0, ears=ears)


@pytest.mark.parametrize("missing", [None, 0, 1, 2, 3])
def test_chances_are_known_only_if_all_their_columns_are(missing: int | None) -> None:
    figures = [None if place == missing else place / 10 for place in range(4)]
    known = Chances(ear=0.0, two_ears=0.1, lap=0.2, ears=0.3)
    assert stored_chances(*figures) == (known if missing is None else None)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ([chances(0.4), chances(0.5), chances(0.6)], 3.0),
        ([chances(0.0)], 0.0),
        ([chances(0.4), None, chances(0.6)], None),
        ([None], None),
        ([], None),
    ],
)
def test_each_matador_of_a_cartel_has_two_bulls(
    cards: list[Chances | None], expected: float | None
) -> None:
    found = expected_ears(cards)
    assert found == (None if expected is None else pytest.approx(expected))


def print_card(world: World, number: int, category: int, ear: float, two_ears: float) -> None:
    world.matadors[number].cards.update(
        **{f"ear_{category}": ear, f"two_ears_{category}": two_ears},
        **{f"ears_{category}": ear + two_ears},
    )


def expected_of(world: World, *numbers: int) -> list[Expectation | None]:
    keys = [world.matadors[number].pk for number in numbers]
    found = expectations(world.season, keys)
    return [found.get(key) for key in keys]


@pytest.mark.usefixtures("without_chances")
def test_the_expected_ears_of_a_season_add_up_over_bulls_and_plazas(
    lived: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """The first matador fought four bulls in the first plaza. The second fought two more bulls in
    the second plaza.
    """
    first, second = (plaza.category for plaza in lived.plazas)
    assert first != second
    for number in (0, 1):
        print_card(lived, number, first, 0.3, 0.1)
    print_card(lived, 1, second, 0.5, 0.2)
    with django_assert_num_queries(1):
        found = expected_of(lived, 0, 1, 2)
    one, other = 0.3 + 3 * 0.1 - 0.4**2, 0.5 + 3 * 0.2 - 0.7**2
    assert found == [
        pytest.approx((1.6, sqrt(4 * one))),
        pytest.approx((1.6 + 1.4, sqrt(4 * one + 2 * other))),
        None,
    ]


@pytest.mark.usefixtures("without_chances")
def test_a_matador_is_left_out_if_one_of_his_cards_has_no_chances(lived: World) -> None:
    first = lived.plazas[0].category
    print_card(lived, 0, first, 0.3, 0.1)
    print_card(lived, 1, first, 0.3, 0.1)
    assert [bool(one) for one in expected_of(lived, 0, 1)] == [True, False]
    lived.matadors[0].cards.update(two_ears_1=None, two_ears_2=None)
    assert expected_of(lived, 0) == [None]


def test_each_bull_counts_with_the_card_that_it_was_fought_with(lived: World) -> None:
    """A later printing of the card changes nothing about an earlier corrida."""
    category = lived.plazas[0].category
    print_card(lived, 0, category, 0.3, 0.0)
    card = lived.matadors[0].cards.get()
    card.pk, card.printing = None, 2
    setattr(card, f"ears_{category}", 0.9)
    setattr(card, f"ear_{category}", 0.9)
    card.save()
    (before,) = expected_of(lived, 0)
    assert before
    assert before.ears == pytest.approx(4 * 0.3)
    last = Corrida.objects.filter(season=lived.season).latest("date")
    Puesto.objects.filter(cartel=last.pk, matador=lived.matadors[0]).update(card=card)
    (after,) = expected_of(lived, 0)
    assert after
    assert after.ears == pytest.approx(2 * 0.3 + 2 * 0.9)


def test_only_posted_bulls_count_for_the_matador_who_finished_them(lived: World) -> None:
    """An injured matador's bull counts for his substitute. Unposted results are left out."""
    category = lived.plazas[0].category
    for number in (0, 1):
        for plaza in lived.plazas:
            print_card(lived, number, plaza.category, 0.1 * (number + 1), 0.0)
    hidden = lived.announce(dt.date(2027, 3, 20))
    lived.play(hidden, (OREJA,) * 6)
    bull = Lidia.objects.filter(
        finisher=lived.matadors[0], corrida__plaza__category=category
    ).first()
    assert bull
    before = [one.ears for one in expected_of(lived, 0, 1) if one]
    assert before == pytest.approx([0.4, 1.2])
    bull.finisher = lived.matadors[1]
    bull.save()
    after = [one.ears for one in expected_of(lived, 0, 1) if one]
    assert after == pytest.approx([0.3, 1.4])


def test_a_certain_result_has_no_deviation(lived: World) -> None:
    """Rounding of floating-point numbers never makes the variance negative."""
    for plaza in lived.plazas:
        print_card(lived, 0, plaza.category, 1.0, 1.0)
    (found,) = expected_of(lived, 0)
    assert found == pytest.approx((8.0, 0.0))
