"""The chances of a card, calculated by hand from a few scores, and properties of all cards."""

from __future__ import annotations

from dataclasses import astuple
from math import perm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corridas.engine import CartelError, MatadorCard, Range
from corridas.world.chances import Chances, Histogram, Outcomes, ScoreCounts, chances, outcomes
from corridas.world.chances.numbers import hits, in_range
from tests.corridas.world.chances.compared import CARDS, CATEGORIES, card, total
from tests.properties import examples

# Probability of a double such as 11 or 100, and of any other number (Ruling I-1).
DOUBLE, OTHER = 6 / 690, 7 / 690
NEVER_SPARED = Histogram(0, ())
NOTHING = {"aviso": "-", "indulto": "-"}


def killed(*scores: int) -> ScoreCounts:
    """Return the counts of one fight with each of these scores, whose bulls are all killed."""
    return ScoreCounts(Histogram.of({score: scores.count(score) for score in scores}), NEVER_SPARED)


def ears_of(text: str) -> MatadorCard:
    """Return a card that cuts an ear up to this number, and otherwise meets silence."""
    return card(oreja=f"1-{text}", silencio=f"{int(text) + 1}-100")


@pytest.mark.parametrize(
    ("text", "probability"), [("11", DOUBLE), ("12", OTHER), ("100", DOUBLE), ("1-10", 10 * OTHER)]
)
def test_i_1_doubles_are_less_likely_than_other_numbers(text: str, probability: float) -> None:
    assert in_range(Range.parse(text)) == pytest.approx(probability)


def test_without_a_score_the_chance_of_an_ear_is_that_of_its_numbers() -> None:
    # The numbers 1 to 20 contain one double, 11.
    assert outcomes(ears_of("20"), 1, killed(0)).oreja == pytest.approx(19 * OTHER + DOUBLE)


@pytest.mark.parametrize(
    ("score", "category", "reached"),
    [(-7, 1, 8), (-7, 2, 4), (-7, 3, 3), (-2, 3, 1), (2, 3, 1), (0, 1, 1)],
)
def test_i_12_score_is_divided_and_rounded_towards_zero(
    score: int, category: int, reached: int
) -> None:
    """A number below 1 counts as 1: as many drawn numbers lead to it as the score takes away."""
    ear = outcomes(ears_of("1"), category, killed(score)).oreja
    assert ear == pytest.approx(reached * OTHER)


def test_i_13_number_above_100_counts_as_100() -> None:
    only_100 = card(rabo="100", silencio="1-99")
    shares = outcomes(only_100, 1, killed(9))
    # Drawn are 91 to 100, among them the doubles 99 and 100.
    assert shares.rabo == pytest.approx(8 * OTHER + 2 * DOUBLE)
    assert outcomes(only_100, 1, killed(5_000)).rabo == pytest.approx(1)
    assert outcomes(only_100, 1, killed(-5_000)).silencio == pytest.approx(1)


def test_every_score_counts_by_its_number_of_fights() -> None:
    shares = outcomes(ears_of("10"), 1, killed(0, -3, -3, -3))
    # From a score of -3, the numbers 1 to 13 lead to an ear.
    assert shares.oreja == pytest.approx((10 * OTHER + 3 * (12 * OTHER + DOUBLE)) / 4)


def test_i_10_each_of_two_avisos_takes_nine_points_and_the_third_ends_the_fight() -> None:
    one_number = card(oreja="1", silencio="2-100", vuelta="1", aviso="12")
    # The number 12 needs one of seven cards with a 1, and one of seven with a 2.
    chosen = [perm(7, k) * perm(7, k) / perm(70, 2 * k) for k in range(6)]
    none = 1 - 5 * chosen[1] + 10 * chosen[2] - 10 * chosen[3]
    one = 5 * chosen[1] - 20 * chosen[2] + 30 * chosen[3]
    two = 10 * chosen[2] - 30 * chosen[3]
    shares = outcomes(one_number, 1, killed(0))
    # After one aviso the numbers 1 to 10 lead to an ear, after two 1 to 19.
    ear = none * OTHER + one * 10 * OTHER + two * (18 * OTHER + DOUBLE)
    assert shares.oreja == pytest.approx(ear, abs=1e-6)
    assert shares.vuelta == shares.oreja
    assert shares.aviso == pytest.approx(1 - none, abs=1e-6)
    assert shares.three_avisos == pytest.approx(10 * chosen[3], abs=1e-6)


def test_i_10_third_aviso_leaves_neither_trophy_nor_lap() -> None:
    always = card(rabo="1-100", vuelta="1-100", aviso="1-100")
    shares = outcomes(always, 1, killed(0))
    assert (shares.three_avisos, shares.aviso) == pytest.approx((1, 1))
    assert (shares.rabo, shares.vuelta, shares.bronca) == pytest.approx((0, 0, 0))


def test_i_9_only_a_bull_with_points_is_spared_and_its_score_is_without_the_kill() -> None:
    counts = ScoreCounts(Histogram.of({-200: 3, -100: 1}), Histogram.of({0: 1}))
    spares = card(silencio="1", oreja="2-100", indulto="1-50")
    half = 46 * OTHER + 4 * DOUBLE
    shares = outcomes(spares, 1, counts)
    assert shares.indulto == pytest.approx(half / 4)
    # Every killed bull brings the number 1.
    assert shares.oreja == pytest.approx(half / 4 * (1 - OTHER))


