"""Postings of two circuits and two seasons update the record book and the awards."""

from __future__ import annotations

import datetime as dt
from itertools import permutations
from typing import Any, Final

import pytest
from django.db.models import Max

from corridas.models import Award, Corrida, Escalafon, Feria, Matador, Palmares, Record, Season
from corridas.simulation.derived_book import rebuild_book
from corridas.simulation.post import post_due, post_now
from corridas.simulation.record_book import (
    PENDING,
    alternativas,
    award_ferias,
    award_season,
    leader_of,
    rebuild_record_book,
    write_broken_records,
)
from corridas.sql import is_closed
from corridas.world.records import BestClaims, Claim, holding_after
from tests.corridas.escalafon.test_ranking import BASE, CRITERIA, better_in
from tests.corridas.pages.conftest import World
from tests.corridas.simulation.arena import NOW, day_of, fight, in_year, post
from tests.factories import record_book

S = Corrida.State
CIRCUIT: Final = ("circuit", "")


def keep_open(world: World) -> Corrida:
    """Announce a last corrida outside the feria, so that the season is not over yet."""
    return world.announce(dt.date(world.season.year, 12, 30), plaza=1)


def record(world: World, key: str, scope: str = "circuit", of: str = "") -> Record:
    return Record.objects.get(book__circuit=world.circuit, book__scope=scope, book__of=of, key=key)


def held(world: World, key: str, scope: str = "circuit", of: str = "") -> tuple[Any, ...]:
    """Return a record: value, place of the matador, year, and the value before."""
    row = record(world, key, scope, of)
    places = {matador.pk: place for place, matador in enumerate(world.matadors)}
    assert row.season is not None
    return (row.value, places.get(row.matador_id or 0), row.season.year, row.before)


def palmares(world: World, matador: int, scope: str = "circuit", of: str = "") -> dict[str, Any]:
    row = Palmares.objects.filter(
        book__circuit=world.circuit,
        book__scope=scope,
        book__of=of,
        matador=world.matadors[matador],
    ).values()[0]
    ignored = ("id", "book_id", "matador_id", "season_id")
    return {name: value for name, value in row.items() if value and name not in ignored}


# Totals of a matador's career and season

EVERYTHING = {"trophy": 3, "ending": "spared", "avisos": 1}


@pytest.mark.slow
def test_career_sums_grow_and_season_sums_start_at_zero(mine: World, other: World) -> None:
    later = in_year(mine, 2028)
    for world in (mine, later, other):
        keep_open(world)
    post(mine, day_of(mine, 2), EVERYTHING)
    post(mine, day_of(mine, 3), EVERYTHING)
    post(other, day_of(other, 2), EVERYTHING, EVERYTHING, EVERYTHING, EVERYTHING)
    first = {"corridas": 2, "ears": 4, "tails": 2, "indultos": 2, "avisos": 2}
    now = {f"now_{name}": value for name, value in first.items()}
    assert palmares(mine, 0) == {"seasons": 1, **first, **now}
    post(later, day_of(later, 2), EVERYTHING)
    second = {"corridas": 1, "ears": 2, "tails": 1, "indultos": 1, "avisos": 1}
    sums = {name: first[name] + second[name] for name in first}
    now = {f"now_{name}": value for name, value in second.items()}
    assert palmares(mine, 0) == {"seasons": 2, **sums, **now}
    for scope, of in (("plaza", "ronda"), ("feria", "goyesca"), ("herd", "mayalde")):
        assert palmares(mine, 0, scope, of) == {"seasons": 2, **sums, **now}
    row = Palmares.objects.get(book=record_book(mine.circuit), matador=mine.matadors[0])
    assert row.season == later.season
    post(later, day_of(later, 3))
    assert palmares(mine, 0)["seasons"] == 2
    assert palmares(other, 0)["ears"] == 4
    for world in (mine, other):
        assert rebuild_book(world.circuit, write_rows=False) == []


