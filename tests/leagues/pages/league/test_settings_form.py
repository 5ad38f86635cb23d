"""The settings page of a league changes only the fields that were changed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from leagues.league.operations import change_settings, settings_of
from leagues.models import League, Player
from tests.html_forms import sent_by
from tests.leagues import game, world
from tests.leagues.pages.league.test_league_pages import seat

pytestmark = pytest.mark.django_db

# A league created by a program, whose scoring the page does not offer.
BY_API = {
    "name": "Copa",
    "game": game.KEY,
    "profile": "plain",
    "plays": False,
    "scoring": {"by_place": ["5", "3", "1"], "bye": "5"},
    "tie_breaks": ["buchholz", "wins", "margin", "cumulative"],
}
STORED = {"kind": "places", "by_place": ["5", "3", "1"], "draw": None, "bye": "5"}


@pytest.fixture
def ana() -> Player:
    return world.account("ana")


@pytest.fixture
def berta() -> Player:
    return world.account("berta")


@pytest.fixture
def league(client: Client, ana: Player, berta: Player) -> League:
    seat(client, ana)
    answer = client.post(
        reverse("api_leagues"), json.dumps(BY_API), content_type="application/json"
    )
    assert answer.status_code == 201, answer.text
    league = League.objects.get(name="Copa")
    for player in (ana, berta):
        world.enter_league(league, player)
    return league


def save(client: Client, league: League, **changes: str) -> Any:
    """Open the page, change these fields, save it, and reload the league."""
    address = reverse("league_settings", args=[league.slug])
    sent = sent_by(client.get(address).text, having="scoring")
    answer = client.post(address, sent | changes)
    league.refresh_from_db()
    return answer


@pytest.mark.parametrize("played", [False, True])
def test_changing_the_name_leaves_scoring_and_all_tie_breaks(
    client: Client, league: League, ana: Player, berta: Player, played: bool
) -> None:
    if played:
        world.played(league, [ana, berta], [10, 2])
    assert save(client, league, name="Copa de mayo").status_code == 302
    assert league.name == "Copa de mayo"
    assert league.scoring == STORED
    assert league.tie_breaks == BY_API["tie_breaks"]


def test_settings_page_shows_scoring_and_tie_breaks_set_over_the_api(
    client: Client, league: League
) -> None:
    page = client.get(reverse("league_settings", args=[league.slug])).text
    assert '<option value="stored" selected>points by place: 5, 3, 1</option>' in page
    assert sent_by(page, having="scoring")["tie_break_4"] == ["cumulative"]
    assert page.count("early success (cumulative score)") == 4


def test_changing_the_bye_leaves_the_points_by_place(client: Client, league: League) -> None:
    assert save(client, league, bye="2,5").status_code == 302
    assert league.scoring == STORED | {"bye": "5/2"}


def test_changing_the_first_tie_break_leaves_the_fourth(client: Client, league: League) -> None:
    assert save(client, league, first_tie_break="points").status_code == 302
    assert league.tie_breaks == ["points", "wins", "margin", "cumulative"]


@pytest.mark.slow
def test_another_scoring_can_be_chosen_on_the_settings_page(client: Client, league: League) -> None:
    League.objects.update(scoring=STORED | {"absence": "1"})
    assert save(client, league, scoring="three").status_code == 302
    assert league.scoring["by_place"] == ["3"]
    assert league.scoring["bye"] == "5"
    assert league.scoring["absence"] == "1"
    page = client.get(reverse("league_settings", args=[league.slug])).text
    assert 'value="stored"' not in page


@pytest.mark.slow
@pytest.mark.parametrize("scoring", [{"kind": "points"}, {"kind": "beaten", "by_place": ["4"]}])
def test_scoring_without_points_for_a_bye_can_be_saved_again(
    client: Client, league: League, scoring: dict[str, object]
) -> None:
    """In a Swiss league with added points, the page normally asks how much a bye counts."""
    League.objects.update(scoring=scoring, format="swiss", rounds_planned=3)
    assert save(client, league, about="At eight.").status_code == 302
    assert (league.about, league.scoring) == ("At eight.", scoring)
    if scoring == {"kind": "points"}:
        assert save(client, league, bye="", format="round_robin").status_code == 422


@pytest.mark.slow
def test_points_of_a_scoring_are_saved_again_unchanged(client: Client, league: League) -> None:
    address = reverse("api_league", args=[league.slug])

    def patch(scoring: dict[str, object]) -> Any:
        body = json.dumps({"scoring": scoring})
        return client.patch(address, body, content_type="application/json")

    for _time in range(2):
        scoring: dict[str, object] = {"by_place": ["-9999.999", "1234.567"], "bye": "9999.999"}
        answer = patch(scoring)
        assert answer.status_code == 200, answer.text
        again = patch(answer.json()["scoring"])
        assert again.json()["scoring"] == answer.json()["scoring"]
        assert again.json()["scoring"]["bye"] == "9999999/1000"
    assert save(client, league, name="Fractions").status_code == 302
    assert league.scoring["bye"] == "9999999/1000"
    for wrong in ("10000", "1/1001", "0.0001"):
        assert patch({"by_place": [wrong]}).status_code == 400


def test_settings_changed_in_another_browser_are_not_overwritten(
    client: Client, league: League, ana: Player
) -> None:
    address = reverse("league_settings", args=[league.slug])
    sent = sent_by(client.get(address).text, having="scoring")
    meanwhile = world.changed_settings(
        settings_of(league), name="Newer", cut=2, tie_breaks=["wins"], scoring={"by_place": ["2"]}
    )
    change_settings(league=league, settings=meanwhile, by=ana, at=world.NOW)
    assert client.post(address, sent | {"about": "At eight."}).status_code == 302
    league.refresh_from_db()
    assert (league.about, league.name, league.cut) == ("At eight.", "Newer", 2)
    assert (league.tie_breaks, league.scoring["by_place"]) == (["wins"], ["2"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "stored",
    [
        {"days_a_round": 400},
        {"rounds_planned": 120},
        {"cut": 2000},
        {"about": "x" * 1001},
        {"rules": {"highest": 13, "target": 10, "partners": False, "older": 1}},
        {"scoring": {"by_place": ["123456"], "bye": "1/3000"}},
    ],
)
@pytest.mark.parametrize("played", [False, True])
def test_stored_settings_outside_todays_limits_can_be_saved_again(
    client: Client,
    league: League,
    ana: Player,
    berta: Player,
    stored: dict[str, object],
    played: bool,
) -> None:
    """Limits and profiles may have changed since the league was created."""
    if played:
        world.played(league, [ana, berta], [10, 2])
    League.objects.update(**stored)
    assert save(client, league, name="Older").status_code == 302
    assert league.name == "Older"
    assert {name: getattr(league, name) for name in stored} == stored
    changed = {name: "401" for name in stored if name in {"days_a_round", "rounds_planned"}}
    if changed:
        assert save(client, league, **changed).status_code == 422


@pytest.mark.slow
def test_locked_rules_are_not_offered_on_the_settings_page(
    client: Client, league: League, ana: Player, berta: Player
) -> None:
    address = reverse("league_settings", args=[league.slug])
    assert "own-target" in sent_by(client.get(address).text, having="scoring")
    world.draft_match(league, [ana, berta])
    sent = sent_by(client.get(address).text, having="scoring")
    assert not {"profile", "own-target", "seats", "format"} & {*sent}
    assert client.post(address, sent | {"name": "Locked"}).status_code == 302
