"""Awards are given by published formulas, and honours by a published rule."""

import datetime as dt

import pytest

from corridas.world.awards import (
    BULL,
    BY_KEY,
    FORMULAS,
    HERD,
    LIDIA,
    REVELATION,
    TRIUMPH,
    Prize,
    new,
    points,
    prizes,
)
from corridas.world.honours import ENTRY, SEASONS, Career
from tests.corridas.world.test_records import afternoon, bout


def given(*afternoons: object, fresh: tuple[int, ...] = (), **least: int) -> dict[str, Prize]:
    return {one.key: one for one in prizes(afternoons, fresh, **least)}  # type: ignore[arg-type]


def test_all_awards_are_given_in_the_order_of_the_formulas() -> None:
    told = prizes([afternoon(bout(1, trophy=1))], [1])
    assert [one.key for one in told] == [formula.key for formula in FORMULAS]


def test_triumph_award_goes_to_the_matador_with_most_points() -> None:
    told = given(afternoon(bout(1, trophy=3, vuelta=True), bout(2, trophy=2, avisos=1), bout(3)))
    prize = told[TRIUMPH]
    assert (prize.matador, prize.score) == (1, 2 * 3 + 3 + 1)
    assert prize.detail()["terms"][:2] == [["ears", 2, 3], ["tails", 1, 3]]
    assert prize.score == sum(number * weight for _of, number, weight in prize.detail()["terms"])


def test_tied_matadors_are_ordered_by_the_published_criteria() -> None:
    level = afternoon(bout(1, trophy=1), bout(2, trophy=1), bout(3))
    assert given(level)[TRIUMPH].matador == 1
    more_ears = afternoon(bout(1, ending="spared", avisos=1), bout(2, trophy=1))
    assert given(more_ears)[TRIUMPH].matador == 2


def test_best_lidia_and_best_bull_awards_name_the_lidia() -> None:
    told = given(
        afternoon(
            bout(1, score=9, trophy=1), bout(2, score=20), bull_points := bout(3, bull_points=30)
        )
    )
    assert (told[LIDIA].corrida, told[LIDIA].turn, told[LIDIA].score) == (7, 2, 20)
    assert (told[BULL].bull, told[BULL].matador) == (bull_points.bull_id, 3)


def test_equal_lidias_are_ordered_by_number_and_then_by_day() -> None:
    early, late = (afternoon(bout(1, score=9, number=50), corrida=day) for day in (3, 5))
    assert given(late, early)[LIDIA].corrida == 3
    higher = afternoon(bout(1, score=9, number=51), corrida=9)
    assert given(late, early, higher)[LIDIA].corrida == 9


def test_herd_award_is_a_mean_in_hundredths_and_needs_enough_bulls() -> None:
    day = afternoon(*(bout(turn, bull_points=2) for turn in range(1, 7)))
    assert given(day)[HERD].score == 200
    assert given(day)[HERD].detail()["bulls"] == 6
    assert given(day, least_bulls=7)[HERD] == Prize(HERD)


def test_award_without_positive_points_is_not_given() -> None:
    told = given(afternoon(bout(1, avisos=2, score=-4, bull_points=-3), bout(2)._replace(score=0)))
    assert told[TRIUMPH] == Prize(TRIUMPH)
    assert told[REVELATION] == Prize(REVELATION)
    assert told[TRIUMPH].detail() == {"terms": []}


def test_revelation_award_goes_to_a_new_matador() -> None:
    day = afternoon(bout(1, trophy=3), bout(2, trophy=1))
    assert given(day, fresh=(2, 3))[REVELATION].matador == 2


@pytest.mark.parametrize(("year", "fresh"), [(2027, {2}), (2028, {2, 3}), (2026, {1})])
def test_matador_is_new_in_the_year_of_his_alternativa_and_the_next(
    year: int, fresh: set[int]
) -> None:
    days = {1: dt.date(2025, 4, 1), 2: dt.date(2027, 4, 1), 3: dt.date(2028, 4, 1), 4: None}
    assert new(year, days, [1, 2, 3, 4]) == fresh


def test_old_alternativas_do_not_count_as_new() -> None:
    days = {one: dt.date(1900 + one, 4, 1) for one in range(1, 9)} | {9: None}
    assert new(2027, days, range(1, 10)) == set()
    assert new(2027, {}, [1]) == set()


def test_version_1_of_the_rules_treats_the_latest_alternativas_as_new() -> None:
    days = {one: dt.date(1900 + one, 4, 1) for one in range(1, 9)} | {9: None}
    assert new(2027, days, range(1, 10), version=1) == {4, 5, 6, 7, 8}
    assert new(2027, days, [2, 1], version=1) == {1, 2}
    assert new(1908, days, range(1, 10), version=1) == {7, 8}
    same_day = dict.fromkeys(range(1, 9), dt.date(1900, 4, 1))
    assert new(2027, same_day, range(1, 9), version=1) == {4, 5, 6, 7, 8}


def test_award_score_can_be_recalculated_from_its_details() -> None:
    formula = BY_KEY[HERD]
    assert points(formula, {"bull_points": 10, "ears": 2, "bulls": 3}) == 100 * 16 // 3


def test_hall_of_fame_needs_five_seasons_and_enough_points() -> None:
    counts = {"ears": ENTRY}
    assert Career(1, SEASONS, counts).inside
    assert not Career(1, SEASONS - 1, counts).inside
    assert not Career(1, SEASONS, {"ears": ENTRY - 1}).inside