def test_sums_are_separate_for_each_plaza_and_herd(mine: World) -> None:
    keep_open(mine)
    post(mine, day_of(mine, 2), {"trophy": 1})
    post(mine, day_of(mine, 3), {"trophy": 2}, plaza=1)
    ears = {scope: palmares(mine, 0, scope, of)["ears"] for scope, of in (
        ("circuit", ""), ("herd", "mayalde"), ("plaza", "ronda"), ("plaza", "arles"),
    )}  # fmt: skip
    assert ears == {"circuit": 3, "herd": 3, "plaza": 2}
    assert palmares(mine, 0, "plaza", "ronda")["ears"] == 1
    assert palmares(mine, 0, "feria", "goyesca")["ears"] == 1
    assert not Palmares.objects.filter(book__scope="feria").exclude(book__of="goyesca").exists()


# Records


def test_equal_value_does_not_take_a_record_but_a_higher_one_does(
    mine: World, other: World
) -> None:
    later = in_year(mine, 2028)
    for world in (mine, later, other):
        keep_open(world)
    post(other, day_of(other, 1), *[{"trophy": 3}] * 6)
    post(mine, day_of(mine, 2), {"trophy": 2})
    post(later, day_of(later, 2), {}, {"trophy": 2})
    assert held(mine, "share_ears") == (2, 0, 2027, None)
    assert held(mine, "season_ears") == (2, 0, 2027, None)
    assert held(mine, "year_ears") == (2, None, 2027, None)
    assert held(mine, "career_ears") == (2, 0, 2027, None)
    post(later, day_of(later, 3), {}, {"trophy": 1}, {}, {}, {"trophy": 2})
    assert held(mine, "share_ears") == (3, 1, 2028, 2)
    assert held(mine, "season_ears") == (5, 1, 2028, 2)
    assert held(mine, "career_ears") == (5, 1, 2028, 2)
    post(later, day_of(later, 4), {}, {"trophy": 2}, {}, {}, {"trophy": 2})
    assert held(mine, "share_ears") == (4, 1, 2028, 2), "what stood when the season began"
    assert held(other, "share_ears") == (4, 0, 2027, None)
    assert rebuild_book(mine.circuit, write_rows=False) == []


def test_earlier_corrida_of_a_season_holds_an_equal_record(mine: World) -> None:
    keep_open(mine)
    late = post(mine, day_of(mine, 5), {}, {"trophy": 1, "score": 30})
    assert record(mine, "share_ears").corrida == late
    early = post(mine, day_of(mine, 4), {"trophy": 1, "score": 30})
    for key in ("share_ears", "corrida_ears", "lidia_score"):
        row = record(mine, key)
        assert (row.corrida, row.set_on) == (early, early.date)
    post(mine, day_of(mine, 3), {"score": 29})
    assert record(mine, "lidia_score").corrida == early


@pytest.mark.slow
def test_sql_and_python_choose_the_same_record_holders(mine: World) -> None:
    """The SQL statement that writes records has the order of `world.records.settled`."""
    later, book = in_year(mine, 2028), {CIRCUIT: record_book(mine.circuit).pk}
    first, second = (mine.announce(day_of(mine, day)) for day in (5, 4))  # the later day first
    next_year = later.announce(day_of(later, 4))
    one, other = (matador.pk for matador in mine.matadors[:2])
    offers = [
        (mine, Claim(5, "2027-03-05", first.pk, 1, one)),
        (mine, Claim(5, "2027-03-04", second.pk, 2, one)),
        (mine, Claim(5, "2027-03-04", second.pk, 1, other)),
        (mine, Claim(6, None, None, None, one)),
        (mine, Claim(6, None, None, None, other)),
        (later, Claim(5, "2028-03-04", next_year.pk, 1, one)),
        (later, Claim(7, "2028-03-04", next_year.pk, None, other)),
    ]
    for turns in permutations(offers, 3):
        Record.objects.all().delete()
        holding = None
        for world, claim in sorted(turns, key=lambda turn: turn[0].season.year):
            best = BestClaims()
            best.offer((*CIRCUIT, "lidia_score"), claim)
            write_broken_records(world.season, best, book)
            holding = holding_after(holding, claim, world.season.pk)
        row = record(mine, "lidia_score")
        assert holding is not None
        assert (row.value, row.corrida_id, row.turn, row.matador_id, row.season_id, row.before) == (
            *(holding.claim.value, holding.claim.corrida, holding.claim.turn),
            *(holding.claim.matador, holding.season, holding.before),
        )


