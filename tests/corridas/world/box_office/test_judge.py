"""Mood, what a town saw, the judge's lines, trust, reputation, offers and words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corridas.engine import Crowd, Ending, LidiaResult, Trophy
from corridas.world.box_office import (
    Afternoon,
    HouseWord,
    Lines,
    MoodWord,
    OfferedPlaza,
    Pars,
    Step,
    Trust,
    bull_points,
    ends_term,
    house_word,
    is_dismissed,
    is_renewed,
    judge,
    missed,
    mood_after,
    mood_after_winter,
    mood_factor,
    mood_word,
    offers,
    reputation_after,
    seen,
    step_reached,
    steps,
    surprise,
)
from fairness import Seed
from tests.properties import examples

PARS = Pars(draw=3_700, fee=370, seen=170, sd=112, unit=84)
FULL = 20_000
LINE_VALUES = st.integers(-200, 100)
LINES = st.builds(Lines, LINE_VALUES, LINE_VALUES, LINE_VALUES)


@pytest.mark.parametrize(
    ("ending", "trophy", "crowd", "lap", "points"),
    [
        (Ending.KILLED, Trophy.NONE, Crowd.BRONCA, False, -6),
        (Ending.KILLED, Trophy.NONE, Crowd.PITOS, False, -3),
        (Ending.KILLED, Trophy.NONE, Crowd.SILENCIO, False, -1),
        (Ending.KILLED, Trophy.NONE, Crowd.DIVISION, False, 0),
        (Ending.KILLED, Trophy.NONE, Crowd.APLAUSOS, False, 1),
        (Ending.KILLED, Trophy.NONE, Crowd.OVACION, False, 3),
        (Ending.KILLED, Trophy.NONE, Crowd.OVACION, True, 6),
        (Ending.KILLED, Trophy.OREJA, None, False, 6),
        (Ending.KILLED, Trophy.OREJA, None, True, 6),
        (Ending.KILLED, Trophy.DOS_OREJAS, None, True, 12),
        (Ending.KILLED, Trophy.RABO, None, True, 18),
        (Ending.SPARED, Trophy.RABO, None, True, 26),
        (Ending.SPARED, Trophy.NONE, Crowd.OVACION, True, 14),
        (Ending.THREE_AVISOS, Trophy.NONE, Crowd.BRONCA, False, -8),
        (Ending.BROKEN_OFF, None, None, None, None),
    ],
)
def test_half_points_of_a_bull(
    ending: Ending,
    trophy: Trophy | None,
    crowd: Crowd | None,
    lap: bool | None,
    points: int | None,
) -> None:
    result = LidiaResult(ending, 0, 0, (), 10, 0, trophy=trophy, vuelta=lap, crowd=crowd)
    assert bull_points(result) == points


def test_bulls_that_were_broken_off_are_left_out() -> None:
    assert seen([6, 6, None, None, None, None]) == 300
    assert seen([None] * 6) == seen([]) == 0
    assert seen([1, 0, 0, 0, 0, 0]) == 8
    assert seen([-1, 0, 0, 0]) == -12


@pytest.mark.parametrize(
    ("announced", "fought", "count"),
    [
        ({"a": 70, "b": 48, "c": 42}, {"a": 70, "b": 48, "c": 42}, 0),
        ({"a": 70, "b": 48, "c": 42}, {"a": 70, "b": 48, "d": 42}, 0),
        ({"a": 70, "b": 48, "c": 42}, {"a": 70, "b": 48, "d": 41}, 1),
        ({"a": 70, "b": 48, "c": 42}, {"d": 71, "b": 48, "e": 41}, 1),
        ({"a": 70, "b": 48, "c": 42}, {"d": 60, "b": 48, "e": 50}, 1),
        ({"a": 70, "b": 48}, {"a": 70, "b": 48, "d": 1}, 0),
        ({"a": 70, "b": 48}, {"a": 70, "c": 30, "d": 50}, 0),
        ({"a": 3, "b": 2, "c": 1}, {"d": 0, "e": 0, "f": 0}, 3),
    ],
)
def test_missed_men_are_compared_in_pairs(
    announced: dict[str, int], fought: dict[str, int], count: int
) -> None:
    assert missed(announced, fought) == count


def test_mood_at_its_limits() -> None:
    assert [mood_factor(mood) for mood in (0, 5_000, 10_000)] == [700, 1_000, 1_300]
    assert mood_after(10_000, 500, 0) == 10_000
    assert mood_after(0, -500, 3) == 0
    assert mood_after(5_000, 0, 0) == 5_000
    assert mood_after(5_000, 0, 2) == 4_700
    assert mood_after_winter(8_000) == 7_100
    assert mood_after_winter(0) == 1_500


@settings(max_examples=examples(100))
@given(st.integers(0, 10_000), st.integers(-400, 400), st.integers(0, 3), st.integers(0, 50))
def test_mood_grows_with_what_is_seen(mood: int, moved: int, gone: int, more: int) -> None:
    after = mood_after(mood, moved, gone)
    assert 0 <= after <= 10_000
    assert mood_after(mood, moved + more, gone) >= after >= mood_after(mood, moved, gone + 1)


def test_dear_seats_want_to_see_more() -> None:
    assert surprise(170, 0, PARS) == 0
    assert surprise(170, 6, PARS) == -5
    assert surprise(170, -5, PARS) == 4


def test_lines_are_limited_and_a_season_without_afternoons_is_usual() -> None:
    good = Afternoon(house=1_000, usual=600, seen=400, asked=0, kept=9_000)
    bad = Afternoon(house=100, usual=600, seen=-200, asked=6, kept=-9_000)
    assert judge([good], PARS, FULL) == Lines(100, 100, 100)
    assert judge([bad], PARS, FULL) == Lines(-200, -200, -200)
    assert judge([good], PARS, FULL).mark == 100
    assert judge([bad], PARS, FULL).mark == 0
    assert judge([], PARS, FULL) == Lines(0, 0, 0)
    assert Lines(0, 0, 0).mark == 50


@pytest.mark.parametrize(
    ("lines", "mark"),
    [
        (Lines(0, 0, 2), 50),
        (Lines(0, 0, 3), 51),
        (Lines(0, 0, -3), 50),
        (Lines(0, 0, -4), 49),
        (Lines(113, -37, -74), 50),
        (Lines(100, 37, -74), 61),
        (Lines(46, -37, -59), 42),
    ],
)
def test_mark_of_lines(lines: Lines, mark: int) -> None:
    assert lines.mark == mark


AFTERNOONS = st.builds(
    Afternoon,
    house=st.integers(0, 1_000),
    usual=st.integers(400, 800),
    seen=st.integers(-400, 1_300),
    asked=st.sampled_from([-5, 0, 6]),
    kept=st.integers(-20_000, 20_000),
)


@settings(max_examples=examples(100))
@given(st.lists(AFTERNOONS, min_size=1, max_size=12))
def test_mark_does_not_depend_on_the_order_and_stays_in_its_limits(held: list[Afternoon]) -> None:
    lines = judge(held, PARS, FULL)
    assert judge(held[::-1], PARS, FULL) == lines
    assert judge(held + held, PARS, FULL) == lines
    assert 0 <= lines.mark <= 100


def test_trust_keeps_a_part_of_the_old() -> None:
    season = Lines(100, -200, 33)
    first = Trust().after(season)
    assert first == Trust(50, -100, 17)
    assert first.after(season) == Trust(85, -170, 29)
    assert first.after(season).after(season).houses == 100


@pytest.mark.parametrize(
    ("trust", "season", "dismissed"),
    [
        (Trust(-100, -100, -100), 1, False),
        (Trust(-50, -50, 0), 2, False),
        (Trust(-50, -50, -1), 2, True),
        (Trust(-200, -200, 300), 5, False),
    ],
)
def test_dismissal_below_minus_one_hundred(trust: Trust, season: int, dismissed: bool) -> None:
    assert is_dismissed(trust, season) is dismissed


def test_term_of_three_years_is_renewed_with_trust() -> None:
    assert [season for season in range(1, 8) if ends_term(season)] == [3, 6]
    assert is_renewed(Trust(0, 0, 0))
    assert not is_renewed(Trust(0, 0, -1))


@settings(max_examples=examples(50))
@given(st.lists(LINES, max_size=30))
def test_trust_never_exceeds_its_limit(seasons: list[Lines]) -> None:
    trust = Trust()
    for season in seasons:
        trust = trust.after(season)
        assert max(trust.houses, trust.cards, trust.money) <= 100


def test_reputation_moves_with_the_mark() -> None:
    assert reputation_after(200, 50) == 200
    assert reputation_after(200, 78) == 245
    assert reputation_after(200, 44) == 190
    assert reputation_after(10, 0) == 0
    assert reputation_after(990, 100) == 1_000
    assert reputation_after(500, 50, bankrupt=True) == 300
    assert reputation_after(500, 50, dismissed=True) == 420
    assert reputation_after(500, 50, left=True) == 450


@pytest.mark.parametrize(
    ("reputation", "step"),
    [
        (0, Step.THIRD),
        (299, Step.THIRD),
        (300, Step.SECOND),
        (499, Step.SECOND),
        (500, Step.FIRST),
        (650, Step.GREAT),
        (799, Step.GREAT),
        (800, Step.GREATEST),
    ],
)
def test_steps_open_with_reputation(reputation: int, step: Step) -> None:
    assert step_reached(reputation) is step
    assert step_reached(reputation, bankrupt=True) is Step.THIRD


def plazas(*counts: int) -> list[OfferedPlaza]:
    """Return so many plazas of the categories 1, 2 and 3, with fewer and fewer seats."""
    return [
        OfferedPlaza(f"{category}-{n}", category, 10_000 - n, 5)
        for category, count in enumerate(counts, start=1)
        for n in range(count)
    ]


def test_four_plazas_with_most_seats_a_season_are_great() -> None:
    few = OfferedPlaza("0-dates", 1, 40_000, 1)
    ladder = steps([*plazas(6, 1, 1), few])
    assert [slug for slug, step in ladder.items() if step is Step.GREATEST] == ["1-0"]
    assert [slug for slug, step in ladder.items() if step is Step.GREAT] == ["1-1", "1-2", "1-3"]
    assert ladder["0-dates"] is Step.FIRST
    assert (ladder["2-0"], ladder["3-0"]) == (Step.SECOND, Step.THIRD)


@pytest.mark.parametrize(
    ("reached", "of_steps"),
    [
        (Step.THIRD, [1, 1, 1]),
        (Step.SECOND, [2, 2, 1]),
        (Step.FIRST, [3, 3, 2]),
        (Step.GREAT, [4, 4, 3]),
        (Step.GREATEST, [5, 4, 4]),
    ],
)
def test_offers_are_of_the_highest_step_and_of_the_one_below(
    reached: Step, of_steps: list[int]
) -> None:
    every = plazas(8, 6, 6)
    ladder, seed = steps(every), Seed(bytes(range(32)))
    offered = offers(every, ladder, reached, seed, "ana")
    assert [ladder[slug] for slug in offered] == of_steps
    assert offers(every[::-1], ladder, reached, seed, "ana") == offered
    assert len(set(offered)) == 3


def test_offers_leave_out_plazas_with_two_afternoons_and_fall_to_other_steps() -> None:
    seed = Seed(bytes(32))
    small = [OfferedPlaza("small", 3, 5_000, 2)]
    every = [*plazas(5, 0, 0), *small]
    ladder = steps(every)
    assert offers(small, ladder, Step.THIRD, seed, "ana") == []
    assert offers(every, ladder, Step.THIRD, seed, "ana") == ["1-4"]
    two = plazas(0, 1, 2)
    assert sorted(offers(two, steps(two), Step.SECOND, seed, "ana")) == ["2-0", "3-0", "3-1"]


@pytest.mark.parametrize(
    ("share", "word"),
    [
        (1_000, HouseWord.FULL),
        (970, HouseWord.FULL),
        (969, HouseWord.NEARLY_FULL),
        (850, HouseWord.NEARLY_FULL),
        (849, HouseWord.THREE_QUARTERS),
        (649, HouseWord.HALF),
        (449, HouseWord.THIRD),
        (279, HouseWord.QUARTER),
        (0, HouseWord.QUARTER),
    ],
)
def test_house_in_words(share: int, word: HouseWord) -> None:
    assert house_word(share) is word


@pytest.mark.parametrize(
    ("mood", "word"),
    [
        (7_500, MoodWord.DEVOTED),
        (7_499, MoodWord.WARM),
        (5_499, MoodWord.WAITS_AND_SEES),
        (4_499, MoodWord.COOL),
        (2_999, MoodWord.SOUR),
        (0, MoodWord.SOUR),
    ],
)
def test_mood_in_words(mood: int, word: MoodWord) -> None:
    assert mood_word(mood) is word