def test_spared_bull_has_no_aviso() -> None:
    counts = ScoreCounts(Histogram.of({0: 2}), Histogram.of({0: 1}))
    shares = outcomes(card(rabo="1-100", aviso="1-100", indulto="1-100"), 1, counts)
    assert (shares.indulto, shares.rabo, shares.three_avisos) == pytest.approx((0.5, 0.5, 0.5))


def test_lap_is_counted_with_and_without_an_ear() -> None:
    # VUELTA has ten numbers: 41 to 45 without a trophy (one double), 46 to 50 with an ear.
    shares = outcomes(card(silencio="1-45", oreja="46-100", vuelta="41-50"), 1, killed(0))
    assert shares.vuelta_without_ear == pytest.approx(4 * OTHER + DOUBLE)
    assert shares.vuelta == pytest.approx(9 * OTHER + DOUBLE)


def test_ranges_need_no_order() -> None:
    shares = outcomes(card(rabo="1-10", bronca="11-100", vuelta="1-100"), 1, killed(0))
    assert (shares.rabo, shares.bronca) == pytest.approx((10 * OTHER, 1 - 10 * OTHER))
    assert shares.vuelta == pytest.approx(1)
    assert shares.vuelta_without_ear == pytest.approx(1 - 10 * OTHER)


def test_i_17_tail_counts_as_two_ears() -> None:
    shares = Outcomes(
        oreja=0.25, dos_orejas=0.125, rabo=0.0625, vuelta=0.5, bronca=0.5, pitos=0, silencio=0,
        division=0, aplausos=0, ovacion=0, three_avisos=0.0625, vuelta_without_ear=0.25, aviso=0.5,
        indulto=0,
    )  # fmt: skip
    assert Chances.of(shares) == Chances(ear=0.4375, two_ears=0.1875, lap=0.5, ears=0.625)


@pytest.mark.parametrize("category", [0, 4, -1])
def test_category_that_does_not_exist_is_rejected(category: int) -> None:
    with pytest.raises(CartelError, match=r"rated 1, 2 or 3, not .* \(Ruling I-12\)"):
        chances(CARDS[0], category, killed(0))


def test_counts_without_fights_are_rejected() -> None:
    with pytest.raises(ValueError, match="There are no fights"):
        ScoreCounts(NEVER_SPARED, NEVER_SPARED)
    with pytest.raises(ValueError, match="more bulls can be spared"):
        ScoreCounts(Histogram(0, (1,)), Histogram(0, (2,)))


spans = st.tuples(st.integers(1, 100), st.integers(1, 100)).map(
    lambda ends: f"{min(ends)}-{max(ends)}"
)
IN_ORDER = (
    "bronca", "pitos", "silencio", "division", "aplausos", "ovacion", "oreja", "dos_orejas", "rabo",
)  # fmt: skip
histograms = st.builds(
    Histogram,
    st.integers(-300, 300),
    st.lists(st.integers(1, 50), min_size=1, max_size=40).map(tuple),
)
# The last number of every range but the last, in ascending order.
ends = st.lists(st.integers(0, 100), min_size=8, max_size=8).map(sorted)


@st.composite
def score_counts(draw: st.DrawFn) -> ScoreCounts:
    spared = draw(st.just(NEVER_SPARED) | histograms)
    more = draw(histograms)
    return ScoreCounts(Histogram(more.lowest, (*more.counts, 1 + spared.total)), spared)


def ordered(lasts: list[int], **others: str) -> MatadorCard:
    """Return a card on which higher numbers are better, given the last number of each range."""
    firsts = [1, *(last + 1 for last in lasts)]
    ranges = [Range(first, last) for first, last in zip(firsts, [*lasts, 100], strict=True)]
    return card(**dict(zip(IN_ORDER, map(str, ranges), strict=True)), **others)


@settings(max_examples=examples(200))
@given(ends, spans, spans, spans, score_counts(), st.sampled_from(CATEGORIES))
def test_shares_of_the_results_add_up_to_1(
    lasts: list[int], vuelta: str, aviso: str, indulto: str, counts: ScoreCounts, category: int
) -> None:
    shares = outcomes(ordered(lasts, vuelta=vuelta, aviso=aviso, indulto=indulto), category, counts)
    assert total(shares) == pytest.approx(1, abs=1e-6)
    assert all(-1e-9 <= share <= 1 + 1e-9 for share in astuple(shares))
    assert shares.vuelta_without_ear <= shares.vuelta + 1e-9
    shown = Chances.of(shares)
    assert shown.two_ears <= shown.ear + 1e-9
    assert shown.ears == pytest.approx(shown.ear + shown.two_ears)


@settings(max_examples=examples(200))
@given(ends, st.integers(0, 100), spans, score_counts(), st.sampled_from(CATEGORIES))
def test_ear_that_begins_earlier_is_never_less_likely(
    lasts: list[int], earlier: int, aviso: str, counts: ScoreCounts, category: int
) -> None:
    crowd = [min(last, earlier) for last in lasts[:6]]
    before = chances(ordered(lasts, aviso=aviso), category, counts)
    after = chances(ordered([*crowd, *lasts[6:]], aviso=aviso), category, counts)
    assert after.ear >= before.ear - 1e-9
    assert after.ears >= before.ears - 1e-9
    assert after.two_ears == pytest.approx(before.two_ears)


@given(spans)
def test_number_of_avisos_has_probabilities(text: str) -> None:
    probabilities = hits(Range.parse(text))
    assert min(probabilities) >= 0
    assert sum(probabilities) == pytest.approx(1, abs=1e-6)
    mean = sum(count * chance for count, chance in enumerate(probabilities))
    assert mean == pytest.approx(5 * in_range(Range.parse(text)), abs=1e-5)