def test_corrida_posted_late_changes_records_as_if_posted_in_time(mine: World) -> None:
    later = in_year(mine, 2028)
    keep_open(mine)
    keep_open(later)
    post(later, day_of(later, 2), {"trophy": 2})
    assert held(mine, "share_ears") == (2, 0, 2028, None)
    post(mine, day_of(mine, 2), {}, {"trophy": 2})
    assert held(mine, "share_ears") == (2, 1, 2027, None)
    assert palmares(mine, 0)["now_corridas"] == 1
    row = Palmares.objects.get(book=record_book(mine.circuit), matador=mine.matadors[0])
    assert row.season == later.season


def test_season_sums_have_only_matadors_who_appeared_in_it(mine: World) -> None:
    later = in_year(mine, 2028)
    keep_open(mine)
    keep_open(later)
    post(mine, day_of(mine, 2), {"trophy": 1}, {}, {}, {"trophy": 2})
    post(later, day_of(later, 2), {"trophy": 1}, first=1)
    assert held(mine, "year_ears") == (3, None, 2027, None)
    assert held(mine, "career_ears") == (3, 0, 2027, None)
    assert rebuild_book(mine.circuit, write_rows=False) == []


# A season that is over


def test_leader_of_a_finished_season_is_counted_once(mine: World, other: World) -> None:
    post(other, day_of(other, 2), {}, {"trophy": 3})
    waiting = keep_open(mine)
    post(mine, day_of(mine, 2), {"trophy": 1})
    assert not Palmares.objects.filter(book__circuit=mine.circuit, leads__gt=0).exists()
    post_now(fight(mine, waiting).pk, at=NOW)
    leads = Palmares.objects.filter(leads__gt=0)
    assert sorted(leads.values_list("book__circuit", "book__scope", "matador", "leads")) == [
        (mine.circuit.pk, "circuit", mine.matadors[0].pk, 1),
        (other.circuit.pk, "circuit", other.matadors[1].pk, 1),
    ]
    assert held(mine, "career_leads") == (1, 0, 2027, None)
    later = in_year(mine, 2028)
    post(later, day_of(later, 2), {"trophy": 1})
    assert palmares(mine, 0)["leads"] == 2
    assert held(mine, "career_leads") == (2, 0, 2028, 1)
    assert rebuild_book(mine.circuit, write_rows=False) == []


@pytest.mark.parametrize(("corridas", "rate"), [(9, None), (10, 10)])
def test_rate_of_ears_needs_ten_corridas_in_the_season(
    mine: World, corridas: int, rate: int | None
) -> None:
    """All due corridas are posted together, which ends the season."""
    for day in range(1, corridas + 1):
        fight(mine, mine.announce(day_of(mine, day)), *([{"trophy": 1}] if day == 1 else []))
    post_due(at=NOW)
    found = Record.objects.filter(key="season_rate")
    told = {("circuit", "", rate), ("matador", "matador-0", rate)} if rate else set()
    assert set(found.values_list("book__scope", "book__of", "value")) == told


@pytest.mark.parametrize("state", S.values)
def test_awards_wait_for_corridas_that_may_still_be_played(
    mine: World, other: World, state: str
) -> None:
    waits = mine.announce(day_of(mine, 9))
    Corrida.objects.filter(pk=waits.pk).update(state=state)
    in_feria = mine.feria
    elsewhere = other.announce(day_of(other, 9))
    in_year(mine, 2028).announce(dt.date(2028, 3, 9))
    post(mine, day_of(mine, 2), {"trophy": 1})
    given = state not in PENDING
    assert given is (state in {S.POSTED, S.SUSPENDED, S.FAILED})
    assert Award.objects.filter(feria=in_feria).exists() is given
    assert is_closed(mine.season.pk) is given
    assert not is_closed(other.season.pk)
    assert elsewhere.state == S.ANNOUNCED


