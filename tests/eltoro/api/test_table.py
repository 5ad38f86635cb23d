"""Running with the Bulls through the API: a game against a bot, the boards and cards, and the
record of a real game.
"""

from __future__ import annotations

from typing import Any, cast

import pytest

from eltoro.engine import random_move
from eltoro.table import ElToroPosition
from fairness import Seed
from leagues.models import Table
from leagues.tables import log as table_log
from leagues.tasks import play_bot
from tests.leagues.api.programs import STRANGER, Program, program

pytestmark = pytest.mark.django_db

TABLE = {
    "game": "eltoro",
    "profile": "one-day",
    "bots": [{"seat": 1, "bot": "greedy"}],
    "delay": 0,
    "rated": False,
}


@pytest.fixture
def ana() -> Program:
    return program("ana")


def own_move(key: int) -> str:
    """Return a random legal move for the player in turn, based on what this player can see."""
    log = table_log.find_log(key)
    assert log is not None
    position = cast("ElToroPosition", log.position(log.moments[-1]))
    assert position.game is not None
    view = position.game.view(position.turn)
    return str(random_move(view, Seed(bytes(32)).chance(f"{position.made}")))


def play_on(ana: Program, key: int) -> Any:
    """Play until the game is over: the bot as its worker task does, Ana through the API."""
    at = f"tables/{key}/"
    while (row := Table.objects.get(pk=key)).state == Table.State.PLAYING:
        if row.turn == 1:
            play_bot(key, row.moves_made)
        else:
            ana.post(f"{at}moves/", {"seen": row.moves_made, "move": own_move(key)})
    return ana.get(at)


@pytest.mark.slow
def test_game_against_a_bot_can_be_played_to_its_end_through_the_api(ana: Program) -> None:
    laid = ana.post("tables/", TABLE)
    key, at = laid["id"], f"tables/{laid['id']}/"
    assert laid["state"] == "playing"
    told = play_on(ana, key)
    assert told["state"] == "over"
    assert min(one["place"] for one in told["seats"]) == 1
    assert told["view"]["phase"] == "over"
    record = STRANGER.get(f"{at}rounds/1/record/")
    assert (record["kind"], record["commitment"]) == ("game", laid["promises"][0]["commitment"])
    assert STRANGER.get(f"{at}rounds/1/steps/0/")["view"]["hands"] is not None
    match = STRANGER.get(at)["match"]
    if match is not None:
        assert ana.get(f"matches/{match}/")["state"] in {"confirmed", "final"}


def test_table_api_returns_cards_of_a_hand_only_to_their_owner(ana: Program) -> None:
    laid = ana.post("tables/", TABLE)
    mine, watched = laid["view"], STRANGER.get(f"tables/{laid['id']}/")["view"]
    assert len(mine["hand"]) == 5
    assert (watched["hand"], watched["hands"], watched["offers"]) == ([], None, {})
    for word in ("town", "runners", "bulls"):
        assert mine.get(word) == watched.get(word)
    odds = STRANGER.get(f"eltoro/tables/{laid['id']}/odds/")["results"]
    assert odds == [] or {"runner", "arrives"} <= set(odds[0])


def test_api_lists_boards_cards_and_destinations_without_an_account() -> None:
    assert [one["key"] for one in STRANGER.get("eltoro/boards/")["results"]] == [
        "el-toro",
        "la-cuesta",
    ]
    board = STRANGER.get("eltoro/boards/la-cuesta/")
    assert (board["steps"], len([one for one in board["spaces"] if one["row"] == 0])) == (5, 5)
    cards = STRANGER.get("eltoro/cards/")
    assert sum(one["count"] for one in cards["cards"]) == 52
    assert sum(one["count"] for one in cards["destinations"]) == 10


def test_game_at_a_real_table_is_recorded_through_the_api_entry_by_entry(ana: Program) -> None:
    names = {"game": "eltoro", "profile": "one-day", "names": ["", "Eva"]}
    match = ana.post("matches/", names)
    at = f"eltoro/matches/{match['id']}/board/"
    assert ana.refused("GET", at)["status"] == 404
    assert program("beto").refused("POST", at, {"mode": "all"})["status"] == 404
    board = ana.post(at, {"mode": "board"})
    assert (board["due"], board["seed"]) == ("lay", None)
    board = ana.post(f"{at}dice/", {"version": board["version"], "mode": "all"})
    told = ana.refused("POST", f"{at}entries/", {"version": board["version"], "text": "advance"})
    assert (told["status"], told["errors"][0]["pointer"]) == (422, "/entry")
    after = ana.post(f"{at}entries/", {"version": board["version"], "text": "lay"})
    assert len(after["entries"]) == 1
    stale = {"version": board["version"], "text": "lay"}
    assert ana.refused("POST", f"{at}entries/", stale)["status"] == 409
    assert ana.post(f"{at}undo/", {"version": after["version"]})["entries"] == []
    assert ana.get("eltoro/kept/")["results"][0]["mode"] == "all"
    version = {"version": ana.get(at)["version"]}
    assert ana.refused("POST", f"{at}sheet/", version)["status"] == 409
