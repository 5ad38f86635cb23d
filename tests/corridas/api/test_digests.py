"""Digests in the API: summaries of what happened in a run (the simulation of part of a season).

They show what the page shows, and no results that a user with spoiler protection has not watched.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from corridas.models import Corrida, Injury, Lidia, MatadorCard, Puesto, Run, Season
from corridas.season import digest
from corridas.simulation.post import post_now
from tests.corridas.api.conftest import Program, program_of
from tests.corridas.pages.season.test_digest import FALLEN, protected_runs, run_of
from tests.factories import World

SEASON = "circuits/leyendas/seasons/2027/"
LIST = f"{SEASON}digests/"
AT = "http://testserver/api/v1/"
Queries = Callable[..., int]


@pytest.fixture
def three(lived: World) -> list[Corrida]:
    """Return the three corridas of March by date."""
    return list(Corrida.objects.order_by("date"))


@pytest.fixture
def vera(lived: World) -> Program:
    """Return an API client of a user with spoiler protection."""
    since = timezone.now() - dt.timedelta(hours=1)
    return program_of(User.objects.create_user("vera", shielded_since=since))


def way(run: Run) -> str:
    return f"{LIST}{run.pk}/"


def hide(corrida: Corrida) -> None:
    """Set the start of a corrida's broadcast to five minutes ago.

    Users with spoiler protection have then not watched it.
    """
    at = timezone.now() - dt.timedelta(minutes=5)
    Corrida.objects.filter(pk=corrida.pk).update(on_air_at=at)


def digest_of(run: Run) -> digest.Digest:
    return digest.digest_of(digest.find_run("leyendas", 2027, run.pk), whole=True)


def in_earnest(world: World, day: dt.date) -> Corrida:
    """Return a corrida whose stored cards can be replayed."""
    corrida = world.air_in_earnest(world.announce(day), seconds=100_000)
    post_now(corrida.pk, at=timezone.now())
    return Corrida.objects.get(pk=corrida.pk)


def test_the_list_of_digests_matches_that_of_the_page(
    lived: World, three: list[Corrida], nobody: Program
) -> None:
    lived.hurt_and_spare(three[2])
    Run.objects.create(
        season=lived.season, until=dt.date(2027, 3, 1), asked_at=timezone.now(), done=3
    )
    old = run_of(lived, three[0], state="failed", reason="no such file: /secret")
    new = run_of(lived, *three[1:], state="stopped", reason="injury,indulto")
    rows = nobody.get_json(LIST)["results"]
    lines = digest.lines(digest.listed(lived.season))
    assert [row["id"] for row in rows] == [new.pk, old.pk] == [line.run.pk for line in lines]
    for row, line in zip(rows, lines, strict=True):
        counted = {name: line.counts[name] for name in ("ears", "tails", "indultos")}
        assert row | counted == row
        assert (row["corridas"], row["hurt"]) == (line.run.held, line.hurt)
        assert row["links"]["self"] == AT + way(line.run)
        assert row["links"]["page"] == f"http://testserver/temporada/2027/resumen/{line.run.pk}/"
    assert (rows[0]["starts"], rows[0]["ends"]) == ("2027-03-04", "2027-03-06")
    assert [row["stopped_by"] for row in rows] == [["injury", "indulto"], []]
    assert nobody.get_json(SEASON)["links"]["digests"] == AT + LIST


def test_the_list_of_digests_is_paginated(
    lived: World, three: list[Corrida], nobody: Program
) -> None:
    runs = [run_of(lived, corrida) for corrida in three]
    first = nobody.get_json(f"{LIST}?limit=2")
    second = nobody.get_json(first["next"].removeprefix(AT))
    told = [row["id"] for row in (*first["results"], *second["results"])]
    assert told == [run.pk for run in reversed(runs)]
    assert second["next"] is None


def test_totals_trophies_and_rank_changes_of_a_digest_match_those_of_the_page(
    lived: World, three: list[Corrida], nobody: Program
) -> None:
    before = run_of(lived, three[0])
    run = run_of(lived, *three[1:])
    told, found = nobody.get_json(way(run)), digest_of(run)
    assert (told["starts"], told["ends"], told["done"]) == ("2027-03-04", "2027-03-06", 2)
    assert told["totals"] == {
        "corridas": 2, "bulls": 12, "ears": 6, "tails": 2, "vueltas": 2, "indultos": 0,
        "avisos": 4, "three_avisos": 0, "hurt": 0,
    }  # fmt: skip
    assert told["totals"] | {"bulls": found.totals["out"]} == told["totals"]
    assert [
        (row["matador"], row["bulls"], row["ears"], row["tails"]) for row in told["trophies"]
    ] == [
        (cut.person.slug, cut.counts["bulls"], cut.counts["ears"], cut.counts["tails"])
        for cut in found.cut
    ]
    assert [(row["matador"], row["was"], row["place"]) for row in told["moves"]] == [
        (move.line.slug, move.was, move.line.place) for move in found.moves
    ]
    assert len(told["moves"]) == found.changed == 3
    corridas = [corrida.pk for corrida in three[1:]]
    assert [row["corrida"] for row in told["afternoons"]] == told["corridas"] == corridas
    listed = nobody.get_json(told["links"]["corridas"].removeprefix(AT))["results"]
    assert [row["id"] for row in listed] == corridas
    assert told["links"]["previous"] == AT + way(before)
    assert told["links"]["next"] is None
    first = nobody.get_json(way(before))
    assert first["links"]["next"] == AT + way(run)
    assert {move["was"] for move in first["moves"]} == {None}


def test_the_best_corrida_of_a_digest_names_its_deciding_card(
    lived: World, nobody: Program
) -> None:
    run = run_of(lived, in_earnest(lived, dt.date(2027, 4, 1)))
    told, found = nobody.get_json(way(run))["best"], digest_of(run)
    assert found.best
    assert found.move
    share = found.best.first
    assert share
    assert share.best
    decision = share.best.decision
    assert decision
    assert (told["matador"], told["ears"]) == (share.person.slug, share.counts["ears"])
    assert (told["place"], told["was"]) == (found.move.line.place, found.move.was)
    assert told["ranges"] == found.bands
    made = told["best"]["decision"]
    assert (made["card"], made["face"]["place"]) == (decision.card, decision.face.place)
    assert [card["number"] for card in made["pair"]] == [card.number for card in decision.pair]
    assert made["drawn"] + made["points"] == made["number"] == decision.number
    assert nobody.get(told["links"]["card"].removeprefix(AT)).status_code == 200


def test_a_digest_limits_only_its_list_of_corridas(
    lived: World, three: list[Corrida], nobody: Program
) -> None:
    more = [lived.post(lived.announce(dt.date(2027, 4, day), first=day)) for day in range(1, 5)]
    held = [*three, *more]
    Lidia.objects.filter(corrida__in=held, turn=1).update(ending="spared")
    told = nobody.get_json(way(run_of(lived, *held)))
    assert (told["totals"]["corridas"], len(told["corridas"])) == (7, 7)
    assert len(told["spared"]) == told["totals"]["indultos"] == 7
    assert len(told["moves"]) == 4
    days = [row["date"] for row in told["afternoons"]]
    assert len(days) == digest.AFTERNOONS
    assert days == sorted(days)
    assert told["best"]["corrida"] in {row["corrida"] for row in told["afternoons"]}


def test_the_deciding_card_of_a_lidia_with_three_avisos_has_no_number(
    lived: World, nobody: Program
) -> None:
    corrida = in_earnest(lived, dt.date(2027, 4, 1))
    run = run_of(lived, corrida)
    Lidia.objects.filter(corrida=corrida).update(ending="three_avisos", avisos=3, trophy=0)
    decision = nobody.get_json(way(run))["best"]["best"]["decision"]
    assert decision["card"]
    assert (decision["pair"], decision["drawn"], decision["number"]) == ([], None, None)


def test_a_digest_has_no_best_corrida_if_no_matador_finished_a_bull(
    lived: World, three: list[Corrida], nobody: Program
) -> None:
    run = run_of(lived, three[0])
    Lidia.objects.filter(corrida=three[0]).update(finisher=None, ending="broken_off")
    told = nobody.get_json(way(run))
    assert told["best"] is None
    (afternoon,) = told["afternoons"]
    assert (afternoon["matador"], afternoon["ears"], afternoon["best"]) == (None, 0, None)


def test_injuries_of_a_digest_list_missed_corridas_and_replacements(
    lived: World, three: list[Corrida], nobody: Program
) -> None:
    hurt, stand_in = lived.matadors[0], lived.matadors[3]
    lived.hurt_and_spare(three[2])
    replaced = lived.announce(dt.date(2027, 3, 7), first=1)
    Puesto.objects.filter(cartel=replaced.pk, matador=stand_in).update(instead_of=hurt)
    open_place = lived.announce(dt.date(2027, 3, 26))
    lived.announce(dt.date(2027, 3, 27))
    run = run_of(lived, *three, state="stopped", reason="injury,indulto")
    told = nobody.get_json(way(run))
    (injury,) = told["injuries"]
    assert (injury["matador"], injury["grade"], injury["turn"]) == (hurt.slug, "grave", 2)
    assert (injury["since"], injury["until"]) == ("2027-03-06", "2027-03-26")
    assert [(miss["corrida"], miss["substitute"]) for miss in injury["missed"]] == [
        (replaced.pk, stand_in.slug),
        (open_place.pk, None),
    ]
    (spared,) = told["spared"]
    assert (spared["turn"], spared["herd"], spared["corrida"]) == (3, "mayalde", three[2].pk)
    assert [(stop["kind"], stop["corrida"], stop["turn"]) for stop in told["stops"]] == [
        ("injury", three[2].pk, 2),
        ("indulto", three[2].pk, 3),
    ]
    assert told["stops"][0]["links"]["lidia"].endswith(f"corridas/{three[2].pk}/lidias/2/")
    assert [row["corrida"] for row in told["coming"]] == [replaced.pk, open_place.pk]
    assert len(told["coming"][0]["matadors"]) == 3


def test_a_digest_lists_broken_records_and_records_within_reach(
    lived: World, three: list[Corrida], nobody: Program
) -> None:
    line = FALLEN | {"matador_id": lived.matadors[0].pk, "corrida_id": three[0].pk}
    run = run_of(lived, three[0], state="stopped", reason="record", fallen=[line])
    lived.announce(dt.date(2027, 5, 1))
    told, found = nobody.get_json(way(run)), digest_of(run)
    (record,) = told["fallen"]
    assert (record["key"], record["value"], record["before"]) == ("share_ears", "4", "3")
    assert (record["matador"], record["turn"]) == (lived.matadors[0].slug, None)
    assert record["links"]["lidia"] is None
    assert told["stops"][0]["words"] == record["label"] == "Most ears in an afternoon"
    assert [(row["matador"], row["words"]) for row in told["near"]] == [
        (said.slug, said.words) for said in found.near
    ]


def test_a_run_that_stopped_for_a_record_before_the_first_bull_links_to_the_paseillo(
    lived: World, three: list[Corrida], nobody: Program
) -> None:
    line = FALLEN | {"key": "career_corridas", "matador_id": None, "corrida_id": None}
    run = run_of(lived, three[0], state="stopped", reason="record", fallen=[line])
    (stop,) = nobody.get_json(way(run))["stops"]
    assert (stop["turn"], stop["matador"]) == (0, None)
    assert stop["links"]["lidia"] is None
    assert stop["links"]["card"].endswith(f"corridas/{three[0].pk}/moments/0/0/")


def test_a_damaged_card_hides_only_the_deciding_cards_that_depend_on_it(
    lived: World, nobody: Program
) -> None:
    corrida = in_earnest(lived, dt.date(2027, 4, 1))
    lived.hurt_and_spare(corrida)
    run = run_of(lived, corrida, state="stopped", reason="injury,indulto")
    before = nobody.get_json(way(run))
    MatadorCard.objects.filter(pk=corrida.cartel.puestos.earliest("order").card_id).update(
        oreja="9-"
    )
    told = nobody.get_json(way(run))
    assert told["totals"] == before["totals"]
    assert (told["best"]["matador"], told["best"]["ranges"]) == (before["best"]["matador"], {})
    assert told["best"]["best"]["decision"] is None
    assert [stop["kind"] for stop in told["stops"]] == ["injury", "indulto"]
    assert Client().get(f"/temporada/2027/resumen/{run.pk}/").status_code == 200


@pytest.fixture
def queries() -> Queries:
    def count(program: Program, address: str) -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as caught:
            program.get_json(address)
        return len(caught)

    return count


def test_a_digest_of_three_corridas_needs_as_many_queries_as_one(
    lived: World, three: list[Corrida], nobody: Program, vera: Program, queries: Queries
) -> None:
    vera.get_json("me/")  # the first use of a key on a day is written to the database
    for day in (1, 2, 3):
        lived.announce(dt.date(2027, 5, day))
    one = run_of(lived, three[0])
    single, hers = queries(nobody, way(one)), queries(vera, way(one))
    Corrida.objects.filter(run=one).update(run=None)
    one.delete()
    line = FALLEN | {"matador_id": lived.matadors[0].pk, "corrida_id": three[0].pk}
    whole = run_of(lived, *three, state="stopped", reason="injury,record", fallen=[line])
    for corrida, matador in zip(three, lived.matadors, strict=False):
        Injury.objects.create(
            matador=matador,
            corrida=corrida,
            turn=1,
            grade="leve",
            since=corrida.date,
            until=dt.date(2027, 5, 30),
        )
        Lidia.objects.filter(corrida=corrida, turn=3).update(ending="spared")
    told = nobody.get_json(way(whole))
    assert [len(told[name]) for name in ("injuries", "spared", "afternoons")] == [3, 3, 3]
    assert queries(nobody, way(whole)) == single <= 15
    assert queries(vera, way(whole)) == hers <= 18


def test_digests_of_unwatched_corridas_are_forbidden_and_left_out_of_the_list(
    lived: World, three: list[Corrida], nobody: Program, vera: Program
) -> None:
    before, eve, across, day = protected_runs(lived, three)
    for run in (before, eve):
        assert vera.get(way(run)).status_code == 200
    for run in (across, day):
        refused = vera.get(way(run))
        told = (refused.status_code, refused.json()["type"])
        assert told == (403, "urn:temporada:problem:veiled")
        assert vera.get(way(run), veiled="show").status_code == 200
        assert nobody.get(way(run)).status_code == 200
    rows = vera.get_json(LIST)["results"]
    seen = "2027-03-03"
    assert [(row["id"], row["until"]) for row in rows] == [(eve.pk, seen), (before.pk, seen)]
    rows = nobody.get_json(LIST)["results"]
    assert [(row["id"], row["until"]) for row in rows] == [
        (run.pk, None) for run in (day, across, eve, before)
    ]
    assert len(vera.ask("GET", LIST, veiled="show").json()["results"]) == 4
    User.objects.filter(username="vera").update(shielded_since=None)
    assert vera.get(way(day)).status_code == 200


def test_a_digest_leaves_out_records_while_a_corrida_is_unwatched(
    lived: World, three: list[Corrida], nobody: Program, vera: Program
) -> None:
    line = FALLEN | {"matador_id": None, "corrida_id": None}
    run = run_of(lived, three[0], fallen=[line])
    told = vera.get_json(way(run))
    assert (told["veiled"], len(told["fallen"])) == (False, 1)
    hide(three[1])
    told = vera.get_json(way(run))
    assert (told["veiled"], told["fallen"], told["near"]) == (True, [], [])
    told = nobody.get_json(way(run))
    assert (told["veiled"], len(told["fallen"])) == (False, 1)


def test_a_digest_does_not_depend_on_the_results_of_an_unwatched_corrida(
    lived: World, three: list[Corrida], vera: Program
) -> None:
    run = run_of(lived, three[0])
    run_of(lived, three[1])
    hide(three[1])
    before = vera.get_json(way(run)), vera.get_json(LIST)
    Lidia.objects.filter(corrida=three[1]).update(trophy=3, score=77, number=99, avisos=2)
    Corrida.objects.filter(pk=three[1].pk).update(state=Corrida.State.SUSPENDED)
    cache.clear()
    assert (vera.get_json(way(run)), vera.get_json(LIST)) == before


def test_the_error_of_a_failed_run_is_not_published(
    lived: World, three: list[Corrida], nobody: Program
) -> None:
    run = run_of(lived, three[0], state="failed", reason="no such file: /secret")
    for address in (LIST, way(run)):
        assert "secret" not in str(nobody.get_json(address))


@pytest.mark.parametrize("number", [0, 999, 2**31, 2**63 - 1, 2**63, 2**64, 10**30])
@pytest.mark.parametrize("who", ["nobody", "vera"])
def test_a_digest_with_an_unknown_run_number_is_not_found(
    lived: World, three: list[Corrida], request: pytest.FixtureRequest, who: str, number: int
) -> None:
    run = run_of(lived, *three)
    program: Program = request.getfixturevalue(who)
    for address in (
        f"{LIST}{number}/",
        f"circuits/leyendas/seasons/{number}/digests/",
        f"circuits/leyendas/seasons/{number}/digests/{run.pk}/",
    ):
        answer: Any = program.get(address)
        assert answer.status_code == 404, address
        assert answer["Content-Type"] == "application/problem+json"


def test_a_digest_of_another_season_or_of_a_run_without_corridas_is_not_found(
    lived: World, three: list[Corrida], nobody: Program
) -> None:
    run = run_of(lived, *three)
    idle = Run.objects.create(
        season=lived.season, until=dt.date(2027, 3, 1), asked_at=timezone.now(), done=3
    )
    Season.objects.create(circuit=lived.circuit, year=2028, seed=b"s" * 32, commitment=b"c" * 32)
    assert nobody.get_json("circuits/leyendas/seasons/2028/digests/")["results"] == []
    for address in (
        f"circuits/leyendas/seasons/2028/digests/{run.pk}/",
        f"circuits/nowhere/seasons/2027/digests/{run.pk}/",
        way(idle),
        f"{LIST}x/",
        f"{LIST}-1/",
    ):
        assert nobody.get(address).status_code == 404, address


@pytest.mark.parametrize(
    ("question", "status"),
    [("limit=0", 400), ("limit=201", 400), ("cursor=x", 404), ("page=2", 422), ("all=1", 422)],
)
def test_invalid_query_parameters_of_the_list_of_digests_are_rejected(
    lived: World, three: list[Corrida], nobody: Program, question: str, status: int
) -> None:
    run_of(lived, *three)
    assert nobody.get(f"{LIST}?{question}").status_code == status
