"""An evening handed in from a real table: without a script, by whoever sat there."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from eltoro.engine import Game, random_move
from fairness import Seed
from leagues.models import Match, Player, Result
from leagues.operations.matches import hand_in
from tests.eltoro.pages.club import day, grid, league
from tests.eltoro.sheets.paper import town
from tests.factories import account, browser, match

pytestmark = pytest.mark.django_db


@pytest.fixture
def two() -> list[Player]:
    return [account(name) for name in ("ana", "blas")]


@pytest.fixture
def evening(two: list[Player]) -> Match:
    return match(league(two[0], *two), *two)


def url(of: Match) -> str:
    return f"/eltoro/matches/{of.pk}/evening/"


def press(client: Client, of: Match, do: str, **sent: Any) -> str:
    of.refresh_from_db()
    data = {"do": do, "version": str(of.version), **sent}
    return client.post(url(of), data, follow=True).content.decode()


def sheet_of(of: Match) -> Any:
    of.refresh_from_db()
    assert of.sheet is not None
    return of.sheet


FIRST = day(restaurant="2 0", nightclub="2 0", casino="0 3", bank="0 1", pier="0 0")
SECOND = day(
    "0 2", "1:4", restaurant="1 4", restaurant_1="0 0", bank="1 0", casino="0 0", pier="1 1"
)
THIRD = day("1 0", festival="0 0", bookstore="0 1", bookstore_1="1 0", china="3 3", pier="0 0")


def test_points_by_day_are_read_and_handed_in(evening: Match, two: list[Player]) -> None:
    ana = browser(two[0])
    page = press(ana, evening, "read", **grid("14 9", "8 17", "12 8"))
    assert "ana and blas are level with 34 points; ana wins, with 12 on the last day." in page
    assert "Taken on trust" in page
    page = press(ana, evening, "points", **grid("14 9", "8 17", "12 8"))
    assert "Waiting for a second pair of eyes" in page
    assert "ana wins, with 12 on the last day." in page
    sheet = sheet_of(evening)
    assert (sheet.points, sheet.places, sheet.evidence) == ([34, 34], [1, 2], "score")
    assert sheet.content == {"kind": "points", "days": [[14, 9], [8, 17], [12, 8]]}


REFUSED = [
    (grid("67 0", "0 0", "0 0"), "Day 1, ana: a day brings 66 points at most, not 67."),
    (grid("0 0", "0 82", "0 0"), "Day 2, blas: a day brings 81 points at most, not 82."),
    (grid("-1 0", "0 0", "0 0"), "Day 1, ana: a day ends with 0 points at the least, not -1."),
    (grid("0 0", "-2 0", "0 0"), "Day 2, ana: a day ends with -1 points at the least, not -2."),
    (grid("0 0", "lots 0", "0 0"), "Day 2, ana: “lots” is no whole number."),
    (grid("0 0", "1.5 0", "0 0"), "Day 2, ana: “1.5” is no whole number."),
    (grid("0 0", "- 0", "0 0"), "One field is still empty."),
    (grid("- -", "- -", "- -"), "Write down what each had at the end of each day."),
]


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "sentence"), REFUSED)
def test_absurd_points_are_refused_in_a_sentence(
    evening: Match, two: list[Player], sent: dict[str, str], sentence: str
) -> None:
    page = press(browser(two[0]), evening, "points", **sent)
    assert sentence in page
    evening.refresh_from_db()
    assert (evening.state, evening.version, evening.draft or {}) == ("draft", 0, {})


def test_below_zero_is_possible_and_a_tie_is_shared(evening: Match, two: list[Player]) -> None:
    press(browser(two[0]), evening, "points", **grid("3 3", "−1 -1", "5 5"))
    sheet = sheet_of(evening)
    assert (sheet.points, sheet.places) == ([7, 7], [1, 1])


def test_an_evening_day_by_day(evening: Match, two: list[Player]) -> None:
    """Points follow, tomorrow is told, a die asked for; the last day hands the evening in."""
    ana = browser(two[0])
    press(ana, evening, "way:arrivals")
    page = press(ana, evening, "read", **FIRST)
    assert "ana: 4 of 9 runners arrived. 14 points." in page
    assert "<li>ana: 8 runners.</li>" in page
    assert "<li>blas: +3 points at once, rolls a die first.</li>" in page
    page = press(ana, evening, "send", **FIRST)
    assert "The day is written down." in page
    assert "8 runners" in page
    assert 'name="die-1-0"' in page
    assert 'name="die-0-0"' not in page
    evening.refresh_from_db()
    assert evening.draft is not None
    assert [list(one) for one in evening.draft["days"][0]["arrived"]] == [
        [2, 2, 0, 0, 0],
        [0, 0, 0, 3, 1],
    ]

    page = press(ana, evening, "send", **{**SECOND, "die-1-0": ""})
    assert "blas was where a die is promised. What was rolled?" in page
    press(ana, evening, "send", **SECOND)
    page = press(ana, evening, "read", **THIRD)
    assert "Send the day: it ends the evening" in page
    assert "elt-tomorrow" not in page
    page = press(ana, evening, "send", **THIRD)
    assert "Waiting for a second pair of eyes" in page
    sheet = sheet_of(evening)
    assert sheet.evidence == "sheet"
    assert sheet.points == [14 + 6 + 24, 4 + 23 + 20]
    assert len(sheet.content["days"]) == 3


@pytest.mark.slow
def test_a_day_is_changed_and_what_followed_is_looked_at_again(
    evening: Match, two: list[Player]
) -> None:
    ana = browser(two[0])
    press(ana, evening, "way:arrivals")
    press(ana, evening, "send", **FIRST)
    press(ana, evening, "send", **SECOND)
    page = press(ana, evening, "edit:0")
    assert "Put the day back" in page
    assert 'name="n-restaurant.0-0" value="2"' in page
    no_casino = {**FIRST, "n-casino.0-1": "0"}
    page = press(ana, evening, "send", **no_casino)
    assert "Day 2: blas had no die to roll" in page
    evening.refresh_from_db()
    assert evening.draft is not None
    assert evening.draft["days"][0]["arrived"][1] == [0, 0, 0, 0, 1]
    page = press(ana, evening, "edit:1")
    press(ana, evening, "send", **{**SECOND, "die-1-0": ""})
    page = press(ana, evening, "send", **THIRD)
    assert "Waiting for a second pair of eyes" in page
    assert "There is no such day" in press(ana, match_again(evening, ana), "edit:7")


def match_again(of: Match, client: Client) -> Match:
    client.post(f"/matches/{of.pk}/again/")
    return Match.objects.exclude(pk=of.pk).get()


REST = {"nightclub": "1 0", "casino": "0 0", "bank": "0 0", "pier": "0 0"}
OBJECTED: list[tuple[dict[str, Any], str]] = [
    (
        day(restaurant="8 0", **{**REST, "nightclub": "2 0"}),
        "Day 1: ana had 9 runners, so 10 cannot have arrived.",
    ),
    (day(**REST), "Day 1: five destinations lie out, not 4. Which?"),
    (day(restaurant="-1 0", **REST), "Day 1, ana: -1 is less than none."),
    (day(restaurant="x 0", **REST), "“x” is no whole number."),
    (
        day("99 0", restaurant="0 0", **REST),
        "Day 1, ana: cards bring 12 points at most in a day, not 99.",
    ),
]


@pytest.mark.parametrize(("sent", "sentence"), OBJECTED)
def test_a_day_that_cannot_be_is_not_kept(
    evening: Match, two: list[Player], sent: dict[str, Any], sentence: str
) -> None:
    ana = browser(two[0])
    press(ana, evening, "way:arrivals")
    page = press(ana, evening, "send", **sent)
    assert sentence in page
    evening.refresh_from_db()
    assert not evening.draft


def test_a_second_pair_of_eyes_and_a_correction(evening: Match, two: list[Player]) -> None:
    ana, blas = map(browser, two)
    press(ana, evening, "points", **grid("14 9", "8 17", "12 9"))
    evening.refresh_from_db()
    done = blas.post(f"/matches/{evening.pk}/confirm/", {"version": evening.version}, follow=True)
    assert "Confirmed: the result counts." in done.content.decode()
    assert Result.objects.get().match == evening
    page = press(ana, evening, "rewrite")
    assert 'name="points-0-0" value="14"' in page
    assert "See what would move" in page
    page = press(ana, evening, "points", **grid("14 9", "8 17", "12 19"))
    assert "What would move" in page
    page = press(ana, evening, "leave")
    assert "Confirmed" in page


@pytest.mark.slow
def test_arrivals_are_corrected_day_by_day(evening: Match, two: list[Player]) -> None:
    ana = browser(two[0])
    press(ana, evening, "way:arrivals")
    for one in (FIRST, SECOND, THIRD):
        press(ana, evening, "send", **one)
    page = press(ana, evening, "rewrite")
    assert "So far: 3 days" in page
    press(ana, evening, "edit:2")
    page = press(ana, evening, "send", **{**THIRD, "n-bookstore.0-1": "2"})
    assert "Hand it in anew" in page
    press(ana, evening, "finish")
    sheet = sheet_of(evening)
    assert (sheet.number, sheet.content["days"][2]["arrived"][1]) == (2, [0, 2, 0, 3, 0])


def test_a_stale_page_stores_nothing(evening: Match, two: list[Player]) -> None:
    ana = browser(two[0])
    press(ana, evening, "way:arrivals")
    press(ana, evening, "send", **FIRST)
    page = ana.post(url(evening), {"do": "send", "version": "0", **SECOND}, follow=True)
    assert "Somebody has changed this match" in page.content.decode()
    evening.refresh_from_db()
    assert evening.draft is not None
    assert len(evening.draft["days"]) == 1


def test_strangers_and_other_games_see_nothing(evening: Match, two: list[Player]) -> None:
    stranger = browser(account("stranger"))
    assert evening.league is not None
    evening.league.visibility = "public"
    evening.league.save()
    page = press(stranger, evening, "points", **grid("1 1", "1 1", "1 1"))
    assert "Only who plays this match" in page
    evening.refresh_from_db()
    assert (evening.state, evening.version) == ("draft", 0)
    evening.league.visibility = "private"
    evening.league.save()
    assert stranger.get(url(evening)).status_code == 404
    assert Client().get(url(evening)).status_code == 404
    assert browser(two[0]).get(f"/dominoes/matches/{evening.pk}/hand/").status_code == 404


def test_a_rematch_in_one_tap(evening: Match, two: list[Player]) -> None:
    ana = browser(two[0])
    press(ana, evening, "points", **grid("1 2", "3 4", "5 6"))
    page = ana.post(f"/matches/{evening.pk}/again/", follow=True).content.decode()
    assert "Hand in an evening" in page
    again = Match.objects.exclude(pk=evening.pk).get()
    assert [seat.player.name for seat in again.seats.all()] == ["ana", "blas"]


def test_the_key_opens_the_form_and_the_sheet_shows_it(evening: Match, two: list[Player]) -> None:
    client = Client()
    page = client.get(f"/matches/key/{evening.key}/", follow=True)
    assert page.status_code == 200
    sheet = client.get(f"/eltoro/matches/{evening.pk}/scoresheet/").content.decode()
    assert 'class="qr"' in sheet
    empty = Client().get("/eltoro/scoresheet/").content.decode()
    assert 'class="qr"' not in empty
    assert "China Shop" in empty


def test_what_is_written_stands_on_the_sheet(evening: Match, two: list[Player]) -> None:
    ana = browser(two[0])
    press(ana, evening, "points", **grid("14 9", "8 17", "12 8"))
    sheet = ana.get(f"/eltoro/matches/{evening.pk}/scoresheet/").content.decode()
    assert '<td class="is-pen">14</td><td class="is-pen">9</td>' in sheet
    assert '<td class="is-pen">34</td><td class="is-pen">34</td>' in sheet


def test_the_answer_comes_live(evening: Match, two: list[Player]) -> None:
    """What htmx asks for is the fragment alone, and what was typed is kept."""
    ana = browser(two[0])
    sent = {"do": "read", "version": "0", **grid("14 9", "8 17", "12 8")}
    answer = ana.post(url(evening), sent, headers={"HX-Request": "true"}).content.decode()
    assert answer.lstrip().startswith('<div class="in-col" id="answer">')
    assert "ana wins" in answer
    assert 'name="points-1-1" value="17"' in ana.get(url(evening)).content.decode()
    evening.refresh_from_db()
    assert evening.version == 0


def test_the_page_asks_few_queries(
    evening: Match, two: list[Player], django_assert_max_num_queries: Any
) -> None:
    ana = browser(two[0])
    press(ana, evening, "way:arrivals")
    press(ana, evening, "send", **FIRST)
    with django_assert_max_num_queries(20):
        ana.get(url(evening))


def test_an_evening_played_here_is_corrected_by_its_points(
    evening: Match, two: list[Player]
) -> None:
    """A log is shown day by day; written anew it becomes points, which any table could write."""
    game, moves = Game.new(town(), 2, Seed(bytes(32))), Seed(bytes(32)).chance("moves")
    while not game.over:
        game.play(random_move(game.view(game.turn), moves))
    log = {"kind": "log", "seed": bytes(32).hex(), "moves": [str(move) for move in game.log]}
    hand_in(match=evening, version=0, by=two[0], at=timezone.now(), content=log)
    ana = browser(two[0])
    page = ana.get(url(evening)).content.decode()
    assert "Day by day" in page
    assert f"<td>{game.day_points[0][0]}</td>" in page
    page = press(ana, evening, "rewrite")
    assert f'name="points-0-0" value="{game.day_points[0][0]}"' in page
