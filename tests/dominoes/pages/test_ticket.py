"""After sending: a second pair of eyes, objections, corrections with what they would move."""

from __future__ import annotations

import pytest
from django.test import Client

from dominoes.engine import Rules
from leagues.models import Match, Player, Result
from tests.dominoes.pages.club import fields, league
from tests.dominoes.pages.test_hand_in import HAND, press
from tests.factories import account, browser, guest, match

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> Player:
    return account("boss")


@pytest.fixture
def four() -> list[Player]:
    return [account("north"), account("ana"), guest("guest 3"), account("south")]


@pytest.fixture
def sent(boss: Player, four: list[Player]) -> Match:
    found = match(league(boss, *four, rules=Rules(target=40)), *four, by=four[3])
    press(browser(four[3]), found, "send", **HAND)
    found.refresh_from_db()
    return found


def tell(client: Client, of: Match, what: str, **data: object) -> str:
    of.refresh_from_db()
    answer = client.post(f"/matches/{of.pk}/{what}/", {"version": of.version, **data}, follow=True)
    of.refresh_from_db()
    return answer.content.decode()


def page(client: Client, of: Match) -> str:
    return client.get(f"/dominoes/matches/{of.pk}/hand/").content.decode()


def test_the_ticket_offers_what_each_may_do(sent: Match, four: list[Player]) -> None:
    own, other = page(browser(four[3]), sent), page(browser(four[1]), sent)
    assert "It is right: confirm" not in own
    assert "You cannot confirm your own sheet." in own
    assert f"/matches/key/{sent.key}/" in own
    assert "It is right: confirm" in other
    assert "Correct it" in own
    assert "Correct it" not in other


@pytest.mark.slow
def test_an_objection_needs_a_word_and_takes_the_result_back(
    sent: Match, four: list[Player], boss: Player
) -> None:
    ana = browser(four[1])
    tell(ana, sent, "confirm")
    assert Result.objects.count() == 1
    assert "Say why" in tell(ana, sent, "dispute", reason=" ")
    assert Result.objects.count() == 1
    assert "Your objection stands here" in tell(ana, sent, "dispute", reason="it was 18")
    assert (sent.state, Result.objects.count()) == ("disputed", 0)
    assert "it was 18" in page(ana, sent)
    settled = tell(browser(boss), sent, "settle", verdict="stands", settlement="recounted")
    assert "Settled: the result stands." in settled
    assert Result.objects.count() == 1


@pytest.mark.slow
def test_a_correction_is_shown_before_it_is_done(
    sent: Match, four: list[Player], boss: Player
) -> None:
    tell(browser(four[1]), sent, "confirm")
    organiser = browser(boss)
    press(organiser, sent, "rewrite")
    assert "Put the hand back" in press(organiser, sent, "edit:0")
    press(organiser, sent, "send", **{**HAND, "held_3": "4|0 2|2"})
    preview = press(organiser, sent, "finish")
    assert "What would move" in preview
    assert "43" in preview
    sent.refresh_from_db()
    assert sent.sheet is not None
    assert sent.sheet.points == [41, 0, 0, 0]
    assert "Say why" in tell(organiser, sent, "correct", reason="")
    done = tell(organiser, sent, "correct", reason="two twos")
    assert "Corrected. The old version is kept." in done
    assert sent.sheet is not None
    assert (sent.state, sent.sheet.points, sent.sheets.count()) == ("confirmed", [43, 0, 0, 0], 2)
    back = organiser.get(f"/matches/{sent.pk}/versions/1/").content.decode()
    assert "Bring version 1 back" in back
    assert "Version 1 counts again." in tell(organiser, sent, "versions/1", reason="after all")
    assert sent.sheet.points == [41, 0, 0, 0]


@pytest.mark.slow
def test_only_an_organiser_corrects(sent: Match, four: list[Player]) -> None:
    ana = browser(four[1])
    tell(ana, sent, "confirm")
    assert "Only an organiser" in press(ana, sent, "rewrite")
    assert "There is no correction" in tell(ana, sent, "correct", reason="mine")
    assert (
        "Only an organiser"
        in ana.get(f"/matches/{sent.pk}/versions/1/", follow=True).content.decode()
    )


def test_a_guest_takes_the_seat_by_the_key_and_confirms(sent: Match, four: list[Player]) -> None:
    phone = Client()
    opened = phone.get(f"/matches/key/{sent.key}/").content.decode()
    assert "guest 3" in opened
    wrong = phone.post(f"/matches/key/{sent.key}/", {"guest": four[1].pk}, follow=True)
    assert "No such guest sat at this match." in wrong.content.decode()
    phone.post(f"/matches/key/{sent.key}/", {"guest": four[2].pk})
    assert "It is right: confirm" in page(phone, sent)
    tell(phone, sent, "confirm")
    assert (sent.state, sent.confirmed_by) == ("confirmed", four[2])
    other = guest("somebody")
    again = phone.post(f"/matches/key/{sent.key}/", {"guest": other.pk}, follow=True)
    assert "You are guest 3 here already." in again.content.decode()


def test_among_friends_without_an_account() -> None:
    phone = Client()
    form = {"own": "Ana", "name-1": "Iker", "name-2": "", "profile": "rulebook"}
    opened = phone.post("/matches/new/dominoes/", form, follow=True).content.decode()
    assert "Hand in a hand" in opened
    found = Match.objects.get()
    assert [seat.player.name for seat in found.seats.all()] == ["Ana", "Iker"]
    again = phone.post("/matches/new/dominoes/", {"name-1": "iker", "profile": "block"})
    assert again.status_code == 302
    assert Player.objects.count() == 2
    wrong = phone.post("/matches/new/dominoes/", {"name-1": "", "profile": "block"})
    assert (wrong.status_code, Match.objects.count()) == (422, 2)
    bad = phone.post("/matches/new/dominoes/", {"name-1": "Iker", "profile": "chess"})
    assert (bad.status_code, Match.objects.count()) == (422, 2)
    assert phone.get("/matches/new/chess/").status_code == 404


def test_players_of_another_league_cannot_be_seated(boss: Player, four: list[Player]) -> None:
    found = league(boss, *four)
    north, stranger = browser(four[0]), account("stranger")
    seats = {f"seat-{number}": one.pk for number, one in enumerate(four)}
    for wrong in ({**seats, "seat-2": stranger.pk}, {**seats, "seat-2": "x"}, {"seat-0": "1"}):
        answer = north.post(f"/leagues/{found.slug}/match/", wrong)
        assert (answer.status_code, Match.objects.count()) == (422, 0)
    twice = north.post(f"/leagues/{found.slug}/match/", {**seats, "seat-1": four[0].pk})
    assert "sits at the match twice" in twice.content.decode()
    assert north.post(f"/leagues/{found.slug}/match/", seats).status_code == 302


def test_numbers_that_are_none(sent: Match, four: list[Player]) -> None:
    ana = browser(four[1])
    for version in ("", "x", "-1", "9" * 40):
        answer = ana.post(f"/matches/{sent.pk}/confirm/", {"version": version}, follow=True)
        assert "Somebody has changed this match" in answer.content.decode()
    assert fields(do="read")["do"] == "read"
    assert not Result.objects.exists()
