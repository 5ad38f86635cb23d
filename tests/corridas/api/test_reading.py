"""GET views of the API: no key is needed for public data, and the number of queries is constant."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from corridas.api.urls import urlpatterns
from corridas.circuit_queries import seen_by
from corridas.models import (
    Circuit,
    Corrida,
    Feria,
    Ganaderia,
    Plaza,
    Record,
    Run,
    Season,
    TableCorrida,
    Winter,
)
from corridas.tabletop.operations import begin_table_corrida
from leagues.players import player_of_user
from tests.corridas.api.conftest import Program, addresses, answers_to
from tests.factories import World, record_book

DIRECTORS = {
    "api_circuit_settings",
    "api_circuit_calendar",
    "api_circuit_tables",
    "api_circuit_table",
    "api_desk",
    "api_runs",
    "api_run",
    "api_roster",
    "api_roster_file",
}
OWN = {"api_table_corridas", "api_unwatched"}
# A club's list, tested in `test_clubs` because no club exists here.
A_LEAGUES = "api_league_table_corridas"
# A copy is shown only to the user who requested it; see `test_copies`.
OF_ONE_USER = "api_circuit_copying"
READ = [
    name
    for name in (str(way.name) for way in urlpatterns if answers_to(way, "GET"))
    if name not in {A_LEAGUES, OF_ONE_USER}
]
COUNTED_ELSEWHERE = {A_LEAGUES, "api_unwatched"}
LISTS = {
    "api_circuits",
    "api_plazas",
    "api_herds",
    "api_bulls",
    "api_matadors",
    "api_cards",
    "api_records",
    "api_seasons",
    "api_ferias",
    "api_corridas",
    "api_lidias",
    "api_runs",
    "api_digests",
    "api_circuit_tables",
    "api_table_corridas",
}


@pytest.fixture
def full(lived: World, director: Program) -> World:
    """Return a circuit with at least three rows of everything that the API lists."""
    ana, circuit = User.objects.get(username="ana"), lived.circuit
    where, played = {"country": "ES", "continent": "EU"}, lived.season.corridas.order_by("date")
    for number in range(3):
        slug = f"x-{number}"
        Circuit.objects.create(slug=slug, name=slug, deck=lived.deck)
        Ganaderia.objects.create(circuit=circuit, slug=slug, name=slug, **where)
        plaza = Plaza.objects.create(
            circuit=circuit, slug=slug, name=slug, city=slug, category=3, **where
        )
        day = dt.date(2027, 4, 1 + number)
        Feria.objects.create(
            season=lived.season, plaza=plaza, slug=slug, name=slug, starts=day, ends=day
        )
        lived.another_season(2020 + number)
        Record.objects.create(
            book=record_book(circuit, "plaza", slug),
            key="lidia_score",
            value=3,
            season=lived.season,
        )
        run = Run.objects.create(
            season=lived.season, state=Run.State.DONE, until=day, asked_at=timezone.now()
        )
        Corrida.objects.filter(pk=played[number].pk).update(run=run)
        _at_a_table(lived, ana, day)
    Winter.objects.create(season=lived.season, seed=b"w" * 32, commitment=b"c" * 32)
    lived.air_in_earnest(lived.announce(dt.date(2027, 3, 8)), seconds=100)
    return lived


def _at_a_table(world: World, person: User, day: dt.date) -> None:
    player = player_of_user(person, at=timezone.now())
    begin_table_corrida(
        players=[player],
        by=player,
        plaza=world.plazas[0],
        date=day,
        matadors=[one.cards.get() for one in world.matadors[:3]],
        bulls=[{"name": f"b{turn}", "number": turn} for turn in range(6)],
        at=timezone.now(),
        circuit=world.circuit,
    )


def ways(world: World) -> dict[str, str]:
    """Return the path of every GET view, with the corrida on air where a corrida is needed."""
    corrida = world.season.corridas.get(state="on_air").pk
    parts = {
        "api_run": Run.objects.first(),
        "api_circuit_table": TableCorrida.objects.first(),
        "api_bull": world.herd.bulls.first(),
    }
    found = {}
    for name in READ:
        row = parts.get(name)
        pk = corrida if row is None else row.pk
        found[name] = addresses(world, pk=pk, run=Run.objects.earliest("pk").pk)[name]
    return found


BEFORE_THE_END = {"api_corrida_record", "api_lidia_record"}


@pytest.mark.slow
def test_every_get_view_can_be_read_by_exactly_the_users_who_may_see_it(
    full: World, nobody: Program, stranger: Program, director: Program
) -> None:
    for name, way in ways(full).items():
        open_to_all = name not in DIRECTORS | OWN
        said = tuple(who.get(way).status_code for who in (nobody, stranger, director))
        wanted = (200, 200, 200) if open_to_all else (401, 403, 200)
        if name in OWN:
            wanted = (401, 200, 200)
        if name in BEFORE_THE_END:
            wanted = (404, 404, 404)
        assert (name, said) == (name, wanted)


@pytest.mark.slow
def test_a_request_with_a_matching_etag_gets_304(full: World, director: Program) -> None:
    for name, way in ways(full).items():
        first = director.get(way)
        if first.status_code == 200 and name not in {"api_corrida", "api_lidia"}:
            tag = {"if-none-match": first["ETag"]}
            assert (name, director.get(way, **tag).status_code) == (name, 304)


@pytest.mark.slow
def test_rows_of_a_circuit_that_the_user_cannot_see_are_not_found(
    full: World, nobody: Program, stranger: Program, director: Program
) -> None:
    full.circuit.public = False
    full.circuit.save()
    for name, way in ways(full).items():
        if name in {"api_circuits", "api_glossary", *OWN}:
            continue
        for who in (nobody, stranger):
            if name == "api_corridas":
                assert who.get_json(way)["results"] == []
            else:
                assert (name, who.get(way).status_code) == (name, 404)
    assert director.get_json("corridas/")["results"]


def test_the_list_of_circuits_shows_exactly_those_the_user_may_see(
    full: World, stranger: Program
) -> None:
    ana, eva = (User.objects.get(username=name) for name in ("ana", "eva"))
    Circuit.objects.filter(slug="x-0").update(public=False, owner=ana)
    Circuit.objects.filter(slug="x-1").update(public=False, offered_to=eva)
    Circuit.objects.filter(slug="x-2").update(archived_at=timezone.now(), owner=eva)
    for person in (ana, eva):
        every = set(Circuit.objects.all())
        ruled = {one for one in every if person.has_perm("corridas.view_circuit", one)}
        assert set(seen_by(person)) == ruled
    assert [row["slug"] for row in stranger.get_json("circuits/?mine=true")["results"]] == ["x-2"]
    assert [row["slug"] for row in stranger.get_json("circuits/?offered=true")["results"]] == [
        "x-1"
    ]


@pytest.mark.parametrize("name", sorted(LISTS))
def test_an_api_list_needs_as_many_queries_for_three_rows_as_for_one(
    full: World, director: Program, name: str
) -> None:
    Season.objects.filter(pk=full.season.pk).update(posted_version=9)
    way = ways(full)[name]
    if name == "api_lidias":
        way = f"corridas/{full.season.corridas.filter(state='posted')[0].pk}/lidias/"
    director.get_json("me/")  # the first use of a key on a day is written to the database
    counts = []
    for limit in (1, 3):
        cache.clear()
        with CaptureQueriesContext(connection) as caught:
            told = director.get_json(f"{way}?limit={limit}")
        assert len(told["results"]) == limit
        counts.append(len(caught))
    assert counts[0] == counts[1] <= 12


def test_every_api_list_is_paginated() -> None:
    lists = {
        str(one.name)
        for one in urlpatterns
        if hasattr(one.callback.cls, "paginator") and hasattr(one.callback.cls, "list")  # type: ignore[attr-defined]
    }
    assert lists == LISTS | COUNTED_ELSEWHERE


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("state=posted", 3),
        ("plaza=arles", 1),
        ("category=1&state=posted", 2),
        ("feria=goyesca&until=2027-03-03", 1),
        ("since=2027-03-04&until=2027-03-06", 2),
        ("circuit=x-0", 0),
        ("year=2027&origin=here", 4),
        ("matador=matador-3", 1),
        ("matador=matador-0&met=matador-3", 0),
        ("herd=mayalde&state=on_air", 1),
    ],
)
def test_the_list_of_corridas_can_be_filtered(
    full: World, nobody: Program, question: str, found: int
) -> None:
    assert len(nobody.get_json(f"corridas/?{question}")["results"]) == found


@pytest.mark.parametrize(
    "question",
    [
        "corridas/?state=over",
        "corridas/?state=",
        "corridas/?year=1e3",
        "corridas/?category=4",
        "corridas/?since=yesterday",
        "corridas/?year=2027&year=1",
        "circuits/?on_air=perhaps",
        "circuits/leyendas/seasons/2027/escalafon/?until=",
        "circuits/leyendas/seasons/2027/escalafon/?category=4",
    ],
)
def test_invalid_query_parameters_are_rejected(
    lived: World, nobody: Program, question: str
) -> None:
    assert nobody.get(question).status_code == 400


def test_a_misspelt_filter_is_rejected(lived: World, nobody: Program) -> None:
    assert nobody.get("corridas/?sesaon=2027").status_code == 422


def test_a_path_with_special_characters_gets_a_problem_document(nobody: Program, db: None) -> None:
    answer = nobody.get("circuits/calm/duels/%C2%B5/%23%0A/")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


@pytest.mark.parametrize("pk", [2**31, 2**63 - 1, 2**64, 10**30])
def test_primary_keys_too_large_for_the_database_are_not_found(
    lived: World, director: Program, pk: int
) -> None:
    for name, way in addresses(lived, pk=pk, year=pk).items():
        if "<int:pk>" in str(next(one for one in urlpatterns if one.name == name).pattern):
            assert (name, director.get(way).status_code) in {(name, 404), (name, 405)}
