"""Announcing absences on the page of fixtures and over the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from api.keys.operations import make_token
from api.models import Token
from leagues.fixtures.absences import announce_absence
from leagues.fixtures.operations import draw_next_swiss
from leagues.league.operations import settings_of
from leagues.models import Absence, League, Player
from tests.leagues import world
from tests.leagues.api.programs import Program
from tests.leagues.pages.league.test_league_pages import SETTINGS, seat
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def league(office: Player) -> League:
    league = world.found_league(
        office, plays=False, format="swiss", rounds_planned=3, visibility="public"
    )
    for name in ("ana", "beto", "carla", "dora"):
        world.enter_league(league, world.account(name))
    return league


def fixtures_page(client: Client, league: League) -> str:
    return client.get(reverse("league_fixtures", args=[league.slug])).content.decode()


def announced(client: Client, league: League, name: str, number: int | str) -> Any:
    slug = world.called(name).slug
    address = reverse("league_absence", args=[league.slug])
    return client.post(address, {"player": slug, "round": number}, follow=True)


@pytest.mark.slow
def test_player_announces_and_cancels_an_absence_on_the_page(
    client: Client, league: League
) -> None:
    ana = seat(client, world.called("ana"))
    assert "Only 1 absence earns points (½)." in fixtures_page(ana, league)
    told = announced(ana, league, "ana", 1).content.decode()
    assert "ana will not be paired in round 1." in told
    assert "Round 1, with points" in " ".join(told.split()).replace(" ,", ",")
    absence = Absence.objects.get()
    # Everybody who can see the league sees the absence on the page. Only the player and the
    # organiser can cancel the absence.
    cancel = reverse("absence_cancel", args=[league.slug, absence.pk])
    assert cancel in told
    others = fixtures_page(seat(Client(), world.called("beto")), league)
    assert "Announced absences" in others
    assert cancel not in others
    told = ana.post(cancel, follow=True).content.decode()
    assert "ana will be paired in round 1." in told
    assert not Absence.objects.exists()


def test_organiser_announces_an_absence_and_sees_it_before_the_draw(
    league: League, office: Player
) -> None:
    client = seat(Client(), office)
    told = announced(client, league, "beto", 1).content.decode()
    assert "beto will not be paired in round 1." in told
    draw = client.get(reverse("league_draw", args=[league.slug])).content.decode()
    assert "Absent, as announced: beto." in " ".join(draw.split())


def test_absence_page_works_if_the_round_is_drawn_meanwhile(
    client: Client, league: League, office: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def announce_and_draw(**given: Any) -> Absence:
        absence = announce_absence(**given)
        draw_next_swiss(league=league, by=office, at=NOW)
        return absence

    way = "leagues.pages.fixtures.absences.announce_absence"
    monkeypatch.setattr(way, announce_and_draw)
    told = announced(seat(client, world.called("ana")), league, "ana", 1)
    assert told.status_code == 200
    assert "ana will not be paired in round 1." in told.text


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (1, "Round 1 has already been drawn."),
        (4, "Select a valid choice"),
        ("x", "Select a valid choice"),
    ],
)
def test_absence_in_an_invalid_round_is_rejected_with_a_message(
    league: League, office: Player, number: int | str, sentence: str
) -> None:
    client = seat(Client(), world.called("ana"))
    page = reverse("league_fixtures", args=[league.slug])
    assert client.get(page).status_code == 200
    draw_next_swiss(league=league, by=office, at=NOW)
    answer = announced(client, league, "ana", number)
    assert answer.status_code == 422
    said = answer.content.decode()
    # The form no longer offers the drawn round.
    assert (sentence if number != 1 else "Select a valid choice") in said
    assert not Absence.objects.exists()


def test_player_cannot_announce_an_absence_of_another_player(league: League) -> None:
    ana = seat(Client(), world.called("ana"))
    assert announced(ana, league, "beto", 1).status_code == 422
    stranger = seat(Client(), world.account("zoe"))
    assert announced(stranger, league, "zoe", 1).status_code == 404
    assert announced(Client(), league, "ana", 1).status_code == 404
    assert "Announce an absence" in fixtures_page(ana, league)
    assert "Announce an absence" not in fixtures_page(stranger, league)
    assert not Absence.objects.exists()


def test_page_explains_why_an_absence_brings_no_points(league: League) -> None:
    ana = seat(Client(), world.called("ana"))
    assert "The absence brings no points." in announced(ana, league, "ana", 3).content.decode()


@pytest.mark.slow
def test_number_of_absences_that_bring_points_can_be_set_on_the_settings_page(
    client: Client, office: Player
) -> None:
    client = seat(client, office)
    new = f"/leagues/new/?game={SETTINGS.get('game', 'highest')}"
    fields = {**SETTINGS, "format": "swiss", "rounds_planned": "5"}
    assert client.post(new, fields).status_code == 302
    league = League.objects.get()
    assert league.absences_allowed == 1
    rules = reverse("league_rules", args=[league.slug])
    assert "absence announced before the draw" in client.get(rules).content.decode()
    settings = reverse("league_settings", args=[league.slug])
    assert client.post(settings, {**fields, "absences_allowed": "0"}).status_code == 302
    league.refresh_from_db()
    assert league.absences_allowed == 0
    assert "absence announced before the draw" not in client.get(rules).content.decode()
    # A form without this field leaves the setting unchanged.
    assert client.post(settings, {**fields, "absences_allowed": "2"}).status_code == 302
    assert client.post(settings, fields).status_code == 302
    league.refresh_from_db()
    assert settings_of(league).absences_allowed == 2
    assert client.post(settings, {**fields, "absences_allowed": "100"}).status_code == 422


# Over the API


def program_of(name: str) -> Program:
    """Return a program that acts for the user of this player."""
    user = world.called(name).user
    assert user is not None
    _row, text = make_token(user=user, name="test", scope=Token.Scope.WRITE, at=NOW)
    return Program(text)


@pytest.fixture
def ana(league: League) -> Program:
    return program_of("ana")


@pytest.mark.slow
def test_api_announces_lists_and_cancels_absences(league: League, ana: Program) -> None:
    at = f"leagues/{league.slug}/absences/"
    told = ana.post(at, {"round": 2})
    assert told["player"]["name"] == "ana"
    assert (told["round"], told["excused"]) == (2, True)
    assert ana.get(at)["absences"] == [told]
    assert ana.ask("POST", at, {"round": 2}).status_code == 409
    assert ana.ask("POST", at, {"round": 9}).status_code == 409
    assert ana.ask("POST", at, {"round": 1, "player": "beto"}).status_code == 403
    assert ana.ask("POST", at, {"round": 1, "player": "nobody"}).status_code == 409
    assert program_of("beto").ask("DELETE", f"{at}{told['id']}/").status_code == 403
    assert ana.ask("DELETE", f"{at}{told['id']}/").status_code == 204
    assert ana.get(at)["absences"] == []
    assert program_of("office").post(at, {"round": 1, "player": "beto"})["player"]["slug"] == "beto"


def test_api_sets_the_points_of_absences(league: League) -> None:
    office = program_of("office")
    at = f"leagues/{league.slug}/"
    assert office.get(at)["absences_allowed"] == 1
    changes = {"absences_allowed": 2, "scoring": {"absence": "1/4"}}
    told = office.ask("PATCH", at, changes).json()
    assert told["absences_allowed"] == 2
    assert told["scoring"]["absence"] == "1/4"