def test_feria_awards_are_given_before_the_season_ends(mine: World, other: World) -> None:
    keep_open(mine)
    post(mine, day_of(mine, 1), {}, {"trophy": 3}, plaza=1)
    post(mine, day_of(mine, 2), {"trophy": 1})
    assert not is_closed(mine.season.pk)
    prize = Award.objects.get(feria=mine.feria, key="triumph")
    assert (prize.matador, prize.score, prize.season) == (mine.matadors[0], 3, mine.season)
    assert prize.detail["terms"][0] == ["ears", 1, 3]
    assert not Award.objects.filter(season=other.season).exists()


def test_season_awards_consider_all_its_corridas_and_no_others(mine: World, other: World) -> None:
    later = in_year(mine, 2028)
    keep_open(later)
    post(later, day_of(later, 2), {}, {}, {"trophy": 3})
    post(other, day_of(other, 2), {}, {}, {"trophy": 3})
    fight(mine, mine.announce(day_of(mine, 2)), {"trophy": 1})
    fight(mine, mine.announce(day_of(mine, 3), plaza=1), {"trophy": 1})
    post_due(at=NOW)
    awards = {one.key: one for one in Award.objects.filter(season=mine.season, feria=None)}
    assert list(awards) == ["triumph", "lidia", "bull", "herd", "revelation"]
    assert (awards["triumph"].matador, awards["triumph"].score) == (mine.matadors[0], 6)
    assert (awards["herd"].ganaderia, awards["herd"].detail["bulls"]) == (mine.herd, 12)
    assert not Award.objects.filter(season=later.season, feria=None).exists()
    of_feria = Award.objects.get(feria=mine.feria, key="triumph")
    assert of_feria.score == 3


def test_herd_of_eleven_bulls_can_win_a_feria_but_not_a_season(mine: World) -> None:
    fight(mine, mine.announce(day_of(mine, 2)), {"trophy": 1})
    fight(mine, mine.announce(day_of(mine, 3)), {"trophy": 1}, bulls=5)
    post_due(at=NOW)
    herds = dict(Award.objects.filter(key="herd").values_list("feria", "ganaderia"))
    assert herds == {None: None, mine.feria.pk: mine.herd.pk}


def test_revelation_award_considers_new_matadors_of_its_circuit(mine: World, other: World) -> None:
    old, young = mine.matadors[:2]
    for one, year in ((old, 2020), (young, 2026)):
        Matador.objects.filter(pk=one.pk).update(alternativa=dt.date(year, 4, 1))
    Matador.objects.filter(circuit=other.circuit).update(alternativa=dt.date(2027, 1, 1))
    assert alternativas(mine.season) == {
        old.pk: dt.date(2020, 4, 1),
        young.pk: dt.date(2026, 4, 1),
        mine.matadors[2].pk: None,
        mine.matadors[3].pk: None,
    }
    post(mine, day_of(mine, 2), {"trophy": 3}, {"trophy": 1})
    told = Award.objects.filter(season=mine.season, key="revelation")
    assert [one.matador for one in told] == [young, young]


def test_awards_that_are_given_again_replace_the_earlier_ones(mine: World, other: World) -> None:
    for world in (mine, other):
        post(world, day_of(world, 2), {"trophy": 1})
    before = {one.pk: one.score for one in Award.objects.filter(season=other.season)}
    Award.objects.update(score=99)
    award_ferias(mine.season, [mine.feria.pk], pending=PENDING, at_hand={})
    scores = Award.objects.filter(season=mine.season)
    assert 99 not in scores.filter(feria=mine.feria).values_list("score", flat=True)
    assert set(scores.filter(feria=None).values_list("score", flat=True)) == {99}
    award_season(mine.season, at_hand={})
    assert not scores.filter(score=99).exists()
    assert scores.count() == len(before) == 10
    assert Award.objects.filter(season=other.season, score=99).count() == 10


