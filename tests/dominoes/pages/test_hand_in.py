"""A tabletop evening handed in: without a script, by whoever sat there."""

from __future__ import annotations

import pytest
from django.test import Client

from dominoes.engine import Rules
from leagues.models import Match, Player, Result
from tests.dominoes.pages.club import fields, league
from tests.factories import account, browser, match

pytestmark = pytest.mark.django_db


@pytest.fixture
def four() -> list[Player]:
    return [account(name) for name in ("north", "ana", "iker", "south")]


@pytest.fixture
def evening(four: list[Player]) -> Match:
    return match(league(four[0], *four, rules=Rules(target=40)), *four, by=four[3])


def url(of: Match) -> str:
    return f"/dominoes/matches/{of.pk}/hand/"


def press(client: Client, of: Match, do: str, **sent: object) -> str:
    of.refresh_from_db()
    data = fields(do=do, version=str(of.version), **sent)
    return client.post(url(of), data, follow=True).content.decode()


HAND = {"out": "0", "held_1": "5|3 2|1 6|0", "held_2": "6|2 5|5", "held_3": "4|0 1|1"}


def test_a_hand_is_read_and_sent_and_wins(evening: Match, four: list[Player]) -> None:
    south = browser(four[3])
    page = press(south, evening, "read", **HAND)
    assert "ana: 2-1, 5-3, 6-0. That is 17 pips." in page
    assert "+41 points" in page
    assert "Send the hand: it wins the match" in page
    page = press(south, evening, "send", **HAND)
    assert "Waiting for a second pair of eyes" in page
    evening.refresh_from_db()
    assert (evening.state, evening.sheet.points) == ("handed_in", [41, 0, 0, 0])  # type: ignore[union-attr]
    assert evening.sheet is not None
    assert evening.sheet.evidence == "sheet"


def test_a_second_pair_of_eyes(evening: Match, four: list[Player]) -> None:
    south, ana = browser(four[3]), browser(four[1])
    press(south, evening, "send", **HAND)
    evening.refresh_from_db()
    own = south.post(f"/matches/{evening.pk}/confirm/", {"version": evening.version}, follow=True)
    assert "another player of the match confirms" in own.content.decode()
    assert not Result.objects.exists()
    stale = ana.post(f"/matches/{evening.pk}/confirm/", {"version": 0}, follow=True)
    assert "Somebody has changed this match" in stale.content.decode()
    done = ana.post(f"/matches/{evening.pk}/confirm/", {"version": evening.version}, follow=True)
    assert "Confirmed: the result counts." in done.content.decode()
    assert Result.objects.get().match == evening


def test_a_tile_in_two_hands_is_asked_about(evening: Match, four: list[Player]) -> None:
    """Ruling D-1."""
    south = browser(four[3])
    page = press(south, evening, "read", **{**HAND, "held_2": "6|2 5|5 5|3"})
    assert "5-3 is in ana’s hand too" in page
    assert "Result, if it was ana’s" in page
    refused = press(south, evening, "send", **{**HAND, "held_2": "6|2 5|5 5|3"})
    assert "Ruling D-1" in refused
    evening.refresh_from_db()
    assert evening.draft in (None, {})
    page = press(south, evening, "mend:5|3:1", **{**HAND, "held_2": "6|2 5|5 5|3"})
    assert "is in ana" not in page
    assert "it wins the match" in page


REFUSED = [
    ({"out": "0", "pips_1": "-4", "pips_2": "3", "pips_3": "5"}, "nobody holds less than nothing"),
    ({"out": "0", "pips_1": "900", "pips_2": "3", "pips_3": "5"}, "cannot have 900 pips"),
    ({"out": "0", "pips_1": "lots", "pips_2": "3", "pips_3": "5"}, "is no number of pips"),
    ({"out": "0", "pips_1": "1", "pips_2": "1", "pips_3": "1"}, "no tiles of one set"),
    ({"out": "0", "held_1": "7|7", "pips_2": "3", "pips_3": "5"}, "there is no tile “7-7”"),
    ({"out": "0", "held_1": "5|3 3|5", "pips_2": "3", "pips_3": "5"}, "5-3 is there twice"),
    ({"out": "9", "pips_1": "4", "pips_2": "3", "pips_3": "5"}, "There is no such seat"),
    ({"out": "0", "pips_1": "4", "pips_2": "", "pips_3": "5"}, "What was iker left with?"),
]


@pytest.mark.parametrize(("sent", "sentence"), REFUSED)
def test_bad_input_is_refused_in_a_sentence(
    evening: Match, four: list[Player], sent: dict[str, str], sentence: str
) -> None:
    page = press(browser(four[3]), evening, "send", **sent)
    assert sentence in page
    evening.refresh_from_db()
    assert (evening.state, evening.version, evening.draft or {}) == ("draft", 0, {})


@pytest.mark.slow
def test_hands_add_up_and_can_be_taken_back(evening: Match, four: list[Player]) -> None:
    south = browser(four[3])
    page = press(south, evening, "send", out="1", pips_0="6", pips_2="3", pips_3="5")
    assert "The hand is written down." in page
    assert "We stopped here: hand in" in page
    page = press(south, evening, "undo")
    assert 'value="6"' in page
    press(south, evening, "send", out="1", pips_0="6", pips_2="3", pips_3="5")
    page = press(south, evening, "edit:0")
    assert "Put the hand back" in page
    press(south, evening, "send", out="1", pips_0="7", pips_2="3", pips_3="5")
    evening.refresh_from_db()
    assert evening.draft is not None
    assert evening.draft["hands"][0]["held"][0] == {"pips": 7}
    press(south, evening, "finish:stopped")
    evening.refresh_from_db()
    assert evening.sheet is not None
    assert (evening.state, evening.sheet.points) == ("handed_in", [0, 15, 0, 0])


