"""A director's operations in the API: creating circuits, planning, queueing, use of real tables.

They use idempotency keys, `If-Match` conditions and problem documents.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from corridas.api.urls import urlpatterns
from corridas.circuit_queries import SHIPPED
from corridas.models import Bull, Circuit, Corrida, Run, Season, TableCorrida
from leagues.models import Match
from tests.corridas.api.conftest import Program, addresses, answers_to
from tests.factories import World, name_alike

OWN = "circuits/barrio/"
SEASON = "circuits/leyendas/seasons/2027/"
WRITES = ("POST", "PUT", "DELETE")
# URL names of operations that every signed-in user may use.
FREE = {"api_circuits", "api_circuit_copy", "api_table_corridas"}


def founded(who: Program, **more: Any) -> Any:
    body = {"name": "Barrio", "year": 2027, "roster": "imported", **more}
    return who.ask("POST", "circuits/", body)


def problem(answer: Any) -> tuple[int, str]:
    told = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert told["detail"]
    return answer.status_code, told.get("errors", [{"pointer": ""}])[0]["pointer"]


@pytest.mark.slow
def test_only_a_director_can_use_the_write_operations_of_a_circuit(
    world: World, nobody: Program, stranger: Program
) -> None:
    corrida = world.announce(dt.date(2027, 5, 1))
    for one in urlpatterns:
        way = addresses(world, pk=corrida.pk)[str(one.name)]
        for method in WRITES:
            if not answers_to(one, method):
                continue
            assert (one.name, nobody.ask(method, way, {}).status_code) == (one.name, 401)
            if one.name not in FREE:
                said = stranger.ask(method, way, {"accept": True, "frozen": True, "name": "x"})
                assert (one.name, said.status_code in {400, 403, 404}) == (one.name, True)
    assert Run.objects.count() + TableCorrida.objects.count() == 0
    world.circuit.refresh_from_db()
    assert world.circuit.frozen_at is None


@pytest.mark.slow
def test_a_circuit_can_be_created_frozen_transferred_and_deleted(
    stranger: Program, director: Program
) -> None:
    made = founded(stranger, rules={"bull_points": "for"})
    assert (made.status_code, made["Location"]) == (201, "/api/v1/circuits/barrio/")
    assert made.json()["rules"]["bull_points"] == "for"
    assert stranger.ask("PUT", f"{OWN}rest/", {"frozen": True}).json()["frozen_at"]
    assert problem(stranger.ask("PUT", f"{OWN}rest/", {"frozen": True})) == (409, "")
    assert stranger.ask("PUT", f"{OWN}rest/", {"frozen": False}).json()["frozen_at"] is None
    assert problem(stranger.ask("POST", f"{OWN}offer/", {"name": "x"})) == (422, "/name")
    assert stranger.ask("POST", f"{OWN}offer/", {"name": "ana"}).status_code == 200
    assert director.ask("POST", f"{OWN}offer/answer/", {"accept": True}).json()["accepted"]
    assert stranger.ask("DELETE", OWN).status_code == 403
    assert director.ask("DELETE", OWN).json() == {"gone": True}
    assert director.get(OWN).status_code == 404


def test_an_offer_of_a_circuit_can_be_withdrawn_or_declined(
    stranger: Program, director: Program
) -> None:
    founded(stranger, public=False)
    assert director.get(OWN).status_code == 404
    stranger.ask("POST", f"{OWN}offer/", {"name": "ana"})
    assert director.get(OWN).status_code == 200
    assert stranger.ask("DELETE", f"{OWN}offer/").status_code == 204
    assert director.ask("POST", f"{OWN}offer/answer/", {"accept": True}).status_code == 404
    stranger.ask("POST", f"{OWN}offer/", {"name": "ana"})
    assert director.ask("POST", f"{OWN}offer/answer/", {"accept": False}).status_code == 200
    assert Circuit.objects.get(slug="barrio").owner == User.objects.get(username="eva")


def test_the_site_s_own_circuit_cannot_be_deleted(director: Program) -> None:
    assert SHIPPED == "leyendas"
    assert problem(director.ask("DELETE", "circuits/leyendas/")) == (409, "")


@pytest.mark.parametrize(
    ("more", "status", "pointer"),
    [
        ({"name": " "}, 422, "/name"),
        ({"year": 1}, 400, "/year"),
        ({"year": "2027"}, 400, "/year"),
        ({"stranger": 1}, 400, "/stranger"),
        ({"rules": {"shuffle": "never"}}, 400, "/rules/shuffle"),
        ({"calendar": [None]}, 400, "/calendar/0"),
        ({"calendar": []}, 422, "/calendar"),
        ({"roster": "generated"}, 422, "/seed"),
    ],
)
def test_an_invalid_circuit_is_rejected_and_not_stored(
    stranger: Program, more: dict[str, Any], status: int, pointer: str
) -> None:
    assert problem(founded(stranger, **more)) == (status, pointer)
    assert not Circuit.objects.exists()


@pytest.mark.parametrize("part", ["settings/", "calendar/"])
def test_a_second_director_cannot_overwrite_newer_settings_or_a_newer_calendar(
    world: World, director: Program, part: str
) -> None:
    way = f"circuits/leyendas/{part}"
    seen = director.get(way)
    line = {"feria": "F", "plaza": "ronda", "starts": "07-07", "corridas": 2, "days": "daily"}
    body = seen.json() | {"pace_ms": 500} if part == "settings/" else {"entries": [line]}
    assert problem(director.ask("PUT", way, body)) == (428, "")
    tag = {"if-match": seen["ETag"]}
    done = director.ask("PUT", way, body, **tag)
    assert done.status_code == 200, done.content
    assert done.json() == director.get_json(way) != seen.json()
    assert problem(director.ask("PUT", way, body, **tag)) == (412, "")


def test_a_calendar_with_an_unknown_plaza_is_rejected(world: World, director: Program) -> None:
    line = {"feria": "F", "plaza": "nowhere", "starts": "07-07", "corridas": 2, "days": "daily"}
    way = "circuits/leyendas/calendar/"
    refused = director.ask("PUT", way, {"entries": [line]}, **{"if-match": "*"})
    assert problem(refused) == (422, "/calendar")


def test_a_calendar_with_overlapping_ferias_is_rejected(world: World, director: Program) -> None:
    way, tag = "circuits/leyendas/calendar/", {"if-match": "*"}
    feria = {"feria": "A", "plaza": "ronda", "starts": "07-07", "corridas": 2, "days": "daily"}
    refused = director.ask("PUT", way, {"entries": [feria, feria | {"feria": "B"}]}, **tag)
    assert problem(refused) == (422, "/calendar")
    assert "“B” (7 July – 8 July) overlaps with “A”" in refused.json()["errors"][0]["detail"]
    entries = director.get_json(way)["entries"]
    assert director.ask("PUT", way, {"entries": entries}, **tag).status_code == 200


def test_matadors_with_the_same_name_can_be_on_one_cartel(world: World, director: Program) -> None:
    way = f"corridas/{world.announce(dt.date(2027, 5, 1)).pk}/cartel/"
    called = name_alike(world)
    men = [one.slug for one in world.matadors[:3]]
    done = director.ask("PUT", way, {"matadors": men}, **{"if-match": "*"})
    assert done.status_code == 200, done.content
    names = {one["matador"]: one["name"] for one in done.json()["matadors"]}
    assert [names[slug] for slug in men[:2]] == called
    assert called == ["Pedro Romero (Ronda, 1754)", "Pedro Romero (Ronda, 1800)"]


def test_a_cartel_with_an_invalid_matador_card_is_rejected_with_an_explanation(
    world: World, director: Program
) -> None:
    way = f"corridas/{world.announce(dt.date(2027, 5, 1)).pk}/cartel/"
    world.matadors[3].cards.update(rabo="-")
    body = {"matadors": [one.slug for one in world.matadors[:3]]}
    refused = director.ask("PUT", way, body, **{"if-match": "*"})
    assert problem(refused)[0] in (409, 422)
    assert "Check the roster" in refused.json()["errors"][0]["detail"]


def test_matadors_with_the_same_name_can_be_played_at_a_real_table(
    world: World, stranger: Program
) -> None:
    name_alike(world)
    men = [one.slug for one in world.matadors]
    bulls = [{"name": f"Toro {turn}", "number": turn} for turn in range(6)]
    asked = {"circuit": "leyendas", "plaza": "ronda", "date": "2027-05-01", "bulls": bulls}
    for chosen, keys in (
        (men[:3], ["matador-0", "matador-1", None]),
        (men[1:], ["matador-1", None, None]),
    ):
        body = asked | {"matadors": chosen, "people": ["Berta"], "leads": [0, 1, 0]}
        made = stranger.ask("POST", "table-corridas/", body)
        assert made.status_code == 201, made.content
        draft = Match.objects.get(pk=made.json()["id"]).draft
        assert draft
        assert [card.get("key") for card in draft["cartel"]] == keys


def test_setting_a_cartel_requires_the_etag_of_the_current_cartel(
    world: World, director: Program
) -> None:
    way = f"corridas/{world.announce(dt.date(2027, 5, 1)).pk}/cartel/"
    seen = director.get(way)
    men = [one.slug for one in world.matadors[1:]]
    assert problem(director.ask("PUT", way, {"matadors": men})) == (428, "")
    tag = {"if-match": seen["ETag"]}
    done = director.ask("PUT", way, {"matadors": men, "herd": "mayalde"}, **tag).json()
    assert sorted(one["matador"] for one in done["matadors"]) == men
    assert done["commitment"] != seen.json()["commitment"]
    assert done["by_hand"]
    assert problem(director.ask("PUT", way, {"matadors": men}, **tag)) == (412, "")
    twice = {"matadors": [men[0], men[0], men[1]]}
    any_tag = {"if-match": "*"}
    assert problem(director.ask("PUT", way, twice, **any_tag)) == (422, "/matadors")
    assert problem(director.ask("PUT", way, {"matadors": ["x", "y", "z"]}, **any_tag))[0] == 422


def test_a_corrida_is_queued_once_per_idempotency_key_and_can_be_cut_short(
    lived: World,
    director: Program,
    valkey: str,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    way = f"corridas/{lived.announce(dt.date(2027, 5, 1)).pk}/"
    key = {"idempotency-key": "one"}
    with django_capture_on_commit_callbacks() as told:
        first = director.ask("POST", f"{way}broadcast/", {"pace_ms": 500}, **key)
    again = director.ask("POST", f"{way}broadcast/", {"pace_ms": 500}, **key)
    assert first.status_code == again.status_code == 202, first.content
    assert first["Location"] == again["Location"] == f"/api/v1/{way}"
    assert len(told) == 1  # the workers are notified once, after the commit
    assert (first.json()["state"], first.json()["pace_ms"]) == ("queued", 500)
    assert problem(director.ask("POST", f"{way}broadcast/", {}))[0] == 409
    assert problem(director.ask("DELETE", f"{way}broadcast/"))[0] == 409
    assert problem(director.ask("POST", f"{way}broadcast/", {"pace_ms": 1})) == (400, "/pace_ms")


def test_cutting_a_broadcast_short_posts_the_corrida(lived: World, director: Program) -> None:
    corrida = lived.air_in_earnest(lived.announce(dt.date(2027, 3, 8)), seconds=20)
    told = director.ask("DELETE", f"corridas/{corrida.pk}/broadcast/").json()
    assert told["state"] in {"posted", "suspended"}
    assert len(told["seed"]) == 64
    assert director.get(f"corridas/{corrida.pk}/record/").status_code == 200


def test_a_failed_corrida_can_be_retried(lived: World, director: Program, valkey: str) -> None:
    corrida = lived.announce(dt.date(2027, 5, 1))
    Corrida.objects.filter(pk=corrida.pk).update(state="failed", error="it broke", pace_ms=400)
    assert director.get_json(f"{SEASON}desk/")["failed"][0]["error"] == "it broke"
    told = director.ask("POST", f"corridas/{corrida.pk}/retry/")
    assert (told.status_code, told.json()["state"], told.json()["pace_ms"]) == (202, "queued", 400)


def test_a_run_of_corridas_can_be_started_and_stopped(
    world: World, director: Program, valkey: str
) -> None:
    for day in (1, 2, 3):
        world.announce(dt.date(2027, 5, day))
    asked = director.ask("POST", f"{SEASON}runs/", {"corridas": 2, "stop_on": ["injury"]})
    assert (asked.status_code, asked.json()["total"]) == (202, 2)
    way = asked["Location"].removeprefix("/api/v1/")
    assert director.get_json(way)["stop_on"] == ["injury"]
    assert director.get_json(f"{SEASON}desk/")["run"]["id"] == asked.json()["id"]
    assert problem(director.ask("POST", f"{SEASON}runs/", {}))[0] == 409
    assert director.ask("POST", f"{way}stop/").json()["stop_requested"]
    Run.objects.update(state=Run.State.STOPPED)
    assert problem(director.ask("POST", f"{way}stop/"))[0] == 409
    nowhere = director.ask("POST", f"{SEASON}runs/", {"feria": "nowhere"})
    assert problem(nowhere) == (422, "/feria")
    over = director.ask("POST", f"{SEASON}runs/", {"until": "2027-01-01"})
    assert problem(over) == (422, "/until")


def test_a_winter_is_rejected_until_its_season_is_over(world: World, director: Program) -> None:
    world.announce(dt.date(2027, 5, 1))
    assert problem(director.ask("POST", f"{SEASON}winter/", {}))[0] == 409
    Season.objects.create(circuit=world.circuit, year=2028, seed=b"s" * 32, commitment=b"c" * 32)
    wrong = director.ask("POST", f"{SEASON.replace('2027', '2028')}winter/", {})
    assert problem(wrong)[0] == 409


def test_a_season_cannot_be_planned_twice(world: World, director: Program) -> None:
    refused = director.ask("POST", "circuits/leyendas/seasons/", {"year": 2027})
    assert problem(refused) == (422, "/year")


TABLES = "circuits/leyendas/tables/"


def announced(world: World) -> Corrida:
    """Return an announced corrida whose cartel has its bulls."""
    corrida = world.announce(dt.date(2027, 5, 1))
    for place in range(6):
        Bull.objects.create(
            ganaderia=world.herd,
            year=2021,
            number=place,
            name=f"Cantinero {place}",
            coat="negro",
            weight=520,
            cartel=corrida.cartel,
            place=place,
        )
    return corrida


def ahead(days: int) -> str:
    return (timezone.now() + dt.timedelta(days)).isoformat()


def test_a_corrida_can_be_assigned_to_a_real_table_and_returned_to_its_season(
    world: World, director: Program
) -> None:
    corrida = announced(world)
    asked = {"corrida": corrida.pk, "people": ["ana", "Berta"], "deadline": ahead(3)}
    unled = director.ask("POST", TABLES, asked)
    assert problem(unled) == (422, "/leads")
    assert "Choose who leads each matador: ana or Berta." in unled.content.decode()
    asked["leads"] = [0, 1, 0]
    assert problem(director.ask("POST", TABLES, asked | {"deadline": ahead(-1)})) == (
        409,
        "/deadline",
    )
    given = director.ask("POST", TABLES, asked)
    assert given.status_code == 201, given.content
    assert given.json()["people"] == ["ana", "Berta"]
    assert "/key/" in given.json()["links"]["invitation"]
    way = given["Location"].removeprefix("/api/v1/")
    assert director.get_json(SEASON + "desk/")["at_tables"] == [corrida.pk]
    assert director.ask("PUT", f"{way}deadline/", {"deadline": ahead(9)}).status_code == 200
    assert problem(director.ask("PUT", f"{way}deadline/", {"deadline": ahead(4)}))[0] == 409
    assert director.ask("DELETE", way).status_code == 204
    corrida.refresh_from_db()
    assert corrida.state == Corrida.State.ANNOUNCED


def test_a_user_can_start_a_corrida_at_a_real_table(world: World, stranger: Program) -> None:
    men = [one.slug for one in world.matadors[:3]]
    bulls = [{"name": f"Toro {turn}", "number": turn} for turn in range(6)]
    asked = {"circuit": "leyendas", "plaza": "ronda", "date": "2027-05-01", "matadors": men}
    body = asked | {"bulls": bulls, "people": ["Berta"], "leads": [0, 1, 0]}
    made = stranger.ask("POST", "table-corridas/", body)
    assert made.status_code == 201, made.content
    assert made.json()["people"] == ["eva", "Berta"]
    assert [one["id"] for one in stranger.get_json("table-corridas/")["results"]] == [
        made.json()["id"]
    ]
    for wrong, pointer in (
        ({"bulls": bulls[:5] + bulls[:1]}, "/bulls"),
        ({"plaza": "nowhere"}, "/plaza"),
        ({"circuit": "nowhere"}, "/circuit"),
        ({"matadors": ["a", "b", "c"]}, "/matadors"),
    ):
        assert problem(stranger.ask("POST", "table-corridas/", body | wrong)) == (422, pointer)
