"""Eight concurrent requests of programs: an action is done once, and every program gets
an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from api.models import DoneOnce
from eltoro.models import Keeping
from leagues.models import League, Match, Sheet, TableSeat
from tests.databases import opened
from tests.leagues.api.programs import Program, program
from tests.scratch import at_once

EIGHT = range(8)
FRIENDS = {"game": "dominoes", "profile": "rulebook", "names": ["", "Gil"]}
LEAGUE = {"name": "Pena", "game": "dominoes", "profile": "rulebook", "format": "ladder"}
SHEET = {"totals": [104, 60]}


def signed_in_program(url: str) -> Program:
    with opened(url):
        return program("ana")


def all_at_once(url: str, ask: Callable[[int], Any]) -> list[Any]:
    """Send eight requests at once and return their responses."""
    came = at_once(url, *(lambda place=place: ask(place) for place in EIGHT))
    assert [one for one in came if isinstance(one, BaseException)] == []
    return came


def test_concurrent_requests_with_one_idempotency_key_get_the_same_response(shared: str) -> None:
    ana, once = signed_in_program(shared), {"Idempotency-Key": "k"}
    came = all_at_once(shared, lambda _n: ana.ask("POST", "matches/", FRIENDS, **once))
    assert {one.status_code for one in came} == {201}
    first, *others = ({"at": one["Location"], **one.json()} for one in came)
    assert all(other == first for other in others)
    assert sum(one.has_header("Idempotency-Replayed") for one in came) == 7
    with opened(shared):
        assert (Match.objects.count(), DoneOnce.objects.count()) == (1, 1)


def test_concurrent_invalid_requests_with_one_idempotency_key_all_fail(shared: str) -> None:
    ana, once = signed_in_program(shared), {"Idempotency-Key": "k"}
    asked = FRIENDS | {"profile": "none"}
    came = all_at_once(shared, lambda _n: ana.ask("POST", "matches/", asked, **once))
    assert {(one.status_code, one["Content-Type"]) for one in came} == {
        (409, "application/problem+json")
    }
    with opened(shared):
        assert (Match.objects.count(), DoneOnce.objects.count()) == (0, 0)
        assert ana.ask("POST", "matches/", FRIENDS, **once).status_code == 201


def test_of_different_requests_with_one_idempotency_key_only_one_is_accepted(shared: str) -> None:
    ana, once = signed_in_program(shared), {"Idempotency-Key": "k"}
    names = [["", "Gil"], ["", "Blas"]]

    def ask(place: int) -> Any:
        return ana.ask("POST", "matches/", FRIENDS | {"names": names[place % 2]}, **once)

    assert Counter(one.status_code for one in all_at_once(shared, ask)) == {201: 4, 422: 4}
    with opened(shared):
        assert Match.objects.count() == 1


def one_wins(url: str, ana: Program, at: str, method: str, way: str, body: Any) -> None:
    """Send eight requests with the same ETag and different idempotency keys.

    One succeeds, the others get status 412.
    """
    with opened(url):
        seen = ana.ask("GET", at)["ETag"]

    def ask(place: int) -> Any:
        said = body(place) if callable(body) else body
        return ana.ask(
            method, way, said, **{"Idempotency-Key": f"{method}{place}", "If-Match": seen}
        )

    came = Counter(one.status_code for one in all_at_once(url, ask))
    assert came[412] == 7, came
    assert sum(came[done] for done in (200, 201, 204)) == 1, came


def opened_match(url: str, ana: Program) -> str:
    with opened(url):
        return f"matches/{ana.post('matches/', FRIENDS)['id']}/"


@pytest.mark.slow
def test_concurrent_changes_of_a_draft_with_one_etag_succeed_once(shared: str) -> None:
    ana = signed_in_program(shared)
    draft = f"{opened_match(shared, ana)}draft/"
    one_wins(shared, ana, draft, "PUT", draft, {"version": 0, "content": SHEET})
    one_wins(shared, ana, draft, "DELETE", draft, None)
    with opened(shared):
        assert Match.objects.get().version == 2


def test_concurrent_submissions_of_a_scoresheet_succeed_once(shared: str) -> None:
    ana = signed_in_program(shared)
    match = opened_match(shared, ana)
    one_wins(shared, ana, match, "POST", f"{match}sheet/", {"version": 0, "content": SHEET})
    with opened(shared):
        assert Sheet.objects.count() == 1


def test_concurrent_changes_of_a_league_with_one_etag_succeed_once(shared: str) -> None:
    ana = signed_in_program(shared)
    with opened(shared):
        league = f"leagues/{ana.post('leagues/', LEAGUE)['slug']}/"
    one_wins(shared, ana, league, "PATCH", league, lambda place: {"about": f"{place}"})
    with opened(shared):
        assert League.objects.get().about != ""


@pytest.mark.slow
def test_concurrent_requests_seat_a_single_bot_at_a_table(shared: str) -> None:
    ana = signed_in_program(shared)
    with opened(shared):
        laid = ana.post("tables/", {"game": "dominoes", "profile": "rulebook", "seats": 4})
        bot = ana.get("games/dominoes/")["bots"][0]["key"]
    table = f"tables/{laid['id']}/"
    asked = [{"seat": 1 + place % 3, "bot": bot} for place in EIGHT]
    one_wins(shared, ana, table, "POST", f"{table}bot/", lambda place: asked[place])
    with opened(shared):
        assert TableSeat.objects.exclude(bot="").count() == 1


def test_concurrent_entries_on_a_stored_board_succeed_once(shared: str) -> None:
    ana = signed_in_program(shared)
    with opened(shared):
        rules = ana.get("games/eltoro/")["profiles"][0]["key"]
        match = ana.post("matches/", FRIENDS | {"game": "eltoro", "profile": rules})
        board = f"eltoro/matches/{match['id']}/board/"
        kept = ana.post(board, {"mode": "all"})
    body = {"version": kept["version"], "text": "lay"}
    one_wins(shared, ana, board, "POST", f"{board}entries/", body)


def test_concurrent_requests_create_a_single_board(shared: str) -> None:
    ana = signed_in_program(shared)
    with opened(shared):
        rules = ana.get("games/eltoro/")["profiles"][0]["key"]
        match = ana.post("matches/", FRIENDS | {"game": "eltoro", "profile": rules})
    board = f"eltoro/matches/{match['id']}/board/"
    came = all_at_once(shared, lambda _n: ana.ask("POST", board, {"mode": "all"}))
    assert all(one.status_code < 300 for one in came)
    with opened(shared):
        assert Keeping.objects.count() == 1


def test_concurrent_requests_without_idempotency_key_are_all_executed(shared: str) -> None:
    ana = signed_in_program(shared)
    came = all_at_once(shared, lambda _n: ana.ask("POST", "matches/", FRIENDS))
    assert Counter(one.status_code for one in came) == {201: 8}
    with opened(shared):
        assert Match.objects.count() == 8
