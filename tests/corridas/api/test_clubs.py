"""Corridas of a club (a league of Indulto) in the API: they are started and their sheets
written.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from jsonschema import Draft202012Validator

from accounts.models import User
from corridas.api.tabletop.schema import SHEET
from corridas.models import TableCorrida
from corridas.tabletop.sheets import judge
from leagues.league.operations import LeagueSettings, create_league
from leagues.models import League, Match, Member, Player
from leagues.players import new_player
from tests.corridas.api.conftest import Program
from tests.corridas.tabletop.sheets import afternoon
from tests.factories import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(nora: Player) -> League:
    return _found(nora, "indulto")


def _found(by: Player, game: str) -> League:
    settings = LeagueSettings(name=f"Peña {game}", game=game, format="ladder", profile="rulebook")
    league = create_league(settings=settings, by=by, at=timezone.now())
    pepe = new_player(name="Pepe", at=timezone.now(), added_by=by)
    Member.objects.create(league=league, player=pepe, joined_at=timezone.now())
    return league


def asked(world: World, club: League) -> dict[str, Any]:
    return {
        "circuit": world.circuit.slug,
        "plaza": world.plazas[0].slug,
        "date": "2027-05-01",
        "matadors": [one.slug for one in world.matadors[:3]],
        "leads": [1, 0, 1],
        "bulls": [{"name": f"Toro {turn}", "number": turn} for turn in range(6)],
        "players": [one.player.slug for one in club.members.order_by("pk")],
    }


def begin(program: Program, world: World, club: League, key: str = "k") -> dict[str, Any]:
    way = f"leagues/{club.slug}/table-corridas/"
    made = program.ask("POST", way, asked(world, club), **{"Idempotency-Key": key})
    assert made.status_code == 201, made.content
    found: dict[str, Any] = made.json()
    return found


def test_a_club_s_corrida_is_created_once_and_belongs_to_no_circuit(
    program: Program, world: World, club: League
) -> None:
    made = begin(program, world, club)
    assert begin(program, world, club) == made
    row = TableCorrida.objects.get()
    assert (row.circuit, row.plaza, row.match.league) == (None, world.plazas[0], club)
    assert made["people"] == ["nora", "Pepe"]
    draft = program.get_json(f"matches/{made['match']}/draft/")
    names = [card["name"] for card in draft["content"]["cartel"]]
    by_name = dict(zip((one.name for one in world.matadors[:3]), [1, 0, 1], strict=True))
    assert draft["content"]["leads"] == [by_name[name] for name in names]
    way = f"leagues/{club.slug}/table-corridas/"
    assert program.get_json(way)["results"] == []  # no result has been entered yet
    Match.objects.update(state=Match.State.HANDED_IN)
    assert [one["id"] for one in program.get_json(way)["results"]] == [made["id"]]


def test_the_list_of_a_club_s_corridas_needs_as_many_queries_for_three_as_for_one(
    program: Program, world: World, club: League
) -> None:
    for key in "abc":
        begin(program, world, club, key)
    Match.objects.update(state=Match.State.HANDED_IN)
    way = f"leagues/{club.slug}/table-corridas/"
    counts = []
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as caught:
            assert len(program.get_json(f"{way}?limit={limit}")["results"]) == limit
        counts.append(len(caught))
    assert counts[0] == counts[1] <= 12


@pytest.mark.parametrize(
    ("wrong", "status", "pointer"),
    [
        ({"players": ["nobody"]}, 422, "/players"),
        ({"leads": [0, 0, 0]}, 422, "/leads"),
        ({"leads": [0, 1, 3]}, 400, "/leads/2"),
        ({"players": []}, 400, "/players"),
        ({"circuit": "nowhere"}, 422, "/circuit"),
        ({"bulls": [{"name": "A", "number": 1}] * 6}, 422, "/bulls"),
        ({"people": ["Eva"]}, 400, "/people"),
        ({"bulls": [{"name": " ", "number": turn} for turn in range(6)]}, 422, "/bulls/0/name"),
    ],
)
def test_an_invalid_corrida_of_a_club_gets_a_problem_at_its_member(
    program: Program,
    world: World,
    club: League,
    wrong: dict[str, Any],
    status: int,
    pointer: str,
) -> None:
    body = asked(world, club) | wrong
    told = program.ask("POST", f"leagues/{club.slug}/table-corridas/", body)
    assert (told.status_code, told.json()["errors"][0]["pointer"]) == (status, pointer)
    assert not Match.objects.exists()


def test_only_players_and_scorers_of_an_indulto_league_can_start_a_corrida(
    nobody: Program, stranger: Program, program: Program, nora: Player, world: World, club: League
) -> None:
    way, body = f"leagues/{club.slug}/table-corridas/", asked(world, club)
    assert nobody.ask("POST", way, body).status_code == 401
    assert stranger.ask("POST", way, body).status_code == 403
    other = _found(nora, "dominoes")
    assert program.ask("POST", way.replace(club.slug, other.slug), body).status_code == 404
    League.objects.filter(pk=club.pk).update(visibility=League.Visibility.PRIVATE)
    assert stranger.ask("POST", way, body).status_code == 404
    assert stranger.get(way).status_code == 404
    assert not Match.objects.exists()


def test_the_api_schema_names_every_member_of_a_sheet(world: World, nobody: Program) -> None:
    told = nobody.get_json("schema/?format=json")["components"]["schemas"]
    sheet = told["IndultoSheet"]
    lidia = sheet["properties"]["lidias"]["items"]["properties"]
    assert {"cards", "sheet", "score"} == set(lidia)
    of_sheet = lidia["sheet"]["anyOf"][0]["properties"]
    assert {"tercios", "kill", "avisos", "number", "began", "trophy"} <= set(of_sheet)
    for name in ("NewSheetRequest", "DraftAskedRequest", "SheetShown", "DraftShown"):
        forms = told[name]["properties"]["content"]["anyOf"]
        assert {"$ref": "#/components/schemas/IndultoSheet"} in forms
    assert nobody.get_json("games/indulto/")["sheet_schema"] == SHEET


@pytest.mark.parametrize("number", range(3))
def test_every_sheet_that_a_table_writes_matches_the_json_schema(number: int) -> None:
    setup, record = afternoon.played(number)
    for way in (afternoon.by_cards, afternoon.by_sheet):
        sheet = way(setup, record)
        assert judge(setup.rules, afternoon.DECK, sheet).stands
        Draft202012Validator(SHEET).validate(sheet)


HOSTILE: list[dict[str, Any]] = [
    {},
    {"cartel": [], "bulls": [], "leads": [], "lidias": []},
    {"cartel": [{}, {"name": "\u202e", "rating": 0, "ranges": {"oreja": "x"}}]},
    {"plaza": {}, "date": "never", "deck": "none", "leads": [None, 2, 2]},
    {"lidias": [{"cards": [0] * 400}, {"sheet": None, "score": {}}, {"sheet": {"kill": [None]}}]},
    {"lidias": [{"sheet": {"tercios": [[{"entries": [9]}, [1]]], "injured": [2, 2]}}] * 6},
    {"lidias": [{"cards": None, "score": {"ending": None, "totals": [1]}, "odd": [{}]}]},
]


@pytest.mark.slow
@pytest.mark.parametrize("part", HOSTILE)
@pytest.mark.parametrize("framed", [True, False])
def test_the_page_can_show_every_draft_that_matches_the_schema(
    program: Program, world: World, club: League, part: dict[str, Any], framed: bool
) -> None:
    made = begin(program, world, club)
    way = f"matches/{made['match']}/draft/"
    draft = program.get_json(way)
    content = (copy.deepcopy(draft["content"]) if framed else {}) | part
    told = program.ask("PUT", way, {"version": draft["version"], "content": content})
    assert told.status_code == 200, told.content
    browser = Client()
    browser.force_login(User.objects.get(username="nora"))
    assert browser.get(f"/tienta/{made['match']}/").status_code == 200
    assert browser.get(f"/tienta/{made['match']}/hoja/").status_code in {200, 404}


def test_a_draft_of_a_scoresheet_that_does_not_match_the_schema_is_rejected_at_its_path(
    program: Program, world: World, club: League
) -> None:
    made = begin(program, world, club)
    for content, pointer in (
        ({"cartel": 7}, "/content/cartel"),
        ({"lidias": [{"cards": [70]}]}, "/content/lidias/0/cards/0"),
        ({"cartel": [{"ranges": {"ear": "1"}}]}, "/content/cartel/0/ranges"),
    ):
        body = {"version": 1, "content": content}
        told = program.ask("PUT", f"matches/{made['match']}/draft/", body)
        assert (told.status_code, told.json()["errors"][0]["pointer"]) == (422, pointer)
