"""Names and descriptions sent to the API are cleaned, and invalid names are rejected."""

from __future__ import annotations

import pytest

from accounts.models import User
from leagues.models import League, Player
from leagues.players import player_of_user
from tests.leagues import world
from tests.leagues.api.programs import Program, program
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def office() -> Program:
    return program("office")


@pytest.fixture
def league(office: Program) -> League:
    return world.found_league(player_of_user(User.objects.get(username="office"), at=NOW))


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("", 422),
        (" \u200b\u2800", 422),
        ("\u202e" * 10_000, 422),
        ("x" * 61, 400),
        ("á" * 10_000, 400),
    ],
)
def test_api_rejects_an_invalid_guest_name_at_its_field(
    office: Program, league: League, name: str, status: int
) -> None:
    answer = office.refused("POST", f"leagues/{league.slug}/members/", {"name": name})
    assert answer["status"] == status
    assert "name" in str(answer["errors"])
    assert not Player.objects.guests().exists()


@pytest.mark.parametrize("taken", ["ÓLGA", "O\u0301lga", "Ólga\u200b", "\u202eólga\u202c"])
def test_api_rejects_a_guest_name_taken_in_another_spelling(
    office: Program, league: League, taken: str
) -> None:
    at = f"leagues/{league.slug}/members/"
    office.post(at, {"name": "Ólga"})
    answer = office.refused("POST", at, {"name": taken})
    assert "already has a player called" in str(answer)
    assert "name" in str(answer["errors"])
    assert Player.objects.guests().count() == 1


def test_api_stores_cleaned_names_and_descriptions(office: Program, league: League) -> None:
    office.post(f"leagues/{league.slug}/members/", {"name": " A\u0301lvaro\u200b "})
    about = {"name": "Jue\u00adves", "about": "\u202euno\u202c\n\n dos  tres\u200b\n"}
    assert office.ask("PATCH", f"leagues/{league.slug}/", about).status_code == 200
    league.refresh_from_db()
    assert (league.name, league.about) == ("Jueves", "uno\n\ndos tres")
    assert Player.objects.guests().get().name == "Álvaro"
