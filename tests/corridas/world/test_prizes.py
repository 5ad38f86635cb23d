"""Awards: points of each result, ties, new matadors, and admission to the hall of fame."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from corridas.world.awards import (
    BULL,
    BY_KEY,
    HERD,
    LIDIA,
    REVELATION,
    SEASON_BULLS,
    TRIUMPH,
    Prize,
    new,
    points,
    prizes,
)
from corridas.world.deeds import PlayedCorrida, PlayedLidia
from corridas.world.honours import Career
from tests.corridas.world.test_records import afternoon, bout

WEIGHTS = {
    TRIUMPH: {"ears": 3, "tails": 3, "indultos": 4, "vueltas": 1, "avisos": -1, "three_avisos": -3},
    LIDIA: {"score": 1, "ears": 10, "tails": 10, "indultos": 15},
    BULL: {"bull_points": 1, "indultos": 15, "ears": 3, "vueltas": 2},
    HERD: {"bull_points": 100, "indultos": 1500, "ears": 300, "three_avisos": -500},
}
WEIGHTS[REVELATION] = WEIGHTS[TRIUMPH]
COUNTS = {name for weights in WEIGHTS.values() for name in weights} | {"corridas", "number"}


@pytest.mark.parametrize("key", WEIGHTS)
def test_points_of_each_result_in_each_award_formula(key: str) -> None:
    formula = BY_KEY[key]
    told = {name: points(formula, {name: 1, "bulls": 1}) for name in COUNTS}
    assert {name: worth for name, worth in told.items() if worth} == WEIGHTS[key]


@pytest.mark.parametrize(("total", "bulls", "mean"), [(1, 3, 33), (2, 3, 66), (-1, 3, -34)])
def test_mean_of_a_herd_is_rounded_down(total: int, bulls: int, mean: int) -> None:
    assert points(BY_KEY[HERD], {"bull_points": total, "bulls": bulls}) == mean


def given(
    *days: PlayedCorrida, fresh: tuple[int, ...] = (1, 2, 3), **least: int
) -> dict[str, Prize]:
    return {one.key: one for one in prizes(days, fresh, **least)}


# Ties between matadors; matador 1 would win by all criteria after the one tested


def man(matador: int, *brought: dict[str, Any]) -> list[PlayedLidia]:
    start = 3 * (matador - 1)
    return [bout(start + turn, matador, **one) for turn, one in enumerate(brought, start=1)]


LAP = {"vuelta": True}
MEN: list[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]] = [
    ("more ears", [{"ending": "spared"}], [{"trophy": 1, "vuelta": True}]),
    ("more tails", [{"trophy": 2, **LAP}, LAP, LAP], [{"trophy": 3}]),
    ("more indultos", [LAP, LAP, LAP, LAP], [{"ending": "spared"}]),
    ("fewer avisos", [{"trophy": 1, "avisos": 1, **LAP}], [{"trophy": 1}]),
]


@pytest.mark.parametrize("key", [TRIUMPH, REVELATION])
@pytest.mark.parametrize(("tie", "senior", "junior"), MEN)
def test_matadors_with_equal_points_are_ordered_by_this_criterion(
    tie: str, senior: list[dict[str, Any]], junior: list[dict[str, Any]], key: str
) -> None:
    told = given(afternoon(*man(1, *senior), *man(2, *junior)))[key]
    assert told.matador == 2, tie
    alone = given(afternoon(*man(1, *senior)))[key]
    assert alone.score == told.score, "their points are equal"


@pytest.mark.parametrize("key", [TRIUMPH, REVELATION])
def test_tied_matador_with_fewer_corridas_wins(key: str) -> None:
    ears = {"trophy": 1}
    both = afternoon(*man(1, ears), *man(2, ears), corrida=3)
    alone = afternoon(corrida=5)._replace(matadors=(1, 3))
    assert given(both, alone)[key].matador == 2
    assert given(both)[key].matador == 1, "the matador who joined the circuit first"
    # The matador with fewer corridas wins although he has more avisos.
    warned = afternoon(*man(1, ears), *man(2, {**ears, "avisos": 1, **LAP}), corrida=3)
    assert given(warned, alone)[key].matador == 2


def test_more_points_win_whatever_the_criteria_for_ties_say() -> None:
    told = given(afternoon(*man(1, {"ending": "spared"}, LAP), *man(2, {"trophy": 1, **LAP})))
    assert (told[TRIUMPH].matador, told[TRIUMPH].score) == (1, 5)


@pytest.mark.parametrize(
    ("fresh", "to"), [((), None), ((2,), 2), ((3,), None), ((2, 3), 2), ((1, 2), 1)]
)
def test_only_new_matadors_can_win_the_revelation_award(
    fresh: tuple[int, ...], to: int | None
) -> None:
    told = given(afternoon(*man(1, {"trophy": 3}), *man(2, {"trophy": 1})), fresh=fresh)
    assert told[REVELATION].matador == to
    assert told[TRIUMPH].matador == 1


# Awards for a lidia or a bull


def moment(number: int = 40, corrida: int = 7, turn: int = 1, **brought: Any) -> PlayedCorrida:
    plain = {"score": 0, "bull_points": 0}
    return afternoon(bout(turn, number=number, **plain | brought), corrida=corrida)


MOMENTS: list[tuple[str, str, PlayedCorrida, PlayedCorrida]] = [
    (LIDIA, "points", moment(90, 3, score=10), moment(10, 9, score=11)),
    (LIDIA, "the higher number", moment(40, 3, score=10), moment(41, 9, trophy=1)),
    (LIDIA, "the higher score", moment(40, 3, trophy=1), moment(40, 9, score=10)),
    (LIDIA, "the earlier date", moment(40, 9, score=10), moment(40, 3, turn=6, score=10)),
    (BULL, "points", moment(corrida=3, bull_points=5, score=9), moment(corrida=9, bull_points=6)),
    (
        BULL,
        "more points of the bull",
        moment(corrida=3, bull_points=3, vuelta=True, score=50),
        moment(corrida=9, bull_points=5),
    ),
    (
        BULL,
        "the higher score",
        moment(corrida=3, bull_points=5, score=4),
        moment(corrida=9, bull_points=5, score=5),
    ),
    (
        BULL,
        "the earlier date",
        moment(corrida=9, bull_points=5),
        moment(corrida=3, turn=6, bull_points=5),
    ),
]


@pytest.mark.parametrize(("key", "tie", "behind", "ahead"), MOMENTS)
def test_bulls_with_equal_scores_are_ordered_by_this_criterion(
    key: str, tie: str, behind: PlayedCorrida, ahead: PlayedCorrida
) -> None:
    for days in ((behind, ahead), (ahead, behind)):
        prize = given(*days)[key]
        assert (prize.corrida, prize.turn) == (ahead.pk, ahead.lidias[0].turn), tie


@pytest.mark.parametrize("key", [LIDIA, BULL])
def test_tied_bulls_of_one_day_are_ordered_by_corrida_and_turn(key: str) -> None:
    level = {"score": 9, "bull_points": 9}
    first = moment(corrida=3, turn=5, **level)
    second = moment(corrida=4, turn=1, **level)._replace(date=first.date)
    for days in ((first, second), (second, first)):
        assert given(*days)[key].corrida == 3
    turns = afternoon(bout(4, number=40, **level), bout(2, number=40, **level))
    assert given(turns)[key].turn == 2


def test_award_for_a_lidia_names_matador_herd_and_bull() -> None:
    prize = given(afternoon(bout(2, 3, score=20)))[LIDIA]
    assert prize[3:] == (3, 50, 102, 7, 2)


def test_bull_of_a_lidia_broken_off_wins_no_award() -> None:
    nobodys = bout(1, score=None, bull_points=99)._replace(finisher_id=None)
    told = given(afternoon(nobodys, bout(2, score=1, bull_points=1)))
    assert (told[LIDIA].turn, told[BULL].turn) == (2, 2)


# Awards for a herd


def herd_day(herd: int, *brought: dict[str, Any], corrida: int = 7) -> PlayedCorrida:
    bulls = (bout(turn, **{"bull_points": 0} | one) for turn, one in enumerate(brought, start=1))
    return afternoon(*bulls, corrida=corrida)._replace(herd_key=herd)


HERDS: list[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]] = [
    ("a higher mean", [{"bull_points": 5}, {}], [{"bull_points": 3}]),
    ("more indultos", [{"bull_points": 15}], [{"ending": "spared"}]),
    ("more ears", [{"bull_points": 3}], [{"trophy": 1}]),
    ("more bulls", [{"bull_points": 2}], [{"bull_points": 2}, {"bull_points": 2}]),
]


@pytest.mark.parametrize(("tie", "first", "second"), HERDS)
def test_herds_with_equal_means_are_ordered_by_this_criterion(
    tie: str, first: list[dict[str, Any]], second: list[dict[str, Any]]
) -> None:
    told = given(herd_day(50, *first, corrida=3), herd_day(60, *second, corrida=5))
    assert told[HERD].herd == 60, tie


def test_herd_that_came_first_wins_a_complete_tie() -> None:
    days = herd_day(60, {"trophy": 1}, corrida=3), herd_day(50, {"trophy": 1}, corrida=5)
    assert given(*days)[HERD].herd == 50


def test_herd_award_counts_all_its_bulls_even_of_broken_off_lidias() -> None:
    broken = bout(3, bull_points=4)._replace(finisher_id=None)
    days = herd_day(50, {"trophy": 1}, corrida=3), afternoon(bout(1, bull_points=2), broken)
    prize = given(*days)[HERD]
    assert (prize.score, prize.detail()["bulls"]) == (100 * 9 // 3, 3)


@pytest.mark.parametrize(
    ("bulls", "awarded"), [(SEASON_BULLS - 1, False), (SEASON_BULLS, True), (11, False), (12, True)]
)
def test_herd_needs_twelve_bulls_for_the_award_of_a_season(bulls: int, awarded: bool) -> None:
    days = [herd_day(50, {"trophy": 1}, corrida=day) for day in range(1, bulls + 1)]
    assert (given(*days, least_bulls=SEASON_BULLS)[HERD].herd == 50) is awarded
    assert given(*days)[HERD].herd == 50


@pytest.mark.parametrize(("avisos", "to"), [(1, 1), (2, 1), (3, None), (4, None)])
def test_award_needs_more_than_0_points(avisos: int, to: int | None) -> None:
    told = given(afternoon(bout(1, trophy=1, avisos=avisos)))
    assert (told[TRIUMPH].matador, told[TRIUMPH].score) == (to, 3 - avisos if to else 0)


# New matadors


@pytest.mark.parametrize(("day", "fresh"), [
    (dt.date(2027, 1, 1), True),
    (dt.date(2027, 12, 31), True),
    (dt.date(2026, 1, 1), True),
    (dt.date(2025, 12, 31), False),
    (dt.date(2028, 1, 1), False),
])  # fmt: skip
def test_matador_is_new_for_two_years_after_his_alternativa(day: dt.date, fresh: bool) -> None:
    known = {1: day, 2: dt.date(2027, 6, 1)}
    assert (1 in new(2027, known, [1, 2])) is fresh


def test_new_matador_must_have_appeared() -> None:
    known = {1: dt.date(2027, 1, 1), 2: dt.date(2027, 1, 1)}
    assert new(2027, known, [2]) == {2}


# The hall of fame


def test_points_of_each_honour_in_the_hall_of_fame() -> None:
    names = ("leads", "season_awards", "feria_awards", "indultos", "tails", "ears", "corridas")
    told = [Career(1, 9, {name: 1}).points for name in names]
    assert told == [30, 15, 3, 3, 2, 1, 0]


@pytest.mark.parametrize(
    ("seasons", "ears", "inside"),
    [(5, 750, True), (4, 750, False), (5, 749, False), (6, 751, True)],
)
def test_hall_of_fame_needs_five_seasons_and_750_points(
    seasons: int, ears: int, inside: bool
) -> None:
    assert Career(1, seasons, {"ears": ears}).inside is inside
