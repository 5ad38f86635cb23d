"""Queries of a circuit's history.

They return rows of their own circuit and season only, and only what is posted.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

import pytest
from django.db import transaction
from django.db.models import Q
from pytest_django.plugin import DjangoDbBlocker

from corridas import calendar, results
from corridas import circuit_queries as circuits
from corridas.engine import Tally
from corridas.escalafon.queries import awards, careers, profiles, ranking, yearbook
from corridas.escalafon.queries import records as queries_records
from corridas.models import (
    Award,
    CircuitCopy,
    Corrida,
    Feria,
    Lidia,
    Matador,
    Palmares,
    Record,
    Winter,
)
from corridas.simulation import winter_queries
from corridas.simulation.derived_book import book_until
from corridas.simulation.post import post_now
from corridas.world.honours import Career
from corridas.world.ranking import COLUMNS
from tests.corridas.pages.conftest import World
from tests.corridas.simulation.arena import NOW, day_of, fight, in_year, post, twins
from tests.factories import record_book

pytestmark = pytest.mark.django_db

S = Corrida.State


@dataclass
class History:
    """Two seasons of a circuit, the first one over, and a corrida of another circuit with many
    trophies.
    """

    mine: World
    later: World
    other: World
    first: Corrida
    broken: Corrida
    third: Corrida
    aired: Corrida
    waiting: Corrida
    foreign: Corrida


FIRST = (
    {"trophy": 3, "score": 30, "bull_points": 9},
    {"trophy": 1, "vuelta": True},
    {"avisos": 2},
    {"trophy": 2, "score": 40, "ending": "spared"},
    {"injured": 2, "finisher": 2, "ending": "three_avisos", "avisos": 3, "crowd": 1},
    {"crowd": 6},
)
NOBODYS = {"ending": "broken_off", "finisher": None, "trophy": None, "crowd": None, "avisos": 1}
WILD = {"trophy": 3, "ending": "spared", "avisos": 2, "vuelta": True, "score": 99}


def lived() -> History:
    mine, other = twins()
    first = fight(mine, mine.announce(day_of(mine, 2)), *FIRST)
    broken = fight(mine, mine.announce(day_of(mine, 4, 4), 1, 1), {"trophy": 2}, NOBODYS, bulls=2)
    for corrida in (first, broken):
        post_now(corrida.pk, at=NOW)
    foreign = post(other, day_of(other, 2), {**WILD, "injured": 1}, *[WILD] * 5)
    later = in_year(mine, 2028)
    aired = fight(later, later.announce(day_of(later, 6)), *[WILD] * 6)
    Corrida.objects.filter(pk=aired.pk).update(ends_at=NOW + dt.timedelta(hours=1))
    Lidia.objects.filter(corrida=aired, turn__gt=1).update(ends_at=NOW + dt.timedelta(hours=1))
    waiting = later.announce(day_of(later, 8))
    third = post(later, day_of(later, 3), {"trophy": 1})
    for corrida in (first, broken, aired, third):
        corrida.refresh_from_db()
    return History(mine, later, other, first, broken, third, aired, waiting, foreign)


@pytest.fixture(scope="module")
def history(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[History]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield lived()
        transaction.set_rollback(True)


def place_of(world: World, matador: int | None) -> int | None:
    places = {one.pk: place for place, one in enumerate(world.matadors)}
    return None if matador is None else places[matador]


SEASON_2027 = {
    0: {"corridas": 1, "bulls": 2, "ears": 4, "tails": 1, "indultos": 1},
    1: {"corridas": 2, "bulls": 2, "ears": 3, "vueltas": 1},
    2: {"corridas": 2, "bulls": 3, "avisos": 5, "three_avisos": 1},
    3: {"corridas": 1},
}
SEASON_2028 = {
    0: {"corridas": 1, "bulls": 2, "ears": 1},
    1: {"corridas": 1, "bulls": 2},
    2: {"corridas": 1, "bulls": 2},
}


# The escalafón (ranking of matadors)


def test_stored_counters_are_those_of_the_season(history: History) -> None:
    for world, expected in ((history.mine, SEASON_2027), (history.later, SEASON_2028)):
        told = ranking.counted(world.season)
        assert {place_of(world, key): dict(+row) for key, row in told.items()} == expected


def test_the_results_of_a_season_add_up_to_its_stored_counters(history: History) -> None:
    for world in (history.mine, history.later, history.other):
        tally = ranking.Counts()
        tally.add(ranking.course_of(world.season))
        for key, row in ranking.counted(world.season).items():
            assert row == {name: tally.counts[key][name] for name in COLUMNS}


def test_the_results_of_a_season_are_sorted_by_day_and_exclude_a_corrida_on_air(
    history: History,
) -> None:
    told = ranking.course_of(history.mine.season)
    assert [one.corrida for one in told.paseillos] == [history.first.pk] * 3 + [
        history.broken.pk
    ] * 3
    assert [one.turn for one in told.finishes] == [1, 2, 3, 4, 5, 6, 1]
    assert [one.verdict for one in told.finishes] == [
        *("rabo", "oreja", "silencio", "dos", "bronca", "ovacion", "dos")
    ]
    assert {one.corrida for one in ranking.course_of(history.later.season).paseillos} == {
        history.third.pk
    }


@pytest.mark.parametrize(
    ("categories", "until", "order"),
    [
        ((1, 2, 3), None, [1, 2, 0, 3]),
        ((1,), None, [0, 1, 2]),
        ((2,), None, [1, 2, 3]),
        ((3,), None, []),
        ((1, 2, 3), dt.date(2027, 3, 2), [0, 1, 2]),
        ((1, 2, 3), dt.date(2027, 3, 1), []),
        ((2,), dt.date(2027, 4, 3), []),
        ((2,), dt.date(2027, 4, 4), [1, 2, 3]),
    ],
)
def test_the_ranking_can_be_filtered_by_category_and_day(
    history: History, categories: tuple[int, ...], until: dt.date | None, order: list[int]
) -> None:
    told = ranking.ranking_of(history.mine.season, categories, until)
    assert [place_of(history.mine, line.pk) for line in told.lines] == order
    if until is None:
        lines = ranking.standings(history.mine.season, categories)
        assert [line.pk for line in lines] == [line.pk for line in told.lines]


def test_the_ranking_gives_every_matador_s_place_before_the_last_feria(history: History) -> None:
    told = ranking.ranking_of(history.mine.season)
    before = told.before()
    assert before is not None
    assert {place_of(history.mine, key): place for key, place in before.items()} == {
        0: 1,
        1: 2,
        2: 3,
    }
    gained = {place_of(history.mine, line.pk): by for line, by in ranking.moved(told.lines, before)}
    assert gained == {1: 1, 2: 1, 0: -2, 3: None}


# The career of a matador


def test_a_career_lists_each_season_with_its_place_and_totals(history: History) -> None:
    matador = history.mine.matadors[0]
    told = careers.years_of(matador)
    assert [(one.year, one.place, one.of, one.ears, one.bulls) for one in told.lines] == [
        (2028, 1, 3, 1, 2),
        (2027, 3, 4, 4, 2),
    ]
    assert (told.best, told.leads) == (1, 1)
    assert told.total == {
        "corridas": 2, "bulls": 4, "ears": 5, "tails": 1, "vueltas": 0, "indultos": 1,
        "avisos": 0, "three_avisos": 0, "injuries": 0,
    }  # fmt: skip
    assert careers.years_of(history.mine.matadors[1]).total["injuries"] == 1
    lines = profiles.career(matador)
    assert [(one.year, one.line.place, one.of) for one in lines] == [(2028, 1, 3), (2027, 3, 4)]
    nobody = careers.years_of(Matador(pk=0))
    assert (nobody.lines, nobody.best, nobody.leads) == ((), 0, 0)


def test_the_rating_of_a_year_is_that_of_the_last_card_printed_until_then(history: History) -> None:
    cards = [(0, 80), (2028, 85), (2030, 90)]
    told = [careers._rating(cards, year) for year in (1999, 2027, 2028, 2029, 2030, 2031)]
    assert told == [80, 80, 85, 85, 90, 90]
    assert careers._rating([(2028, 85)], 2027) is None


def test_a_matador_s_profile_lists_bulls_appearances_and_injuries(history: History) -> None:
    matador, hurt = history.mine.matadors[:2]
    assert [one.corrida_id for one in profiles.finished_by(matador)] == [
        *([history.third.pk] * 2),
        *([history.first.pk] * 2),
    ]
    assert profiles.appearances(matador, [2027]) == [history.first]
    assert profiles.appearances(matador, [2028]) == [history.third]
    for until, found in ((history.third.date, [history.third]), (history.first.date, [])):
        assert profiles.appearances(matador, [2028], until) == found
    assert [(one.corrida, one.turn) for one in profiles.injuries(hurt)] == [(history.first, 5)]
    assert list(profiles.injuries(matador)) == []


def test_totals_of_fights_count_trophies_avisos_and_endings(history: History) -> None:
    own = Lidia.objects.filter(corrida__season=history.mine.season)
    whole = profiles.sums(own)
    assert whole == profiles.Sums(
        corridas=2,
        bulls=8,
        ears=7,
        tails=1,
        indultos=1,
        avisos=6,
        three_avisos=1,
        broken_off=whole.broken_off,
    )
    assert whole.broken_off == own.filter(finisher=None).count()
    assert whole.killed == own.filter(ending="killed").count()
    by_corrida = profiles.sums_by(own, "corrida_id")
    assert profiles.total(by_corrida.values()) == whole
    assert profiles.total([]) == profiles.sums(own.none())
    assert profiles.sums(own.none()).avisos == 0
    great = profiles.great(profiles.posted_lidias().filter(corrida=history.first), 9)
    assert [one.turn for one in great] == [4, 1]
    assert len(profiles.great(profiles.posted_lidias(), 2)) == 2


def test_best_matadors_are_sorted_by_ears_then_fewer_bulls_then_name(history: History) -> None:
    own = Lidia.objects.filter(corrida__season=history.mine.season)
    told = [(one.slug, one.ears, one.bulls) for one in profiles.best(own, 9)]
    assert told == [("matador-0", 4, 2), ("matador-1", 3, 2)]
    assert profiles.best(own, 1)[0].slug == "matador-0"
    wild = Lidia.objects.filter(corrida=history.foreign)
    assert [one.slug for one in profiles.best(wild, 9)] == ["matador-1", "matador-2", "matador-0"]


def test_lists_of_plazas_and_herds_count_only_their_own_circuit(history: History) -> None:
    assert {one.slug: one.held for one in profiles.plazas("leyendas")} == {"ronda": 2, "arles": 1}  # type: ignore[attr-defined]
    (herd,) = profiles.herds("leyendas")
    assert (herd.herd, herd.fought, herd.spared) == (history.mine.herd, 14, 1)
    (foreign,) = profiles.herds("otra")
    assert (foreign.fought, foreign.spared) == (6, 6)


# Mano a mano (comparison of two matadors)


@pytest.mark.parametrize(
    ("left", "right", "won"),
    [
        ({"ears": 2}, {"ears": 1, "tails": 1}, 1),
        ({"ears": 1}, {"ears": 2}, -1),
        ({"ears": 2, "tails": 1}, {"ears": 2}, 1),
        ({"ears": 2}, {"ears": 2, "tails": 1}, -1),
        ({"ears": 2, "indultos": 3}, {"ears": 2, "vueltas": 9}, 0),
        ({}, {}, 0),
    ],
)
def test_a_shared_corrida_is_won_by_ears_then_by_tails(
    left: dict[str, int], right: dict[str, int], won: int
) -> None:
    assert careers.Meeting(1, Tally(left), Tally(right)).won == won


def test_a_duel_counts_the_posted_corridas_of_both_matadors(history: History) -> None:
    one, two, three, four = history.mine.matadors
    told = careers.duel(one, two)
    assert [meeting.corrida for meeting in told.meetings] == [history.third.pk, history.first.pk]
    assert (told.won, told.level) == ((2, 0), 0)
    assert told.rows == [
        ("bulls", 4, 3),
        ("ears", 5, 1),
        ("tails", 1, 0),
        ("vueltas", 0, 1),
        ("indultos", 1, 0),
        ("avisos", 0, 0),
    ]
    other_way = careers.duel(three, two)
    assert (other_way.won, other_way.level) == ((0, 2), 1)
    assert other_way.sums[0]["avisos"] == 5
    assert careers.duel(one, four).meetings == []
    before = careers.duel(one, two, history.third.date - dt.timedelta(days=1))
    assert before.meetings == told.meetings[1:]


def test_rivals_are_sorted_by_the_number_of_posted_corridas_together(history: History) -> None:
    one, two, three, four = history.mine.matadors
    assert careers.rivals(two) == [(three, 3), (one, 2), (four, 1)]
    assert careers.rivals(four) == [(two, 1), (three, 1)]


# The yearbook, the awards, the hall of fame


def test_a_yearbook_counts_posted_corridas_by_month(history: History) -> None:
    told = yearbook.yearbook(history.mine.season)
    assert {month.day: dict(+month.counts) for month in told.months} == {
        dt.date(2027, 3, 1): {
            "corridas": 1, "bulls": 6, "ears": 5, "tails": 1, "two_ears": 2, "vueltas": 1,
            "indultos": 1, "avisos": 5, "three_avisos": 1,
        },
        dt.date(2027, 4, 1): {"corridas": 1, "bulls": 1, "ears": 2, "two_ears": 1},
    }  # fmt: skip
    assert told.totals["ears"] == 7
    assert told.over
    assert [(line.feria, line.held) for line in told.ferias] == [(history.mine.feria, 1)]
    triumph = told.ferias[0].triumph
    assert triumph is not None
    assert triumph.row.matador == history.mine.matadors[0]
    assert [one.matador for one in told.injuries] == [history.mine.matadors[1]]
    assert [row.turn for row, _bull in told.great] == [1]
    open_still = yearbook.yearbook(history.later.season)
    assert not open_still.over
    assert +open_still.totals == {"corridas": 1, "bulls": 6, "ears": 1}
    assert open_still.great == open_still.injuries == []


def test_awards_are_sorted_by_kind_and_show_their_formulas(history: History) -> None:
    given = awards.of_season(history.mine.season)
    assert [one.key for one in given] == ["triumph", "lidia", "bull", "herd", "revelation"]
    assert {one.row.season_id for one in given} == {history.mine.season.pk}
    assert given[0].sums == (
        awards.Sum(4, "ears", 3),
        awards.Sum(1, "tails", 3),
        awards.Sum(1, "indultos", 4),
    )
    assert (given[0].score, given[1].score) == (19, 40 + 20 + 15)
    ((row, of_feria),) = awards.of_ferias(history.mine.season)
    assert row.feria == history.mine.feria
    herd = {one.key: one for one in of_feria}["herd"]
    # The points of the herd award: 9 + 2 × 5 points of bulls, 5 ears × 3, an indulto and a third
    # aviso, divided by six bulls.
    assert (herd.score, herd.bulls) == (Decimal("7.33"), 6)  # 44 / 6
    assert awards.of_season(history.later.season) == []
    assert [one.key for one in awards.of_feria(history.mine.feria.pk)] == [
        one.key for one in of_feria
    ]


def test_awards_of_ferias_are_sorted_by_the_date_that_is_shown(history: History) -> None:
    """The page of awards sorts ferias by their last day, the yearbook by their first day.

    The other day breaks ties.
    """
    season, matador = history.later.season, history.mine.matadors[0]
    days = {
        "long": (10, 20),
        "short": (12, 15),
        "late": (12, 20),
        "twin": (12, 20),
        "without": (1, 2),
    }
    for slug, (first, last) in days.items():
        feria = Feria.objects.create(
            season=season,
            plaza=history.mine.plazas[0],
            slug=slug,
            name=slug,
            starts=dt.date(season.year, 6, first),
            ends=dt.date(season.year, 6, last),
        )
        winner = None if slug == "without" else matador
        Award.objects.create(season=season, feria=feria, key="triumph", score=3, matador=winner)

    def slugs(rows: Iterable[Award | None]) -> list[str]:
        ours = [row.feria.slug for row in rows if row is not None and row.feria is not None]
        return [slug for slug in ours if slug in days]

    triumphs = [given.row for given in awards.feria_triumphs(season)]
    assert slugs(triumphs) == ["short", "long", "late", "twin"]
    of_ferias = [row for row, _given in awards.of_ferias(season)]
    assert slugs(of_ferias) == ["without", "short", "long", "late", "twin"]
    lines = yearbook.yearbook(season).ferias
    assert [line.feria.slug for line in lines if line.feria.slug in days] == [
        "without", "long", "short", "late", "twin",
    ]  # fmt: skip


def test_the_yearbook_as_of_a_day_leaves_out_later_results(history: History) -> None:
    season, day = history.mine.season, history.first.date
    told = yearbook.yearbook(season, day, book_until(season.circuit_id, day).records())
    assert not told.over
    assert (told.totals["corridas"], told.totals["ears"]) == (1, 5)
    assert [line.corridas for line in told.standings] == [1, 1, 1]
    assert [one.corrida for one in told.injuries] == [history.first]
    assert len(told.ferias) == 1
    assert [*told.winter, *told.awards] == []
    before = yearbook.yearbook(season, day - dt.timedelta(days=1), [])
    assert (before.standings, before.months, before.injuries, before.great) == ([], [], [], [])
    assert [*before.ferias, *before.winter, *before.fallen] == []


@pytest.mark.parametrize("as_of_a_day", [False, True])
def test_the_hall_of_fame_counts_careers_and_awards_of_its_circuit(
    history: History, as_of_a_day: bool
) -> None:
    until = history.third.date if as_of_a_day else None
    told = awards.hall(history.mine.circuit.pk, until)
    assert told.members == []
    second, first = told.waiting
    assert (first.matador, first.seasons) == (history.mine.matadors[0], 2)
    counts = {name: count for name, count in first.counts.items() if count}
    assert counts == {
        "indultos": 1,
        "tails": 1,
        "ears": 5,
        "corridas": 2,
        "season_awards": 1,
        "feria_awards": 1,
    }
    assert first.points == Career(1, 2, counts).points == 15 + 3 + 3 + 2 + 5
    assert second.matador == history.mine.matadors[1]
    assert (second.counts["leads"], second.points) == (1, 30 + 3)


def test_the_hall_of_fame_as_of_a_day_counts_no_award_of_an_unfinished_season(
    history: History,
) -> None:
    told = awards.hall(history.mine.circuit.pk, history.first.date)
    counts = [(one.points, one.seasons, one.counts["leads"]) for one in told.waiting]
    assert counts == [(4 + 2 + 3 + 3, 1, 0), (1, 1, 0)]  # the feria was over
    assert (
        awards.hall(history.mine.circuit.pk, history.first.date - dt.timedelta(days=1)).waiting
        == []
    )


@pytest.mark.parametrize(
    ("key", "in_feria", "counted"),
    [
        ("triumph", True, (1, 2)),
        ("triumph", False, (2, 1)),
        ("revelation", True, (1, 1)),
        ("revelation", False, (2, 1)),
        ("lidia", True, (1, 1)),
        ("lidia", False, (1, 1)),
    ],
)
def test_the_hall_of_fame_counts_triumphs_and_revelations_as_awards(
    history: History, key: str, in_feria: bool, counted: tuple[int, int]
) -> None:
    """The matador has already won one award of a season and one of a feria.

    Another award adds one.
    """
    later, matador = history.later, history.mine.matadors[0]
    feria = later.feria if in_feria else None
    Award.objects.create(season=later.season, feria=feria, key=key, score=1, matador=matador)
    counts = {one.matador: one.counts for one in awards.hall(later.circuit.pk).waiting}[matador]
    assert (counts["season_awards"], counts["feria_awards"]) == counted


def test_records_can_be_read_for_a_circuit_and_for_a_plaza(history: History) -> None:
    told = {
        entry.key: entry.value
        for part in queries_records.parts(history.mine.circuit.pk)
        for entry in part.entries
    }
    assert (told["share_ears"], told["lidia_score"], told["year_ears"]) == (4, 40, 7)
    arles = {
        entry.key: entry.value
        for part in queries_records.parts(history.mine.circuit.pk, "plaza", "arles")
        for entry in part.entries
    }
    assert arles["share_ears"] == 2
    assert [part.key for part in queries_records.parts(history.mine.circuit.pk)] == [
        *("corrida", "season", "career")
    ]
    assert str(queries_records.figure("season_rate", 150)) == "1.50"
    assert queries_records.figure("season_ears", 150) == 150


def test_the_version_of_a_record_book_counts_posted_corridas_and_seasons(history: History) -> None:
    told = queries_records.find_edition("leyendas")
    assert told == queries_records.Edition(history.mine.circuit.pk, 2, 3, 2028)
    assert queries_records.find_edition("otra") == queries_records.Edition(
        history.other.circuit.pk, 1, 1, 2027
    )
    assert queries_records.find_edition("nada") is None


def test_plazas_ferias_and_herds_with_records_are_those_of_the_circuit(history: History) -> None:
    assert queries_records.find_place(
        "leyendas", "matador", "matador-0"
    ) == queries_records.RecordPlace("matador-0", "Pedro Romero")
    assert queries_records.find_place("leyendas", "matador", "nadie") is None
    assert [one.slug for one in queries_records.record_places("leyendas", "plaza")] == [
        "arles",
        "ronda",
    ]
    assert [one.slug for one in queries_records.record_places("otra", "plaza")] == ["ronda"]
    assert [one.slug for one in queries_records.record_places("leyendas", "feria")] == ["goyesca"]
    assert [one.name for one in queries_records.record_places("leyendas", "herd")] == [
        "Conde de Mayalde"
    ]


# Records within reach before a corrida


def test_the_record_book_as_of_a_day_covers_only_the_seasons_up_to_then(history: History) -> None:
    circuit, last = history.mine.circuit.pk, history.third.date
    then = book_until(circuit, last)
    for scope, of in {line[:2] for line in then.lines}:
        book = Q(book__circuit=circuit, book__scope=scope, book__of=of)
        assert _read(then.records(scope, of)) == _read(queries_records.lines(book))
    assert then.places("plaza") == {"arles", "ronda"}
    told, kept = queries_records.parts_of(then.records()), queries_records.parts(circuit)
    assert [
        [(entry.key, entry.value, entry.before) for entry in part.entries] for part in told
    ] == [[(entry.key, entry.value, entry.before) for entry in part.entries] for part in kept]
    eve = book_until(circuit, last - dt.timedelta(days=1))
    leads = [row for row in eve.records() if row.key == "career_leads"]
    assert [row.season.year for row in leads if row.season] == [2027]
    assert {row.season_id for row in eve.records()} == {history.mine.season.pk}


def _read(rows: Iterable[Record]) -> set[tuple[object, ...]]:
    return {
        (row.key, row.value, row.before, row.season_id, row.matador_id, row.corrida_id, row.turn)
        for row in rows
    }


def test_records_within_reach_before_a_corrida_are_those_of_its_circuit(history: History) -> None:
    with transaction.atomic():
        mine, other = history.mine, history.other
        line = Record.objects.get(book=record_book(mine.circuit), key="career_ears")
        Record.objects.filter(pk=line.pk).update(value=1030, matador=mine.matadors[3])
        Record.objects.filter(book__circuit=other.circuit, key="career_ears").update(value=1090)
        own = Palmares.objects.filter(book__scope="circuit", matador=mine.matadors[0])
        own.update(ears=1028)
        Palmares.objects.filter(book__circuit=other.circuit).update(ears=1088)
        told = queries_records.sentences_before([history.waiting, history.aired])
        assert list(told) == [history.waiting.pk]
        ((slug, name, words, record),) = told[history.waiting.pk]
        assert (slug, name, record) == ("matador-0", "Pedro Romero", True)
        assert "2 ears short" in words
        assert "1,030 by Rafael Molina" in words
        transaction.set_rollback(True)


@pytest.mark.parametrize("state", S.values)
def test_records_within_reach_are_shown_only_for_corridas_that_have_not_begun(
    history: History, state: str
) -> None:
    waiting = Corrida(pk=history.waiting.pk, state=state)
    said = queries_records.sentences_before([waiting])
    assert bool(said) is (state in {S.ANNOUNCED, S.QUEUED, S.AT_TABLE})


@pytest.mark.parametrize(("season_of", "gap"), [("later", 0), ("mine", None)])
def test_season_totals_of_another_season_are_not_counted(
    history: History, season_of: str, gap: int | None
) -> None:
    row = (getattr(history, season_of).season.pk, (9, 9, 9, 9, 3, 3, 3, 3))
    told = queries_records._behind(1, ("circuit", ""), history.later.season.pk, row)
    assert told.career == {"corridas": 9, "ears": 9, "tails": 9, "indultos": 9}
    assert told.season == ({} if gap is None else dict.fromkeys(told.career, 3))
    assert queries_records._behind(1, ("circuit", ""), 1, None).career["ears"] == 0


# Calendar and results


def test_the_calendar_lists_past_present_and_coming_corridas(history: History) -> None:
    assert calendar.current_day(history.mine.season) == dt.date(2027, 4, 4)
    assert calendar.current_day(history.later.season) == dt.date(2028, 3, 3)
    assert calendar.months(history.mine.season) == [dt.date(2027, 3, 1), dt.date(2027, 4, 1)]
    assert calendar.coming(history.later.season, 9) == [history.waiting]
    assert calendar.coming(history.mine.season, 9) == []
    assert calendar.last("leyendas", 9) == [history.third, history.broken, history.first]
    assert calendar.last("leyendas", 1) == [history.third]
    assert calendar.last("otra", 9) == [history.foreign]
    assert calendar.on_air("leyendas", NOW) == [history.aired]
    assert calendar.on_air("leyendas", NOW - dt.timedelta(microseconds=1)) == []
    assert calendar.on_air("otra", NOW) == []
    ends = calendar.feria_ends(history.later.season)
    assert ends == [(dt.date(2028, 3, 8), "Feria de Pedro Romero", 3)]
    (feria,) = calendar.ferias(history.later.season)
    assert (feria, feria.held, feria.over) == (history.later.feria, 3, 1)  # type: ignore[attr-defined]
    with transaction.atomic():
        more = {"season": history.later.season, "plaza": history.later.plazas[1]}
        spans = (("b", "Álamo", 1), ("c", "Zahara", 1), ("d", "Baeza", 1), ("a", "Ayer", 0))
        for slug, name, days in spans:
            starts = feria.starts - dt.timedelta(days=1 - days)
            Feria.objects.create(slug=slug, name=name, starts=starts, ends=feria.ends, **more)
        listed = [row.name for row in calendar.ferias(history.later.season)]
        assert listed == ["Ayer", "Álamo", "Baeza", "Feria de Pedro Romero", "Zahara"]
        Corrida.objects.filter(pk=history.waiting.pk).update(
            state=S.ON_AIR, on_air_at=NOW - dt.timedelta(days=1)
        )
        assert calendar.on_air("leyendas", NOW) == [history.waiting, history.aired]
        transaction.set_rollback(True)


def test_results_of_a_corrida_show_only_the_bulls_its_broadcast_has_reached(
    history: History,
) -> None:
    before = NOW - dt.timedelta(microseconds=1)
    for at, told in ((before, 0), (NOW, 1), (NOW + dt.timedelta(hours=1), 6)):
        (afternoon,) = results.afternoons([history.aired], at)
        assert len(afternoon.bulls) == told
    first, broken = results.afternoons([history.first, history.broken], before)
    assert [[bull.turn for bull in share.bulls] for share in first.shares] == [
        [1, 4],
        [2],
        [3, 5, 6],
    ]
    assert [share.hurt for share in first.shares] == [False, True, False]
    assert [(bull.verdict, bull.broken_off) for bull in broken.bulls] == [
        ("dos", False),
        (None, True),
    ]
    spared = [bull.turn for bull in first.bulls if bull.spared]
    stopped = [bull.turn for bull in first.bulls if bull.three_avisos]
    assert (spared, stopped) == ([4], [5])


# Finding seasons and circuits


def test_a_season_is_found_only_in_its_circuit(history: History) -> None:
    later, mine, other = (one.season for one in (history.later, history.mine, history.other))
    assert circuits.find_season() == later
    assert circuits.find_season(2027) == mine
    assert circuits.find_season(2027, "otra") == circuits.find_season(circuit="otra") == other
    assert circuits.find_season(2028, "otra") is None
    assert circuits.find_season(99_999) is None
    assert circuits.find_season_mark(2027) == circuits.SeasonMark(mine.pk, 2027, 2, ended=True)
    assert circuits.find_season_mark() == circuits.SeasonMark(later.pk, 2028, 1, ended=False)
    assert circuits.find_season_mark(99_999) is None
    assert circuits.find_season_mark(circuit="nada") is None
    assert circuits.years() == [2028, 2027]
    assert circuits.years("otra") == [2027]


def test_the_list_of_circuits_counts_seasons_and_shows_what_is_on_air(history: History) -> None:
    told = {one.slug: (one.count, one.year, one.airing) for one in circuits.public_circuits()}  # type: ignore[attr-defined]
    assert told == {"leyendas": (2, 2028, True), "otra": (1, 2027, False)}
    assert [one.slug for one in circuits.public_circuits()] == ["leyendas", "otra"]
    held = circuits.belongings(history.mine.circuit)
    assert (held.seasons, held.posted, held.matadors, held.plazas, held.herds) == (2, 3, 4, 2, 1)
    assert circuits.has_history(history.other.circuit)


def test_a_copy_has_history_if_more_was_played_in_it_than_was_copied(history: History) -> None:
    circuit = history.mine.circuit
    played = Lidia.objects.filter(corrida__season__circuit=circuit).count()
    assert played > 1
    assert circuits.has_history(circuit), "it is not a copy"
    copy = CircuitCopy.objects.create(circuit=circuit, name=circuit.name, asked_at=NOW)
    found = {}
    for copied in (0, played - 1, played, played + 1):
        CircuitCopy.objects.filter(pk=copy.pk).update(lidias=copied)
        found[copied] = circuits.has_history(circuit)
    assert found == {0: True, played - 1: True, played: False, played + 1: False}
    assert circuits.has_history(history.other.circuit)


def test_the_desk_counts_only_corridas_of_its_own_season(history: History) -> None:
    assert calendar.queued_corridas(history.later.season) == 1
    assert calendar.queued_corridas(history.mine.season) == 0
    assert calendar.failed_corridas(history.later.season) == []


def test_career_totals_at_the_end_of_a_year_leave_out_later_seasons(history: History) -> None:
    matador = history.mine.matadors[0].pk
    assert winter_queries.careers([matador], 2027) == {matador: winter_queries.Won(1, 1, 4, 1)}
    assert winter_queries.careers([matador], 2028) == {matador: winter_queries.Won(2, 2, 5, 1)}
    assert winter_queries.careers([matador], 2026) == {}


def test_corridas_left_in_a_season_are_counted_by_state(history: History) -> None:
    told = winter_queries.left_in_season(history.later.season)
    assert (told.waiting, told.on_the_sand, told.at_tables, told.failed) == (1, 1, 0, 0)
    assert told.going_on
    assert not winter_queries.left_in_season(history.mine.season).going_on
    with transaction.atomic():
        for season in (history.mine.season, history.other.season):
            Winter.objects.create(season=season, seed=b"", commitment=b"")
        assert winter_queries.ended_season("otra") == history.other.season
        assert winter_queries.ended_season("leyendas") is None, "its last season is being fought"
        Corrida.objects.filter(season=history.later.season).delete()
        assert winter_queries.ended_season("leyendas") == history.mine.season
        Corrida.objects.filter(season=history.other.season).delete()
        assert winter_queries.ended_season("otra") is None, "nothing was fought"
        transaction.set_rollback(True)


def test_alternativas_take_place_in_corridas_since_version_2_of_the_winter(
    history: History,
) -> None:
    items = [{"kind": "retired"}, {"kind": "alternativa", "slug": "x"}]
    with transaction.atomic():
        winter = Winter.objects.create(
            season=history.mine.season, seed=b"", commitment=b"", news=items, done_at=NOW
        )
        found = {}
        for version in (1, 2):
            winter.version = version
            winter.save()
            found[version] = [
                winter_queries.alternativas_before(season)
                for season in (history.mine.season, history.later.season, history.other.season)
            ]
        transaction.set_rollback(True)
    assert found == {1: [[], [], []], 2: [[], items[1:], []]}


@pytest.mark.parametrize(
    ("posted", "done", "year", "said"),
    [(30, True, 2027, True), (31, True, 2027, False), (0, False, 2027, False),
     (0, True, 2026, False)],
)  # fmt: skip
def test_news_of_a_winter_are_shown_until_thirty_postings_of_the_next_season(
    history: History, posted: int, done: bool, year: int, said: bool
) -> None:
    with transaction.atomic():
        news = [{"kind": kind} for kind in ("retired", "card", "card", "debut", "alternativa")]
        wild = [{"kind": "retired"}] * 9
        before = history.mine.season
        before.year = year
        before.save()
        for season, told in ((before, news), (history.other.season, wild)):
            Winter.objects.create(
                season=season, seed=b"", commitment=b"", news=told, done_at=NOW if done else None
            )
        season = history.later.season
        season.posted_version = posted
        tidings = winter_queries.tidings(season)
        assert tidings == (winter_queries.Tidings(2027, 1, 0, 1, 2) if said else None)
        before.year, season.posted_version = 2027, 1
        transaction.set_rollback(True)