def test_a_stale_page_stores_nothing(evening: Match, four: list[Player]) -> None:
    south = browser(four[3])
    press(south, evening, "send", out="1", pips_0="6", pips_2="3", pips_3="5")
    sent = fields(do="send", version="0", out="1", pips_0="6", pips_2="3", pips_3="5")
    page = south.post(url(evening), sent, follow=True).content.decode()
    assert "Somebody has changed this match" in page
    evening.refresh_from_db()
    assert evening.draft is not None
    assert len(evening.draft["hands"]) == 1


def test_a_score_alone(evening: Match, four: list[Player]) -> None:
    south = browser(four[3])
    page = press(south, evening, "way:score")
    assert "What each had in the end" in page
    totals = {"total_0": "44", "total_1": "x", "total_2": "3", "total_3": "39"}
    assert "is no number of points" in press(south, evening, "score", **totals)
    totals["total_1"] = "41"
    assert "Only one can reach 40" in press(south, evening, "score", **totals)
    totals["total_1"] = "12"
    press(south, evening, "score", **totals)
    evening.refresh_from_db()
    assert evening.sheet is not None
    assert (evening.sheet.evidence, evening.sheet.places) == ("score", [1, 3, 4, 2])


def test_strangers_and_other_games_see_nothing(evening: Match, four: list[Player]) -> None:
    stranger = browser(account("stranger"))
    assert evening.league is not None
    evening.league.visibility = "private"
    evening.league.save()
    assert stranger.get(url(evening)).status_code == 404
    assert stranger.post(url(evening), {"do": "send"}).status_code == 404
    assert Client().get(url(evening)).status_code == 404
    evening.league.visibility = "public"
    evening.league.save()
    page = stranger.post(url(evening), fields(do="send", version="0", **HAND), follow=True)
    assert "Only who plays this match" in page.content.decode()
    evening.refresh_from_db()
    assert (evening.state, evening.version) == ("draft", 0)


def test_the_moves_tapped_on_a_train(four: list[Player]) -> None:
    """Only what can have been is offered; a move that cannot is refused with its ruling."""
    two = four[:2]
    rules = Rules(hand_size=2, boneyard="pass", target=10)
    evening = match(league(two[0], *two, rules=rules), *two)
    north = browser(two[0])
    press(north, evening, "way:moves")
    press(north, evening, "read", leader="0")
    page = press(north, evening, "tile:6|3")
    assert "What did ana lay?" in page
    assert 'value="tile:4-4"' in page
    assert 'value="tile:5-5"' not in page
    page = press(north, evening, "move:>5|5")
    assert "do not add up to 7" in page
    page = press(north, evening, "tile:4-3")
    assert "outward" in page
    page = press(north, evening, "move:>4|3")
    page = press(north, evening, "tile:4-4")
    page = press(north, evening, "tile:5-3") if "What did north" in page else page
    assert "What was left in hand" in page
    page = press(north, evening, "send", held_1="6|6")
    assert "Waiting for a second pair of eyes" in page
    evening.refresh_from_db()
    assert evening.sheet is not None
    assert (evening.sheet.evidence, evening.sheet.points) == ("log", [12, 0])


def test_a_rematch_in_one_tap(evening: Match, four: list[Player]) -> None:
    south = browser(four[3])
    press(south, evening, "send", **HAND)
    page = south.post(f"/matches/{evening.pk}/again/", follow=True)
    assert "Hand in a hand" in page.content.decode()
    again = Match.objects.exclude(pk=evening.pk).get()
    assert [seat.player.name for seat in again.seats.all()] == ["north", "ana", "iker", "south"]


def test_a_closed_league_opens_nothing(evening: Match, four: list[Player]) -> None:
    assert evening.league is not None
    evening.league.closed_at = evening.created_at
    evening.league.save()
    north = browser(four[0])
    sent = {f"seat-{number}": one.pk for number, one in enumerate(four)}
    page = north.post("/leagues/thursday-league/match/", sent)
    assert (page.status_code, Match.objects.count()) == (422, 1)
    assert "The league is closed." in page.content.decode()


def test_the_key_opens_the_form(evening: Match) -> None:
    client = Client()
    assert client.get("/matches/key/nothing/").status_code == 404
    page = client.get(f"/matches/key/{evening.key}/", follow=True)
    assert page.status_code == 200
    sheet = client.get(f"/dominoes/matches/{evening.pk}/scoresheet/").content.decode()
    assert 'class="qr"' in sheet
    assert Client().get("/dominoes/scoresheet/").status_code == 200


def test_the_answer_comes_live(evening: Match, four: list[Player]) -> None:
    """What htmx asks for is the fragment alone, and what was ticked is kept."""
    south = browser(four[3])
    sent = fields(do="read", version="0", **HAND)
    answer = south.post(url(evening), sent, headers={"HX-Request": "true"})
    text = answer.content.decode()
    assert text.lstrip().startswith('<div class="in-col" id="answer">')
    assert "it wins the match" in text
    again = south.get(url(evening)).content.decode()
    assert 'name="held-1" value="5|3" checked' in again
    evening.refresh_from_db()
    assert evening.version == 0


def test_the_page_asks_few_queries(
    evening: Match, four: list[Player], django_assert_max_num_queries: object
) -> None:
    south = browser(four[3])
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        south.get(url(evening))
