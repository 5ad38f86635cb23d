"""Eight programs at the same moment: what is asked for once is done once, and nobody is failed."""

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
    """What each of eight was answered."""
    came = at_once(url, *(lambda place=place: ask(place) for place in EIGHT))
    assert [one for one in came if isinstance(one, BaseException)] == []
    return came


def test_with_one_key_it_is_done_once_and_all_get_one_answer(shared: str) -> None:
    ana, once = signed_in_program(shared), {"Idempotency-Key": "k"}
    came = all_at_once(shared, lambda _n: ana.ask("POST", "matches/", FRIENDS, **once))
    assert {one.status_code for one in came} == {201}
    first, *others = ({"at": one["Location"], **one.json()} for one in came)
    assert all(other == first for other in others)
    assert sum(one.has_header("Idempotency-Replayed") for one in came) == 7
    with opened(shared):
        assert (Match.objects.count(), DoneOnce.objects.count()) == (1, 1)


def test_with_one_key_what_is_refused_is_refused_to_all(shared: str) -> None:
    ana, once = signed_in_program(shared), {"Idempotency-Key": "k"}
    asked = FRIENDS | {"profile": "none"}
    came = all_at_once(shared, lambda _n: ana.ask("POST", "matches/", asked, **once))
    assert {(one.status_code, one["Content-Type"]) for one in came} == {
        (409, "application/problem+json")
    }
    with opened(shared):
        assert (Match.objects.count(), DoneOnce.objects.count()) == (0, 0)
        assert ana.ask("POST", "matches/", FRIENDS, **once).status_code == 201


def test_with_one_key_for_two_acts_one_is_done_and_the_other_refused(shared: str) -> None:
    ana, once = signed_in_program(shared), {"Idempotency-Key": "k"}
    names = [["", "Gil"], ["", "Blas"]]

    def ask(place: int) -> Any:
        return ana.ask("POST", "matches/", FRIENDS | {"names": names[place % 2]}, **once)

    assert Counter(one.status_code for one in all_at_once(shared, ask)) == {201: 4, 422: 4}
    with opened(shared):
        assert Match.objects.count() == 1


def one_wins(url: str, ana: Program, at: str, method: str, way: str, body: Any) -> None:
    """Eight with keys of their own who have all read the same: one acts, the others are told so."""
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
def test_a_draft_that_all_have_read_is_written_by_one(shared: str) -> None:
    ana = signed_in_program(shared)
    draft = f"{opened_match(shared, ana)}draft/"
    one_wins(shared, ana, draft, "PUT", draft, {"version": 0, "content": SHEET})
    one_wins(shared, ana, draft, "DELETE", draft, None)
    with opened(shared):
        assert Match.objects.get().version == 2


def test_a_sheet_is_handed_in_by_one(shared: str) -> None:
    ana = signed_in_program(shared)
    match = opened_match(shared, ana)
    one_wins(shared, ana, match, "POST", f"{match}sheet/", {"version": 0, "content": SHEET})
    with opened(shared):
        assert Sheet.objects.count() == 1


def test_a_league_is_set_anew_by_one(shared: str) -> None:
    ana = signed_in_program(shared)
    with opened(shared):
        league = f"leagues/{ana.post('leagues/', LEAGUE)['slug']}/"
    one_wins(shared, ana, league, "PATCH", league, lambda place: {"about": f"{place}"})
    with opened(shared):
        assert League.objects.get().about != ""


@pytest.mark.slow
def test_a_seat_at_a_table_is_given_to_one_bot(shared: str) -> None:
    ana = signed_in_program(shared)
    with opened(shared):
        laid = ana.post("tables/", {"game": "dominoes", "profile": "rulebook", "seats": 4})
        bot = ana.get("games/dominoes/")["bots"][0]["key"]
    table = f"tables/{laid['id']}/"
    asked = [{"seat": 1 + place % 3, "bot": bot} for place in EIGHT]
    one_wins(shared, ana, table, "POST", f"{table}bot/", lambda place: asked[place])
    with opened(shared):
        assert TableSeat.objects.exclude(bot="").count() == 1


def test_a_kept_board_is_written_on_by_one(shared: str) -> None:
    ana = signed_in_program(shared)
    with opened(shared):
        rules = ana.get("games/eltoro/")["profiles"][0]["key"]
        match = ana.post("matches/", FRIENDS | {"game": "eltoro", "profile": rules})
        board = f"eltoro/matches/{match['id']}/board/"
        kept = ana.post(board, {"mode": "all"})
    body = {"version": kept["version"], "text": "lay"}
    one_wins(shared, ana, board, "POST", f"{board}entries/", body)


def test_a_board_is_begun_once(shared: str) -> None:
    ana = signed_in_program(shared)
    with opened(shared):
        rules = ana.get("games/eltoro/")["profiles"][0]["key"]
        match = ana.post("matches/", FRIENDS | {"game": "eltoro", "profile": rules})
    board = f"eltoro/matches/{match['id']}/board/"
    came = all_at_once(shared, lambda _n: ana.ask("POST", board, {"mode": "all"}))
    assert all(one.status_code < 300 for one in came)
    with opened(shared):
        assert Keeping.objects.count() == 1


def test_without_a_key_each_is_an_act_of_its_own(shared: str) -> None:
    ana = signed_in_program(shared)
    came = all_at_once(shared, lambda _n: ana.ask("POST", "matches/", FRIENDS))
    assert Counter(one.status_code for one in came) == {201: 8}
    with opened(shared):
        assert Match.objects.count() == 8
