"""The API returns 404 for hidden objects and rejects actions that are not allowed."""

from __future__ import annotations

import pytest

from leagues.models import League, Player
from tests.leagues import game
from tests.leagues.api.programs import STRANGER, Program, program

pytestmark = pytest.mark.django_db

PARTS = ("", "standings/", "matrix/", "rounds/", "fixtures/", "members/", "matches/", "export/")


@pytest.fixture
def ana() -> Program:
    return program("ana")


def found_league(by: Program, visibility: str) -> str:
    league = {"name": "Hidden", "game": game.KEY, "profile": "plain", "visibility": visibility}
    return str(by.post("leagues/", league)["slug"])


@pytest.mark.slow
def test_api_shows_a_private_league_only_to_its_members(ana: Program) -> None:
    slug = found_league(ana, League.Visibility.PRIVATE)
    for part in PARTS:
        ana.get(f"leagues/{slug}/{part}")
        for other in (STRANGER, program(f"other{part.strip('/')}")):
            assert other.refused("GET", f"leagues/{slug}/{part}")["status"] == 404
    assert [one["slug"] for one in ana.get("leagues/")["results"]] == [slug]
    assert STRANGER.get("leagues/")["results"] == []


def test_unlisted_league_is_readable_by_its_url_but_appears_in_no_list(ana: Program) -> None:
    slug = found_league(ana, League.Visibility.LINK)
    guest = ana.post(f"leagues/{slug}/members/", {"name": "Gil"})
    people = [ana.get("players/me/")["slug"], guest["player"]["slug"]]
    match = ana.post(f"leagues/{slug}/matches/", {"players": people})
    told = STRANGER.get(f"leagues/{slug}/")
    assert (told["invitation"], told["you"]["role"]) == (None, None)
    assert STRANGER.get("leagues/")["results"] == []
    assert STRANGER.get("matches/")["results"] == []
    at = f"matches/{match['id']}/"
    assert STRANGER.refused("GET", at)["status"] == 404
    assert STRANGER.get(f"{at}?league={slug}")["actions"] == []
    assert STRANGER.refused("GET", f"players/{people[1]}/")["status"] == 404


def test_player_with_a_hidden_page_is_not_found_by_others(ana: Program) -> None:
    ana.post("matches/", {"game": game.KEY, "profile": "plain", "names": ["", "Eva"]})
    slug = ana.get("players/me/")["slug"]
    assert STRANGER.get(f"players/{slug}/")["merges"] == []
    told = ana.ask("PATCH", f"players/{slug}/", {"public": False, "name": "Ana M."}).json()
    assert (told["name"], told["public"]) == ("Ana M.", False)
    assert STRANGER.refused("GET", f"players/{slug}/")["status"] == 404
    beto = program("beto")
    assert beto.refused("PATCH", f"players/{slug}/", {"public": True})["status"] == 404
    assert Player.objects.get(slug=slug).public is False


def test_reading_the_api_creates_no_player(ana: Program) -> None:
    for at in ("leagues/", "matches/?mine=true", "tables/?which=mine", "players/me/waiting/"):
        ana.get(at)
    assert ana.refused("GET", "players/me/")["status"] == 404
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("at", "body", "blamed"),
    [
        ("leagues/", {"name": 7, "game": "x", "profile": "y"}, "/name"),
        ("leagues/", {"name": "a", "game": "x", "profile": "y", "colour": "red"}, "/colour"),
        ("leagues/", {"name": "a", "game": "x", "profile": "y", "seats": 7}, "/seats"),
        (
            "leagues/",
            {"name": "a", "game": "x", "profile": "y", "scoring": {"by_place": ["1e999999999"]}},
            "/scoring/by_place/0",
        ),
        ("matches/", {"game": "x", "profile": "y", "names": ["a"]}, "/names"),
        ("tables/", {"bots": [{"seat": 0, "bot": []}]}, "/bots/0/bot"),
        ("tables/", {"rules": {"a": [1]}}, "/rules"),
        ("matches/1/sheet/", None, ""),
    ],
)
def test_request_bodies_of_wrong_types_are_rejected(
    ana: Program, at: str, body: object, blamed: str
) -> None:
    told = ana.refused("POST", at, body)
    assert told["status"] in {400, 404}
    if blamed:
        assert [one["pointer"] for one in told["errors"]] == [blamed]


@pytest.mark.parametrize(
    "at",
    [
        "matches/99999999999999999999999/",
        "matches/1/sheets/99999999999999999999999/",
        "tables/99999999999999999999999/",
        "tables/1/rounds/99999999999999999999999/",
        "leagues/nowhere/",
        "invitations/nothing/",
        "guests/nothing/",
        "games/nothing/",
        "eltoro/boards/nothing/",
        "eltoro/tables/99999999999999999999999/odds/",
        "eltoro/matches/99999999999999999999999/board/",
    ],
)
def test_unknown_objects_return_404(at: str) -> None:
    assert STRANGER.refused("GET", at)["status"] == 404
