"""API clients play a hand of Matador dominoes: create a table, sit down, move, verify the record.

No response may contain tiles that the client is not allowed to see.
"""

from __future__ import annotations

from typing import Any

import pytest

from leagues.models import Table
from tests.leagues.api.programs import STRANGER, Program, program

pytestmark = pytest.mark.django_db

TABLE = {"game": "dominoes", "profile": "rulebook", "delay": 0}


@pytest.fixture
def ana() -> Program:
    return program("ana")


@pytest.fixture
def beto() -> Program:
    return program("beto")


def new_table(ana: Program, beto: Program, **fields: object) -> int:
    laid = ana.post("tables/", TABLE | fields)
    at = f"tables/{laid['id']}/"
    beto.post(f"{at}sit/?invitation={laid['invitation']}", {})
    ana.post(f"{at}begin/")
    return int(laid["id"])


def mover(at: str, people: list[Program]) -> tuple[Program, Any]:
    """Return the client of the player whose turn it is, and the table as this client sees it."""
    for one in people:
        seen = one.get(at)
        if seen["may_move"]:
            return one, seen
    raise AssertionError("nobody is to move")


def play_hand(at: str, people: list[Program]) -> Any:
    """Play the first legal move of the player in turn until the hand is over."""
    while people[0].get(at)["turn"] is not None:
        who, seen = mover(at, people)
        told = who.post(
            f"{at}moves/", {"seen": seen["moves_made"], "move": seen["view"]["legal"][0]}
        )
    return told


@pytest.mark.slow
def test_seed_and_moves_of_a_round_are_published_when_its_hand_is_over(
    ana: Program, beto: Program
) -> None:
    key = new_table(ana, beto)
    at = f"tables/{key}/"
    promised = STRANGER.get(f"{at}rounds/1/")
    assert (promised["over"], promised["seed"], promised["stake"]) == (False, "", None)
    assert STRANGER.refused("GET", f"{at}rounds/1/record/")["status"] == 404
    assert STRANGER.refused("GET", f"{at}rounds/1/steps/0/")["status"] == 404
    told = play_hand(at, [ana, beto])
    assert told["view"]["outcome"]["ended"] in {"out", "blocked"}
    opened = STRANGER.get(f"{at}rounds/1/")
    assert opened["commitment"] == promised["commitment"]
    assert (opened["over"], len(opened["seed"]), opened["differs"]) == (True, 64, [])
    assert len(opened["moves"]) == told["moves_made"]
    step = STRANGER.get(f"{at}rounds/1/steps/0/")
    assert [len(tiles) for tiles in step["view"]["revealed"]] == [7, 7]
    record = STRANGER.get(f"{at}rounds/1/record/")
    assert (record["kind"], record["seed"]) == ("hand", opened["seed"])
    assert STRANGER.get(f"{at}rounds/")["results"][1]["seed"] == ""
    ana.post(f"{at}ready/")
    assert beto.post(f"{at}ready/")["round"] == 2


def test_table_api_never_returns_the_tiles_of_other_players(ana: Program, beto: Program) -> None:
    at = f"tables/{new_table(ana, beto)}/"
    mine, theirs, watched = (one.get(at)["view"] for one in (ana, beto, STRANGER))
    assert (len(mine["tiles"]), len(theirs["tiles"]), watched["tiles"]) == (7, 7, [])
    assert not set(mine["tiles"]) & set(theirs["tiles"])
    assert {mine["revealed"] is None, watched["revealed"] is None} == {True}
    assert sorted(map(bool, (mine["legal"], theirs["legal"], watched["legal"]))) == [
        False,
        False,
        True,
    ]
    assert STRANGER.get(at)["invitation"] is None


def test_spectators_see_moves_only_after_the_delay_of_the_table(
    ana: Program, beto: Program
) -> None:
    at = f"tables/{new_table(ana, beto, delay=3600)}/"
    who, seen = mover(at, [ana, beto])
    who.post(f"{at}moves/", {"seen": 0, "move": seen["view"]["legal"][0]})
    assert ana.get(at)["moves_made"] == 1
    assert STRANGER.get(at)["moves_made"] == 0
    hidden = f"tables/{new_table(ana, beto, watch='nobody')}/"
    assert STRANGER.refused("GET", hidden)["status"] == 404
    assert beto.get(hidden)["you"] == 1


def test_move_is_rejected_if_its_player_has_not_seen_the_latest_position(
    ana: Program, beto: Program
) -> None:
    at = f"tables/{new_table(ana, beto)}/"
    who, seen = mover(at, [ana, beto])
    other = beto if who is ana else ana
    move = {"seen": 0, "move": seen["view"]["legal"][0]}
    assert other.refused("POST", f"{at}moves/", move)["status"] == 409
    assert STRANGER.refused("POST", f"{at}moves/", move)["status"] == 401
    assert program("eva").refused("POST", f"{at}moves/", move)["status"] == 403
    told = who.refused("POST", f"{at}moves/", move | {"move": ">6|6"})
    assert (told["status"], told["errors"][0]["pointer"]) == (422, "/move")
    assert told["errors"][0]["ruling"].startswith("D-")
    tag = who.ask("GET", at)["ETag"]
    assert who.ask("POST", f"{at}moves/", move, **{"if-match": tag}).status_code == 200
    assert (
        who.post(f"{at}moves/", move)["moves_made"] == 1
    )  # a repeated request makes no second move
    assert other.refused("POST", f"{at}moves/", move)["status"] == 409
    assert who.ask("POST", f"{at}leave/", **{"if-match": tag}).status_code == 412
    assert Table.objects.get().moves_made == 1


def test_players_bots_and_organiser_change_seats_before_the_game_begins(
    ana: Program, beto: Program
) -> None:
    laid = ana.post("tables/", TABLE | {"seating": "anybody"})
    at = f"tables/{laid['id']}/"
    assert [one["id"] for one in beto.get("tables/?which=to_sit")["results"]] == [laid["id"]]
    assert beto.post(f"{at}sit/", {"seat": 1})["you"] == 1
    beto.post(f"{at}stand/")
    assert beto.refused("POST", f"{at}bot/", {"seat": 1, "bot": "keeper"})["status"] == 403
    assert ana.post(f"{at}bot/", {"seat": 1, "bot": "keeper"})["seats"][1]["bot"] == "Keeper"
    assert ana.post(f"{at}free/", {"seat": 1})["seats"][1]["name"] == ""
    assert ana.refused("POST", f"{at}begin/")["status"] == 409
    assert ana.post(f"{at}close/")["state"] == "closed"
    assert ana.refused("POST", f"{at}rematch/")["status"] == 409


def test_player_who_left_the_table_can_come_back(ana: Program, beto: Program) -> None:
    at = f"tables/{new_table(ana, beto)}/"
    assert ana.post(f"{at}leave/")["away"] is True
    assert ana.post(f"{at}back/")["away"] is False


def test_game_api_describes_the_format_of_domino_scoresheets(ana: Program, beto: Program) -> None:
    told = STRANGER.get("games/dominoes/")
    assert set(told["sheet_schema"]["properties"]) == {"hands", "totals", "stopped"}
    match = ana.post("matches/", {"game": "dominoes", "profile": "rulebook", "names": ["", "Eva"]})
    sheet = {"version": match["version"], "content": {"totals": [104, 60]}}
    handed = ana.post(f"matches/{match['id']}/sheet/", sheet)
    assert [one["points"] for one in handed["seats"]] == [104, 60]
