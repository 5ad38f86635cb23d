"""Drafts of scoresheets over the API, which are the same as those of the page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from leagues.models import Match
from tests.leagues.api.programs import STRANGER, Program, program

pytestmark = pytest.mark.django_db
PAGES = {"dominoes": "dominoes_hand", "eltoro": "eltoro_hand"}


@pytest.fixture
def ana() -> Program:
    return program("ana")


def new_match(by: Program, game: str = "dominoes") -> str:
    profile = by.get(f"games/{game}/")["profiles"][0]["key"]
    match = by.post("matches/", {"game": game, "profile": profile, "names": ["", "Gil"]})
    return f"matches/{match['id']}/"


def test_all_errors_of_a_malformed_draft_are_reported(ana: Program) -> None:
    match = new_match(ana)
    hands = [{"leader": 7, "held": [{"tiles": [3]}]}, 3]
    content = {"hands": hands, "totals": 3}
    refused = ana.refused("PUT", f"{match}draft/", {"version": 0, "content": content})
    assert {one["pointer"] for one in refused["errors"]} == {
        "/content/hands/0/leader",
        "/content/hands/0/held/0/tiles/0",
        "/content/hands/1",
        "/content/totals",
    }
    assert {one["detail"] for one in refused["errors"]} == {refused["detail"]}


def test_draft_is_saved_read_discarded_and_submitted_over_the_api(ana: Program) -> None:
    match = new_match(ana)
    assert ana.get(f"{match}draft/") == {"version": 0, "content": None}
    sheet = {"totals": [104, 60]}
    written = ana.ask("PUT", f"{match}draft/", {"version": 0, "content": sheet})
    assert (written.status_code, written.json()) == (200, {"version": 1, "content": sheet})
    assert ana.refused("PUT", f"{match}draft/", {"version": 0, "content": {}})["status"] == 409
    seen = ana.ask("GET", f"{match}draft/")["ETag"]
    assert ana.ask("PUT", f"{match}draft/", {"version": 1, "content": {}}).status_code == 200
    late = ana.refused("DELETE", f"{match}draft/", **{"If-Match": seen})
    assert late["status"] == 412
    assert ana.ask("DELETE", f"{match}draft/").status_code == 204
    version = ana.get(f"{match}draft/")["version"]
    assert Match.objects.get().draft is None
    ana.post(f"{match}sheet/", {"version": version, "content": sheet})
    assert ana.refused("GET", f"{match}draft/")["status"] == 409


def test_draft_sent_twice_with_one_idempotency_key_is_saved_once(ana: Program) -> None:
    match, once = new_match(ana), {"Idempotency-Key": "k"}
    asked = {"version": 0, "content": {"hands": []}}
    answers = [ana.ask("PUT", f"{match}draft/", asked, **once) for _time in range(2)]
    assert [one.json() for one in answers] == [{"version": 1, "content": {"hands": []}}] * 2


def test_draft_can_be_read_and_changed_only_by_players_of_the_match(ana: Program) -> None:
    match = new_match(ana)
    key, eva = Match.objects.get().key, program("eva")
    eva.post("matches/", {"game": "dominoes", "profile": "rulebook", "names": ["", "Gil"]})
    asked = {"version": 0, "content": {}}
    assert eva.refused("GET", f"{match}draft/")["status"] == 404
    assert eva.refused("GET", f"{match}draft/?key={key}")["status"] == 403
    assert eva.refused("PUT", f"{match}draft/?key={key}", asked)["status"] == 403
    assert eva.refused("DELETE", f"{match}draft/?key={key}")["status"] == 403
    assert STRANGER.refused("GET", f"{match}draft/?key={key}")["status"] == 403
    assert STRANGER.refused("PUT", f"{match}draft/", asked)["status"] == 401


@pytest.mark.parametrize(
    ("game", "content", "pointer"),
    [
        ("dominoes", {"hands": 7}, "/content/hands"),
        ("dominoes", {"hands": [{"moves": [1]}]}, "/content/hands/0/moves/0"),
        ("eltoro", {"kind": "points", "days": [["x", 1]]}, "/content"),
        ("eltoro", {}, "/content"),
    ],
)
def test_malformed_draft_is_rejected_with_the_path_of_the_error(
    ana: Program, game: str, content: Any, pointer: str
) -> None:
    told = ana.refused("PUT", f"{new_match(ana, game)}draft/", {"version": 0, "content": content})
    assert told["status"] == 422
    assert told["errors"][0]["pointer"].startswith(pointer)


@pytest.mark.parametrize(
    ("game", "content"),
    [
        ("dominoes", {"hands": [{}]}),
        ("dominoes", {"hands": [{"leader": 5, "out": 4, "held": [None, {"pips": 9}, None]}]}),
        ("dominoes", {"hands": [{"moves": ["?", ""], "deal": [[], ["99|99"]], "seed": "x"}]}),
        ("dominoes", {"totals": [], "stopped": True, "more": {"a": [None]}}),
        ("eltoro", {"kind": "points", "days": [[1, 2]], "more": 7}),
        ("eltoro", {"kind": "arrivals", "days": [{"destinations": ["?"], "arrived": [[], [9]]}]}),
        ("eltoro", {"kind": "log", "seed": "0" * 64, "moves": ["", "no"]}),
    ],
)
def test_page_renders_every_draft_that_the_api_accepts(
    ana: Program, game: str, content: Any
) -> None:
    match = new_match(ana, game)
    told = ana.ask("PUT", f"{match}draft/", {"version": 0, "content": content})
    assert told.status_code == 200, told.content
    browser = Client()
    browser.force_login(User.objects.get(username="ana"))
    page = browser.get(reverse(PAGES[game], args=[Match.objects.get().pk]))
    assert page.status_code == 200
