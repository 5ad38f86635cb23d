"""The ranking of matadors: the order of ties, the ranking as of a day, and the race chart."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

import pytest

from corridas.escalafon.queries import ranking
from corridas.escalafon.queries.ranking import (
    Counts,
    Finish,
    MatadorNames,
    Paseillo,
    SeasonResults,
    Standing,
    _finishes,
    form,
    places,
    ranked,
)
from corridas.results import LETTERS, VERDICTS, loudness, verdict
from corridas.world.ranking import rank_key

BASE = {"corridas": 5, "ears": 5, "tails": 5, "indultos": 5, "avisos": 5}
CRITERIA = ("corridas", "ears", "tails", "indultos", "avisos")
BETTER = {"corridas": 1, "ears": 1, "tails": 1, "indultos": 1, "avisos": -1}


def better_in(criterion: str) -> dict[str, int]:
    """Return a row that is tied up to a criterion, better by one in it and far worse in all
    later ones.
    """
    row = dict(BASE)
    row[criterion] += BETTER[criterion]
    for later in CRITERIA[CRITERIA.index(criterion) + 1 :]:
        row[later] -= 3 * BETTER[later]
    return row


@pytest.mark.parametrize("criterion", CRITERIA)
def test_each_ranking_criterion_breaks_ties_of_the_criteria_before_it(criterion: str) -> None:
    assert rank_key(better_in(criterion), "Zeta") < rank_key(BASE, "Alfa")


def test_complete_ties_are_broken_by_name_and_by_no_other_counter() -> None:
    assert rank_key(BASE, "Alfa") < rank_key(BASE, "Zeta")
    for name in ("bulls", "vueltas", "three_avisos", "two_ears", "injuries"):
        assert rank_key({**BASE, name: 99}, "Alfa") == rank_key(BASE, "Alfa")


def person(name: str, apodo: str = "") -> MatadorNames:
    return MatadorNames(name.lower(), apodo or name, name, "Ronda")


def test_places_count_from_one_and_a_matador_without_corridas_has_none() -> None:
    who = {1: person("Uno"), 2: person("Dos"), 3: person("Tres")}
    counts = {
        1: Counter(corridas=1),
        2: Counter(corridas=2, bulls=4, ears=3, avisos=1),
        3: Counter(bulls=9, ears=9),
    }
    lines = ranked(counts, who)
    assert [(line.place, line.pk, line.name) for line in lines] == [(1, 2, "Dos"), (2, 1, "Uno")]
    assert (lines[0].ears, lines[0].avisos, lines[0].rate, lines[1].rate) == (3, 1, 0.75, 0.0)


def test_ties_are_broken_by_the_full_name_not_by_the_name_on_posters() -> None:
    who = {1: person("Zeta", apodo="Aaa"), 2: person("Alfa", apodo="Zzz")}
    level = {1: Counter(corridas=1), 2: Counter(corridas=1)}
    assert [line.pk for line in ranked(level, who)] == [2, 1]


# The ranking as of a day


def on(day: int) -> dt.date:
    return dt.date(2027, 3, day)


def paseillo(day: int, matador: int, category: int = 1) -> Paseillo:
    return Paseillo(on(day), 100 + day, category, matador)


def finish(day: int, matador: int, category: int = 1, **brought: Any) -> Finish:
    plain: dict[str, Any] = {"trophy": 0, "vuelta": False, "ending": "killed"}
    plain |= {"avisos": 0, "verdict": "silencio"} | brought
    return Finish(on(day), 100 + day, 1, category, matador, **plain)


COURSE = SeasonResults(
    (paseillo(2, 1), paseillo(4, 1, 2), paseillo(4, 2, 2), paseillo(6, 2, 3)),
    (finish(2, 1, trophy=1), finish(4, 2, 2, trophy=2), finish(6, 2, 3, trophy=3)),
)


@pytest.mark.parametrize(
    ("until", "categories", "paseillos", "finishes"),
    [
        (None, (1, 2, 3), [2, 4, 4, 6], [2, 4, 6]),
        (1, (1, 2, 3), [], []),
        (3, (1, 2, 3), [2], [2]),
        (4, (1, 2, 3), [2, 4, 4], [2, 4]),
        (6, (1, 2, 3), [2, 4, 4, 6], [2, 4, 6]),
        (None, (2,), [4, 4], [4]),
        (4, (1, 3), [2], [2]),
        (None, (), [], []),
    ],
)
def test_results_until_a_day_include_that_day(
    until: int | None, categories: tuple[int, ...], paseillos: list[int], finishes: list[int]
) -> None:
    part = COURSE.up_to(on(until) if until else None, categories)
    assert [one.day.day for one in part.paseillos] == paseillos
    assert [one.day.day for one in part.finishes] == finishes


def test_the_days_of_a_season_are_listed_once_each() -> None:
    assert COURSE.days == [on(2), on(4), on(6)]


def test_the_results_of_a_season_can_be_summed_by_matador() -> None:
    tally = Counts()
    tally.add(COURSE)
    assert {key: dict(+row) for key, row in tally.counts.items()} == {
        1: {"corridas": 2, "bulls": 1, "ears": 1},
        2: {"corridas": 2, "bulls": 2, "ears": 4, "tails": 1, "two_ears": 2},
    }


def test_places_are_those_at_the_end_of_each_day() -> None:
    who = {1: person("Uno"), 2: person("Dos")}
    days = [on(1), on(2), on(3), on(4), on(6)]
    assert places(COURSE, days, who) == [{}, {1: 1}, {1: 1}, {1: 1, 2: 2}, {2: 1, 1: 2}]


def test_form_of_a_matador_lists_his_last_ten_results_with_the_newest_last() -> None:
    names = [VERDICTS[number % 9] for number in range(12)]
    bulls = tuple(finish(day + 1, 1, verdict=name) for day, name in enumerate(names))
    course = SeasonResults((), (*bulls, finish(20, 2, verdict="rabo")))
    assert form(course) == {1: names[2:], 2: ["rabo"]}


def test_a_finished_lidia_is_built_from_its_columns() -> None:
    row = (on(2), 102, 5, 3, 9, 2, True, "spared", 1, None)
    (told,) = _finishes([row])
    assert told == Finish(on(2), 102, 5, 3, 9, 2, True, "spared", 1, "dos")
    nobody = (on(2), 102, 5, 3, None, None, None, "broken_off", 2, None)
    assert list(_finishes([nobody])) == []
    (bare,) = _finishes([(on(2), 102, 5, 3, 9, None, None, "three_avisos", None, 1)])
    assert bare == Finish(on(2), 102, 5, 3, 9, 0, False, "three_avisos", 0, "bronca")


# The race chart


def line(place: int, pk: int) -> Standing:
    counts: Any = dict.fromkeys(
        ("corridas", "bulls", "ears", "tails", "vueltas", "indultos", "avisos", "three_avisos"), 1
    )
    return Standing(
        place=place, pk=pk, slug=str(pk), name="", full_name="", birthplace="", **counts
    )


def test_ranks_gained_are_the_old_rank_minus_the_new_rank() -> None:
    lines = [line(1, 10), line(2, 20), line(3, 30), line(4, 40)]
    before = {10: 2, 20: 1, 30: 3}
    assert [gained for _line, gained in ranking.moved(lines, before)] == [1, -1, 0, None]
    assert [gained for _line, gained in ranking.moved(lines, None)] == [None] * 4


def test_rank_changes_are_measured_from_the_milestone_before_the_last() -> None:
    who = {1: person("Uno"), 2: person("Dos")}

    def asked(*marks: int) -> dict[int, int] | None:
        return ranking.Ranking(COURSE, COURSE, [], who, [(on(day), "") for day in marks]).before()

    assert asked() is None
    assert asked(6) is None
    assert asked(2, 6) == {1: 1}
    assert asked(2, 4, 6) == {1: 1, 2: 2}


def days(*found: int) -> list[dt.date]:
    return [dt.date(2027, 1, 1) + dt.timedelta(day) for day in found]


def marks(season: list[int], *ferias: tuple[int, str, int]) -> list[tuple[int, str]]:
    told = ranking.milestones(
        days(*season), [(days(end)[0], name, corridas) for end, name, corridas in ferias]
    )
    return [((day - dt.date(2027, 1, 1)).days, name) for day, name in told]


@pytest.mark.parametrize(
    ("season", "ferias", "expected"),
    [
        ([], [(3, "A", 5)], []),
        ([5], [], [(5, "")]),
        # Milestones are the dates of the race chart. Ferias that end before the last corrida are
        # milestones, in the order of their dates.
        ([0, 50], [(20, "B", 3), (10, "A", 2)], [(10, "A"), (20, "B"), (50, "")]),
        # A feria that ends with the season or after it is no milestone of the chart. Only one feria
        # is left, but two are needed.
        ([0, 50], [(10, "A", 2), (50, "B", 9)], [(0, ""), (50, "")]),
        # If two ferias end five days apart, only the longer one is a milestone of the chart. Six
        # days are enough for both.
        ([0, 50], [(10, "A", 2), (15, "B", 3), (30, "C", 1)], [(15, "B"), (30, "C"), (50, "")]),
        ([0, 50], [(10, "A", 2), (16, "B", 3)], [(10, "A"), (16, "B"), (50, "")]),
        # Ferias are preferred as milestones to series of single dates, however many dates these
        # have.
        (
            [0, 50],
            [(10, "A", 2), (14, "Temporada de X", 40), (30, "C", 1)],
            [(10, "A"), (30, "C"), (50, "")],
        ),
        # A feria that ends three days before the last corrida is no milestone of the chart; four
        # days are enough.
        ([0, 50], [(10, "A", 1), (47, "B", 1)], [(10, "A"), (50, "")]),
        ([0, 50], [(10, "A", 1), (46, "B", 1)], [(10, "A"), (46, "B"), (50, "")]),
        # If there are not two ferias, the corridas themselves are milestones of the chart, however
        # close to the last.
        ([0, 1, 2], [(1, "A", 9)], [(0, ""), (1, ""), (2, "")]),
    ],
)
def test_milestones_of_the_race_chart_are_ferias_or_corridas(
    season: list[int], ferias: list[tuple[int, str, int]], expected: list[tuple[int, str]]
) -> None:
    assert marks(season, *ferias) == expected


def test_the_race_chart_has_at_most_twelve_milestones() -> None:
    ferias = [(end, f"F{end}", 100 - end) for end in range(6, 200, 6)]
    assert marks([0, 300], *ferias) == [*((end, f"F{end}") for end in range(6, 72, 6)), (300, "")]
    assert [day for day, _name in marks(list(range(25)))] == [*range(0, 22, 2), 24]
    assert [day for day, _name in marks(list(range(24)))] == [*range(0, 22, 2), 23]
    assert [day for day, _name in marks(list(range(23)))] == [*range(11), 22]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Feria de San Isidro", "San Isidro"),
        ("Feria de la Magdalena", "Magdalena"),
        ("Feria de los Toros", "Toros"),
        ("Feria de las Fallas", "Fallas"),
        ("Feria del Pilar", "Pilar"),
        ("La Feria de Abril", "La Feria de Abril"),
    ],
)
def test_the_short_name_of_a_feria_drops_feria_de(name: str, short: str) -> None:
    assert ranking.short(name) == short


# Verdicts


@pytest.mark.parametrize(
    ("trophy", "crowd", "name"),
    [
        (3, None, "rabo"),
        (2, None, "dos"),
        (1, None, "oreja"),
        (1, 1, "oreja"),
        (0, 6, "ovacion"),
        (0, 5, "aplausos"),
        (0, 4, "division"),
        (0, 3, "silencio"),
        (0, 2, "pitos"),
        (None, 1, "bronca"),
        (0, None, None),
        (None, None, None),
    ],
)
def test_the_verdict_of_a_lidia_is_its_trophy_or_the_reaction_of_the_crowd(
    trophy: int | None, crowd: int | None, name: str | None
) -> None:
    assert verdict(trophy, crowd) == name


def test_a_spared_bull_counts_as_much_as_two_ears() -> None:
    assert [loudness(name) for name in VERDICTS] == list(range(9))
    assert loudness("r-indulto") == loudness("dos") == 7
    letters = ["bronca", *VERDICTS[:8], "r-indulto", "rabo"]
    assert [LETTERS[letter] for letter in "XBPSDAO12IR"] == letters
