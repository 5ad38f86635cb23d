"""The form for results of real games of El Toro, as far as it differs from that of other games.

An evening is one game of El Toro over several days.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from eltoro.engine import Game, random_move
from fairness import Seed
from leagues.matches.operations.matches import hand_in
from leagues.models import Match, Player
from tests.eltoro.tabletop.sheets.paper import town
from tests.factories import account, browser
from tests.leagues.pages.matches.form import Press
from tests.leagues.pages.matches.games import ELTORO, FIRST, SECOND, day, grid

pytestmark = pytest.mark.django_db


@pytest.fixture
def two() -> list[Player]:
    return [account(name) for name in ("ana", "blas")]


@pytest.fixture
def evening(two: list[Player]) -> Match:
    return ELTORO.open(ELTORO.league(two[0], *two), two)


def press_button(client: Client, of: Match, do: str, **sent: Any) -> str:
    return ELTORO.press(client, of, Press(do, sent))


def sheet_of(of: Match) -> Any:
    of.refresh_from_db()
    assert of.sheet is not None
    return of.sheet


THIRD = day("1 0", festival="0 0", bookstore="0 1", bookstore_1="1 0", china="3 3", pier="0 0")


@pytest.mark.slow
def test_form_explains_the_winner_from_points_by_day(evening: Match, two: list[Player]) -> None:
    page = press_button(browser(two[0]), evening, "read", **grid("14 9", "8 17", "12 8"))
    assert "ana and blas are tied on 34 points; ana wins, having scored 12 on the last day." in page
    assert "This score is possible but can’t be checked further" in page


@pytest.mark.slow
def test_form_accepts_negative_points_and_a_shared_victory(
    evening: Match, two: list[Player]
) -> None:
    press_button(browser(two[0]), evening, "points", **grid("3 3", "−1 -1", "5 5"))
    sheet = sheet_of(evening)
    assert (sheet.points, sheet.places) == ([7, 7], [1, 1])


@pytest.mark.slow
def test_evening_can_be_entered_day_by_day_from_the_runners_that_arrived(
    evening: Match, two: list[Player]
) -> None:
    """The form calculates the points, shows the effects on the next day and asks for dice of the
    casino. The result is submitted with the last day.
    """
    ana = browser(two[0])
    press_button(ana, evening, "input_mode:arrivals")
    page = press_button(ana, evening, "read", **FIRST)
    assert "ana: 4 of 9 runners reached a destination. 14 points." in page
    assert "<li>ana: 8 runners.</li>" in page
    assert "<li>blas: +3 points immediately, rolls a die first.</li>" in page
    page = press_button(ana, evening, "send", **FIRST)
    assert "The day has been saved." in page
    assert "8 runners" in page
    assert 'name="die-1-0"' in page
    assert 'name="die-0-0"' not in page
    evening.refresh_from_db()
    assert evening.draft is not None
    assert [list(one) for one in evening.draft["days"][0]["arrived"]] == [
        [2, 2, 0, 0, 0],
        [0, 0, 0, 3, 1],
    ]

    page = press_button(ana, evening, "send", **{**SECOND, "die-1-0": ""})
    assert "blas had reached a destination that gives a die. What did the die show?" in page
    press_button(ana, evening, "send", **SECOND)
    page = press_button(ana, evening, "read", **THIRD)
    assert "Submit the last day and end the evening" in page
    assert "elt-tomorrow" not in page
    page = press_button(ana, evening, "send", **THIRD)
    assert "Awaiting confirmation by a second player" in page
    sheet = sheet_of(evening)
    assert sheet.evidence == "sheet"
    assert sheet.points == [14 + 6 + 24, 4 + 23 + 20]
    assert len(sheet.content["days"]) == 3


@pytest.mark.slow
def test_ruling_e_8_form_rejects_points_from_cards_that_one_deck_does_not_have(
    evening: Match, two: list[Player]
) -> None:
    """The deck has cards for five points.

    One player may gain five points on the first day, but not two players.
    """
    ana, said = browser(two[0]), "The cards in one deck can’t score this many points"
    press_button(ana, evening, "input_mode:arrivals")
    page = press_button(ana, evening, "read", **{**FIRST, "gained-0": "5", "gained-1": "0"})
    assert said not in page
    for do in ("read", "send"):
        page = press_button(ana, evening, do, **{**FIRST, "gained-0": "5", "gained-1": "5"})
        assert said in page
        assert "The day has been saved." not in page
    page = press_button(ana, evening, "send", **{**FIRST, "gained-0": "5", "gained-1": "0"})
    assert "The day has been saved." in page


def test_ruling_e_9_form_rejects_points_that_no_runners_can_bring(
    evening: Match, two: list[Player]
) -> None:
    """On the first day the message must not mention results of previous days."""
    ana = browser(two[0])
    page = press_button(ana, evening, "read", **grid("0 0", "61 0", "0 0"))
    assert (
        "Day 2, ana: given the results of the previous days, this player’s runners and cards "
        "can’t earn 61 points."
    ) in page
    page = press_button(ana, evening, "read", **grid("61 0", "0 0", "0 0"))
    assert "Day 1, ana: this player’s runners and cards can’t earn 61 points." in page
    assert "previous days" not in page
    assert "This score is possible but can’t be checked further" not in page


@pytest.mark.slow
def test_changing_an_earlier_day_checks_the_following_days_again(
    evening: Match, two: list[Player]
) -> None:
    ana = browser(two[0])
    press_button(ana, evening, "input_mode:arrivals")
    press_button(ana, evening, "send", **FIRST)
    press_button(ana, evening, "send", **SECOND)
    page = press_button(ana, evening, "edit:0")
    assert "Save changes to the day" in page
    assert 'name="n-restaurant.0-0" value="2"' in page
    no_casino = {**FIRST, "n-casino.0-1": "0"}
    page = press_button(ana, evening, "send", **no_casino)
    assert "Day 2: blas had no die to roll" in page
    evening.refresh_from_db()
    assert evening.draft is not None
    assert evening.draft["days"][0]["arrived"][1] == [0, 0, 0, 0, 1]
    page = press_button(ana, evening, "edit:1")
    press_button(ana, evening, "send", **{**SECOND, "die-1-0": ""})
    page = press_button(ana, evening, "send", **THIRD)
    assert "Awaiting confirmation by a second player" in page


@pytest.mark.slow
def test_evening_entered_day_by_day_can_be_corrected(evening: Match, two: list[Player]) -> None:
    ana = browser(two[0])
    press_button(ana, evening, "input_mode:arrivals")
    for one in (FIRST, SECOND, THIRD):
        press_button(ana, evening, "send", **one)
    page = press_button(ana, evening, "rewrite")
    assert "So far: 3 days" in page
    press_button(ana, evening, "edit:2")
    page = press_button(ana, evening, "send", **{**THIRD, "n-bookstore.0-1": "2"})
    assert "Submit correction" in page
    press_button(ana, evening, "finish")
    sheet = sheet_of(evening)
    assert (sheet.number, sheet.content["days"][2]["arrived"][1]) == (2, [0, 2, 0, 3, 0])


@pytest.mark.slow
def test_ruling_e_2_correction_of_a_day_preserves_sideways_moves_of_runners(
    evening: Match, two: list[Player]
) -> None:
    """The site's board records these moves.

    The form for results does not show them, so it must not delete them.
    """
    ana = browser(two[0])
    press_button(ana, evening, "input_mode:arrivals")
    for one in (FIRST, SECOND, THIRD):
        press_button(ana, evening, "send", **one)
    content = sheet_of(evening).content
    content["days"][1]["aside"] = ["a1>5"]
    hand_in(match=evening, version=evening.version, by=two[0], at=timezone.now(), content=content)
    press_button(ana, evening, "rewrite")
    press_button(ana, evening, "edit:1")
    press_button(ana, evening, "send", **{**SECOND, "gained-1": "1"})
    press_button(ana, evening, "finish")
    days = sheet_of(evening).content["days"]
    assert days[1]["gained"] == [0, 1]
    assert [day.get("aside") for day in days] == [None, ["a1>5"], None]


def test_empty_scoresheet_lists_all_destinations_and_has_no_qr_code() -> None:
    empty = Client().get("/eltoro/scoresheet/").content.decode()
    assert 'class="qr"' not in empty
    assert "China Shop" in empty


@pytest.mark.slow
def test_printed_scoresheet_of_a_match_contains_the_entered_points(
    evening: Match, two: list[Player]
) -> None:
    ana = browser(two[0])
    press_button(ana, evening, "points", **grid("14 9", "8 17", "12 8"))
    sheet = ana.get(f"/eltoro/matches/{evening.pk}/scoresheet/").content.decode()
    assert re.search(r'<td class="is-pen">14</td>\s*<td class="is-pen">9</td>', sheet)
    assert re.search(r'<td class="is-pen">34</td>\s*<td class="is-pen">34</td>', sheet)


@pytest.mark.slow
def test_recorded_game_can_be_corrected_only_by_points_of_each_day(
    evening: Match, two: list[Player]
) -> None:
    """The page shows the points of a game with all moves day by day.

    A correction replaces the moves by these points.
    """
    game, moves = Game.new(town(), 2, Seed(bytes(32))), Seed(bytes(32)).chance("moves")
    while not game.is_over:
        game.play(random_move(game.view(game.turn), moves))
    log = {"kind": "log", "seed": bytes(32).hex(), "moves": [str(move) for move in game.log]}
    hand_in(match=evening, version=0, by=two[0], at=timezone.now(), content=log)
    ana = browser(two[0])
    page = ELTORO.page(ana, evening)
    assert "Day by day" in page
    assert f"<td>{game.day_points[0][0]}</td>" in page
    page = press_button(ana, evening, "rewrite")
    assert f'name="points-0-0" value="{game.day_points[0][0]}"' in page