@pytest.mark.parametrize("version", [1, 2])
def test_awards_that_are_given_again_use_the_version_of_their_rules(
    mine: World, version: int
) -> None:
    Matador.objects.filter(circuit=mine.circuit).update(alternativa=dt.date(2020, 4, 1))
    post(mine, day_of(mine, 2), {"trophy": 1})
    told = Award.objects.filter(season=mine.season)
    assert not told.exclude(version=2).exists(), "new ones are given by the latest"
    told.update(version=version)
    award_ferias(mine.season, [mine.feria.pk], pending=PENDING, at_hand={})
    award_season(mine.season, at_hand={})
    for _ in range(2):
        assert not told.exclude(version=version).exists()
        revelations = told.filter(key="revelation").values_list("matador", flat=True)
        assert list(revelations) == [mine.matadors[0].pk if version == 1 else None] * 2
        rebuild_record_book(mine.circuit.pk)


def test_feria_without_corridas_has_no_awards(mine: World) -> None:
    empty = Feria.objects.create(
        season=mine.season, plaza=mine.plazas[1], slug="vacia", name="Vacía",
        starts=day_of(mine, 1), ends=day_of(mine, 1),
    )  # fmt: skip
    award_ferias(mine.season, [], pending=PENDING, at_hand={})
    assert not Award.objects.exists()
    award_ferias(mine.season, [empty.pk], pending=PENDING, at_hand={})
    assert {(one.matador, one.score) for one in Award.objects.all()} == {(None, 0)}


# Rebuilt from the lidias


def test_rebuilding_repairs_the_book_of_one_circuit_only(mine: World, other: World) -> None:
    for world in (mine, other):
        post(world, day_of(world, 2), {"trophy": 1})
    Record.objects.filter(key="share_ears", book__scope="circuit").update(value=7)
    Palmares.objects.filter(book__scope="circuit", matador=mine.matadors[0]).update(ears=8)
    Award.objects.filter(feria=None, key="triumph").update(score=9)
    told = rebuild_book(mine.circuit, write_rows=False)
    triumph = f"award {mine.season.pk} triumph, score: stored 9, calculated 3"
    assert told == [
        "record circuit share_ears, value: stored 7, calculated 1",
        f"palmares circuit {mine.matadors[0].pk}, ears: stored 8, calculated 1",
        triumph,
    ]
    seasons = Season.objects.order_by("pk").values_list("posted_version", flat=True)
    assert list(seasons) == [1, 1]
    assert rebuild_book(mine.circuit, write_rows=True) == told
    assert list(seasons.all()) == [2, 1]
    assert rebuild_book(mine.circuit, write_rows=True) == []
    assert list(seasons.all()) == [2, 1]
    assert record(other, "share_ears").value == 7
    assert record(mine, "share_ears").value == 1


# The leader of a season


def counters(world: World, matador: int, category: int = 1, **counts: int) -> None:
    Escalafon.objects.create(
        season=world.season, matador=world.matadors[matador], category=category, **counts
    )


@pytest.mark.parametrize("criterion", CRITERIA)
def test_leader_is_first_by_every_criterion_over_all_categories(
    mine: World, other: World, criterion: str
) -> None:
    # By name alone, the second matador would be first.
    assert mine.matadors[1].name < mine.matadors[0].name
    ahead = better_in(criterion)
    counters(mine, 0, 1, **{name: min(2, value) for name, value in ahead.items()})
    counters(mine, 0, 3, **{name: value - min(2, value) for name, value in ahead.items()})
    counters(mine, 1, 2, **BASE)
    counters(in_year(mine, 2028), 1, corridas=99)
    counters(other, 1, corridas=99)
    assert leader_of(mine.season) == mine.matadors[0].pk


def test_leader_of_tied_matadors_is_first_by_name(mine: World) -> None:
    assert leader_of(mine.season) is None
    for one in (0, 1, 2):
        counters(mine, one, **BASE)
    first = min(mine.matadors[:3], key=lambda matador: matador.name)
    assert leader_of(mine.season) == first.pk
    assert Escalafon.objects.aggregate(most=Max("corridas"))["most"] == 5
