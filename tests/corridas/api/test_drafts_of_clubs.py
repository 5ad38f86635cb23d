"""Drafts of Indulto sheets.

A sheet written over the API stores the same rows for its match as a sheet written on the page.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas.models import Circuit, Plaza, TableCorrida
from leagues.fixtures.operations import draw_round_robin
from leagues.league.operations import LeagueSettings, create_league
from leagues.members.operations.membership import join_league
from leagues.models import Fixture, Match, Player
from leagues.players import player_of_user
from tests.corridas.api.conftest import Program
from tests.corridas.pages.tabletop.test_tabletop_league import cartel
from tests.factories import World

pytestmark = pytest.mark.django_db


def fixture_of(nora: Player) -> Fixture:
    """Return a fixture of a league in which Nora plays against Pepe."""
    settings = LeagueSettings(name="Peña", game="indulto", profile="rulebook", format="round_robin")
    league = create_league(settings=settings, by=nora, at=timezone.now())
    pepe = player_of_user(User.objects.get_or_create(username="pepe")[0], at=timezone.now())
    join_league(token=league.invitation, by=pepe, at=timezone.now())
    draw_round_robin(league=league, by=nora, at=timezone.now())
    return Fixture.objects.filter(round__league=league)[0]


def opened(program: Program, fixture: Fixture) -> str:
    league = fixture.round.league.slug
    made = program.ask("POST", f"leagues/{league}/fixtures/{fixture.pk}/match/")
    assert made.status_code == 201, made.content
    return f"matches/{made.json()['id']}/"


def framed(nora: Player, world: World) -> Match:
    """Return the match of a fixture whose corrida was started on the page."""
    browser, fixture = Client(), fixture_of(nora)
    assert nora.user is not None
    browser.force_login(nora.user)
    answer = browser.post(f"/fixtures/{fixture.pk}/match/")
    match = Match.objects.get(fixture=fixture)
    assert answer["Location"] == f"/tienta/{match.pk}/"
    sent = cartel(world) | {"version": str(match.version), "circuit": "leyendas"}
    assert browser.post(answer["Location"], sent).status_code == 302
    match.refresh_from_db()
    return match


def write(program: Program, match: str, content: Any) -> Any:
    version = program.get_json(f"{match}draft/")["version"]
    return program.ask("PUT", f"{match}draft/", {"version": version, "content": content})


def columns(match: int) -> dict[str, Any]:
    (row,) = TableCorrida.objects.filter(match=match).values()
    return {name: value for name, value in row.items() if name not in {"id", "match_id"}}


def test_a_draft_written_over_the_api_stores_the_same_rows_as_the_page(
    program: Program, nora: Player, world: World
) -> None:
    by_page = framed(nora, world)
    way = opened(program, fixture_of(nora))
    assert write(program, way, by_page.draft).status_code == 200
    by_program = program.get_json(way)["id"]
    assert columns(by_program) == columns(by_page.pk)
    mine = [one["match"] for one in program.get_json("table-corridas/")["results"]]
    assert mine == [by_program, by_page.pk]


def test_a_corrida_submitted_without_a_draft_is_stored_as_well(
    program: Program, nora: Player, world: World
) -> None:
    sheet = framed(nora, world).draft
    assert isinstance(sheet, dict)
    score = {"score": {"ending": "killed", "avisos": 0, "modified": 50}}
    way = opened(program, fixture_of(nora))
    asked = {"version": 0, "content": sheet | {"lidias": [score] * 6}}
    answer = program.ask("POST", f"{way}sheet/", asked)
    assert answer.status_code in {200, 201}, answer.content
    row = TableCorrida.objects.get(match=program.get_json(way)["id"])
    assert (row.circuit, row.plaza, row.given) == (None, world.plazas[0], False)
    league = Match.objects.select_related("league").get(pk=row.match_id).league
    assert league is not None
    shown = program.get_json(f"leagues/{league.slug}/table-corridas/")["results"]
    assert [one["id"] for one in shown] == [row.pk]


@pytest.mark.slow
def test_the_stored_corrida_takes_day_and_plaza_from_its_scoresheet(
    program: Program, nora: Player, world: World
) -> None:
    sheet = framed(nora, world).draft
    assert isinstance(sheet, dict)
    TableCorrida.objects.all().delete()
    way = opened(program, fixture_of(nora))
    early = [{}, {"date": sheet["date"]}, sheet | {"plaza": None}, sheet | {"date": None}]
    for content in early:
        assert write(program, way, content).status_code in {200, 422}
    assert not TableCorrida.objects.exists()
    assert write(program, way, sheet).status_code == 200
    other = world.plazas[1]
    later = {"plaza": {"name": other.name, "rating": other.category}, "date": "2027-05-02"}
    assert write(program, way, sheet | later).status_code == 200
    row = TableCorrida.objects.get()
    assert (row.plaza, row.date.isoformat()) == (other, "2027-05-02")
    nowhere = {"plaza": {"name": "Nowhere", "rating": 2}}
    assert write(program, way, sheet | nowhere).status_code == 200
    assert TableCorrida.objects.get().plaza is None


def test_a_plaza_of_a_circuit_that_the_user_cannot_see_is_not_linked(
    program: Program, nora: Player, world: World
) -> None:
    sheet = framed(nora, world).draft
    assert isinstance(sheet, dict)
    hidden = Circuit.objects.create(
        slug="hidden", name="Hidden", public=False, deck=world.deck, owner=None
    )
    Plaza.objects.create(
        circuit=hidden, slug="x", name="Secreta", category=2, country="ES", continent="EU"
    )
    way = opened(program, fixture_of(nora))
    assert write(program, way, sheet | {"plaza": {"name": "Secreta", "rating": 2}}).status_code
    assert TableCorrida.objects.get(match=program.get_json(way)["id"]).plaza is None


def test_a_corrida_that_belongs_to_a_circuit_keeps_its_day_and_plaza(
    program: Program, nora: Player, world: World
) -> None:
    asked = {
        "circuit": "leyendas",
        "plaza": world.plazas[0].slug,
        "date": "2027-05-01",
        "matadors": [one.slug for one in world.matadors[:3]],
        "bulls": [{"name": f"Toro {turn}", "number": turn} for turn in range(6)],
    }
    made = program.ask("POST", "table-corridas/", asked).json()
    way = f"matches/{made['match']}/"
    sheet = program.get_json(f"{way}draft/")["content"]
    before = columns(made["match"])
    assert write(program, way, sheet | {"date": "2027-06-01"}).status_code == 200
    assert columns(made["match"]) == before
    assert before["circuit_id"] == world.circuit.pk
