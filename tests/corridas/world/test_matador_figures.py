"""How much matadors differ by their cards: fights without a matador, and figures of a roster."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import inf

import pytest

from corridas.engine import CorridaSetup, Ending, MatadorCard, Range, Rules, Trophy, play_corrida
from corridas.world import roster
from corridas.world.matador_figures import (
    Bounds,
    Fights,
    ears,
    final_numbers,
    matador_figures,
    play_fights,
    rank_correlation,
)
from fairness import Seed

TABLES = roster.load()
CARD = TABLES.cards["joselito"]
SEED = Seed(bytes(range(32)))


@cache
def fights() -> Fights:
    return play_fights(TABLES.deck, Rules(), 12_000, SEED)


def test_final_numbers_follow_from_score_avisos_indulto_and_category() -> None:
    card = replace(CARD, aviso=Range(1, 10), indulto=Range(99, 100))
    drawn = Fights(
        killed=(-30, -30, -30, 7, -90),
        spared=(0, 0, 11, 12, 0),
        indulto=bytes([0, 98, 99, 100, 1]),
        avisos=tuple(bytes([stroke, 20, 5, 5, 50]) for stroke in (3, 30, 11, 10, 12)),
        drawn=bytes([60, 60, 95, 60, 50]),
    )
    # Two avisos, none, spared, spared, none.
    found = final_numbers(drawn, card)
    assert found[1] == {60 - 48: 1, 60 - 30: 1, 100: 1, 72: 1, 1: 1}
    assert found[3] == {60 - 16: 1, 60 - 10: 1, 98: 1, 64: 1, 20: 1}


def test_fight_with_three_avisos_has_no_final_number() -> None:
    card = replace(CARD, aviso=Range(1, 10), indulto=Range(1, 0))
    stopped = Fights((5,), (5,), bytes([100]), tuple(map(bytes, ([1], [2], [50], [3], [60]))), b"2")
    assert final_numbers(stopped, card) == {1: {}, 2: {}, 3: {}}


def test_ears_have_a_mean_and_a_variance() -> None:
    card = MatadorCard.parse("Any", 75, None, CARD.ranges())
    one, two = card.oreja.low, card.dos_orejas.low
    assert card.outcome(card.rabo.high)[0] is Trophy.RABO
    found = ears({1: 4, one: 2, two: 1, card.rabo.high: 1}, card, 10)  # two were stopped
    assert found.mean == pytest.approx(0.6)
    assert found.variance == pytest.approx(1.0 - 0.36)


@pytest.mark.slow
def test_cards_win_as_many_ears_as_in_played_corridas() -> None:
    cards = tuple(replace(CARD, name=name) for name in "abc")
    setup = CorridaSetup(rules=Rules(), deck=TABLES.deck, plaza_rating=2, matadors=cards)
    results = [
        lidia.result
        for number in range(1500)
        for lidia in play_corrida(setup, Seed(number.to_bytes(32, "big"))).lidias
        if lidia.result.ending is not Ending.BROKEN_OFF
    ]
    played = sum(result.trophy.ears for result in results if result.trophy) / len(results)
    measured = ears(final_numbers(fights(), CARD)[2], CARD, len(fights().drawn))
    assert measured.mean == pytest.approx(played, abs=0.03)


@pytest.mark.slow
def test_the_old_cards_hardly_differ() -> None:
    old = roster.load(cards_version=2)
    lines = {line.what: line for line in matador_figures(old, fights())}
    assert not lines["ears between men, category 1"].inside
    assert not lines["the man's share, one bull"].inside
    assert not lines["rank correlation rating, ears"].inside


def test_equal_matadors_have_figures_outside_the_bounds() -> None:
    few = play_fights(TABLES.deck, Rules(), 60, SEED)
    same = replace(TABLES, cards=dict.fromkeys(TABLES.cards, CARD))
    lines = {line.what: line for line in matador_figures(same, few)}
    assert lines["ears between men, category 3"].figure == "0.000"
    assert lines["rank correlation rating, ears"].figure == "0.00"
    assert lines["afternoons until 90+ lead 65-80"].figure == "inf"
    assert not lines["ears 90+ / 65-80, category 1"].inside


def test_rank_correlation_shares_ranks_and_is_0_if_undefined() -> None:
    assert rank_correlation([1, 2, 3], [10, 20, 90]) == pytest.approx(1)
    assert rank_correlation([1, 2, 3], [5, 4, 3]) == pytest.approx(-1)
    assert rank_correlation([1, 2, 3, 4], [1, 1, 2, 2]) == pytest.approx(0.894, abs=0.001)
    assert rank_correlation([1, 2], [3, 3]) == 0
    assert rank_correlation([], []) == 0


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        (Bounds(0.6, 0.8), "0.6-0.8"),
        (Bounds(1.25, inf), "1.25 or more"),
        (Bounds(-inf, -0.035), "-0.035 or less"),
    ],
)
def test_bounds_are_shown_as_text(bounds: Bounds, text: str) -> None:
    assert str(bounds) == text
