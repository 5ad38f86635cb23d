"""After a match of any game is handed in: a second pair of eyes, objections, corrections."""

from __future__ import annotations

import pytest
from django.test import Client

from leagues.models import Match, MatchSeat, Player, Result
from tests.factories import browser, guest
from tests.leagues.entry.form import Form


def tell(client: Client, of: Match, what: str, **data: object) -> str:
    """What the ticket says after one of its buttons."""
    of.refresh_from_db()
    answer = client.post(f"/matches/{of.pk}/{what}/", {"version": of.version, **data}, follow=True)
    of.refresh_from_db()
    return answer.content.decode()


def test_the_ticket_offers_what_each_may_do(
    form: Form, sent: Match, writer: Client, other: Client
) -> None:
    own, others = form.page(writer, sent), form.page(other, sent)
    assert "It is right: confirm" not in own
    assert "You cannot confirm your own sheet." in own
    assert f"/matches/key/{sent.key}/" in own
    assert "It is right: confirm" in others
    assert "Correct it" in own
    assert "Correct it" not in others


def test_a_second_pair_of_eyes(form: Form, sent: Match, writer: Client, other: Client) -> None:
    assert "another player of the match confirms" in tell(writer, sent, "confirm")
    stale = (0, "", "x", "-1", "9" * 40)
    for version in stale:
        other.post(f"/matches/{sent.pk}/confirm/", {"version": version})
    assert form.page(other, sent).count("Somebody has changed this match") == len(stale)
    assert not Result.objects.exists()
    assert "Confirmed: the result counts." in tell(other, sent, "confirm")
    assert Result.objects.get().match == sent


def test_an_objection_needs_a_word_and_takes_the_result_back(
    confirmed: Match, boss: Player, other: Client
) -> None:
    assert Result.objects.count() == 1
    assert "Say why" in tell(other, confirmed, "dispute", reason=" ")
    assert Result.objects.count() == 1
    disputed = tell(other, confirmed, "dispute", reason="it was 18")
    assert "Your objection stands here" in disputed
    assert "it was 18" in disputed
    assert (confirmed.state, Result.objects.count()) == ("disputed", 0)
    settled = tell(browser(boss), confirmed, "settle", verdict="stands", settlement="recounted")
    assert "Settled: the result stands." in settled
    assert Result.objects.count() == 1


@pytest.mark.slow
def test_a_correction_is_shown_before_it_is_done(
    form: Form, confirmed: Match, boss: Player
) -> None:
    organiser = browser(boss)
    preview = form.press(organiser, confirmed, *form.correction)
    assert "What would move" in preview
    assert all(str(points) in preview for points in form.corrected)
    assert ">Ratings</h3>" in preview
    assert confirmed.sheet is not None
    assert confirmed.sheet.points == form.points
    assert "Say why" in tell(organiser, confirmed, "correct", reason="")
    done = tell(organiser, confirmed, "correct", reason="two twos")
    assert "Corrected. The old version is kept." in done
    assert confirmed.sheet is not None
    assert (confirmed.state, confirmed.sheet.points) == ("confirmed", form.corrected)
    assert confirmed.sheets.count() == 2
    back = organiser.get(f"/matches/{confirmed.pk}/versions/1/").content.decode()
    assert "Bring version 1 back" in back
    assert ">Ratings</h3>" in back
    assert "Version 1 counts again." in tell(organiser, confirmed, "versions/1", reason="after all")
    assert confirmed.sheet.points == form.points


def test_only_an_organiser_corrects(form: Form, confirmed: Match, other: Client) -> None:
    rewritten = other.post(
        form.url(confirmed), {"do": "rewrite", "version": confirmed.version}, follow=True
    )
    assert "Only an organiser" in rewritten.content.decode()
    assert "There is no correction" in tell(other, confirmed, "correct", reason="mine")
    back = other.get(f"/matches/{confirmed.pk}/versions/1/", follow=True)
    assert "Only an organiser" in back.content.decode()


def test_a_guest_takes_the_seat_by_the_key_and_confirms(
    form: Form, sent: Match, people: list[Player]
) -> None:
    phone, one = Client(), guest("guest 3")
    MatchSeat.objects.filter(match=sent, player=people[-1]).update(player=one)
    there = f"/matches/key/{sent.key}/"
    assert "guest 3" in phone.get(there).content.decode()
    wrong = phone.post(there, {"guest": people[0].pk}, follow=True)
    assert "No such guest sat at this match." in wrong.content.decode()
    phone.post(there, {"guest": one.pk})
    assert "It is right: confirm" in form.page(phone, sent)
    tell(phone, sent, "confirm")
    assert (sent.state, sent.confirmed_by) == ("confirmed", one)
    again = phone.post(there, {"guest": guest("somebody").pk}, follow=True)
    assert "You are guest 3 here already." in again.content.decode()
