"""The page of a submitted match of any game: confirmation, disputes and corrections."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from leagues.models import League, Match, MatchSeat, Player, Result
from tests.factories import browser, guest
from tests.leagues.pages.matches.form import Form


def press_ticket_button(client: Client, of: Match, what: str, **data: object) -> str:
    """Press a button of the match page, and return the next page."""
    of.refresh_from_db()
    answer = client.post(f"/matches/{of.pk}/{what}/", {"version": of.version, **data}, follow=True)
    of.refresh_from_db()
    return answer.content.decode()


@pytest.mark.slow
def test_match_page_offers_each_player_the_possible_actions(
    form: Form, sent: Match, writer: Client, other: Client
) -> None:
    own, others = form.page(writer, sent), form.page(other, sent)
    assert "Confirm result" not in own
    assert "t confirm a result that you entered" in own
    assert f"/matches/key/{sent.key}/" in own
    assert "Confirm result" in others
    assert "Correct result" in own
    assert "Correct result" not in others


@pytest.mark.slow
def test_result_is_confirmed_by_a_second_player(
    form: Form, sent: Match, writer: Client, other: Client
) -> None:
    assert (
        "You entered this result, so another player in the match must confirm it."
        in press_ticket_button(writer, sent, "confirm")
    )
    stale = (0, "", "x", "-1", "9" * 40)
    for version in stale:
        other.post(f"/matches/{sent.pk}/confirm/", {"version": version})
    assert form.page(other, sent).count(
        "Someone has changed this match since you opened the page. Check it again before you "
        "continue."
    ) == len(stale)
    assert not Result.objects.exists()
    assert "The result has been confirmed and now counts." in press_ticket_button(
        other, sent, "confirm"
    )
    assert Result.objects.get().match == sent


@pytest.mark.slow
@pytest.mark.parametrize(
    ("act", "field"),
    [
        ("dispute", "reason"),
        ("void", "reason"),
        ("settle", "settlement"),
        ("versions/1", "reason"),
    ],
)
def test_rejected_form_keeps_the_typed_reason(
    confirmed: Match, boss: Player, act: str, field: str
) -> None:
    organiser = browser(boss)
    if act == "settle":
        press_ticket_button(organiser, confirmed, "dispute", reason="it was 18")
    long = "Íñigo said so. " * 30
    refused = press_ticket_button(organiser, confirmed, act, **{field: long})
    assert re.search(r"Use \d+ characters at most\.", refused)
    (kept,) = re.findall(rf'name="{field}" value="([^"]+)"', refused)
    assert kept == long
    page = press_ticket_button(organiser, confirmed, "confirm")
    assert long not in page


@pytest.mark.slow
def test_void_match_whose_fixture_was_played_again_cannot_be_restored(
    confirmed: Match, boss: Player
) -> None:
    organiser, at = browser(boss), f"/matches/{confirmed.pk}/versions/1/"
    Match.objects.filter(pk=confirmed.pk).update(state="void")
    assert organiser.get(at).status_code == 200
    League.objects.update(format=League.Format.ROUND_ROBIN)
    sentence = "The fixture of this match has since been played again or voided"
    assert organiser.get(at, follow=True).text.count(sentence) == 1
    assert (
        press_ticket_button(organiser, confirmed, "versions/1", reason="It was right.").count(
            sentence
        )
        == 1
    )


@pytest.mark.slow
def test_dispute_requires_a_reason_and_removes_the_result(
    confirmed: Match, boss: Player, other: Client
) -> None:
    assert Result.objects.count() == 1
    assert "Enter a brief reason." in press_ticket_button(other, confirmed, "dispute", reason=" ")
    assert Result.objects.count() == 1
    disputed = press_ticket_button(other, confirmed, "dispute", reason="it was 18")
    assert (
        "You have disputed this result. It does not count until the dispute is settled." in disputed
    )
    assert "it was 18" in disputed
    assert (confirmed.state, Result.objects.count()) == ("disputed", 0)
    settled = press_ticket_button(
        browser(boss), confirmed, "settle", verdict="stands", settlement="recounted"
    )
    assert "The dispute has been settled: the result does not change." in settled
    assert Result.objects.count() == 1


@pytest.mark.slow
def test_correction_is_previewed_before_it_is_saved(
    form: Form, confirmed: Match, boss: Player
) -> None:
    organiser = browser(boss)
    preview = form.press(organiser, confirmed, *form.correction)
    assert "Preview of the changes" in preview
    assert all(str(points) in preview for points in form.corrected)
    assert ">Ratings</h3>" in preview
    assert confirmed.sheet is not None
    assert confirmed.sheet.points == form.points
    assert "Enter a brief reason." in press_ticket_button(
        organiser, confirmed, "correct", reason=""
    )
    done = press_ticket_button(organiser, confirmed, "correct", reason="two twos")
    assert "The result has been corrected. The old version has been kept." in done
    assert confirmed.sheet is not None
    assert (confirmed.state, confirmed.sheet.points) == ("confirmed", form.corrected)
    assert confirmed.sheets.count() == 2
    back = organiser.get(f"/matches/{confirmed.pk}/versions/1/").content.decode()
    assert "Restore version 1" in back
    assert ">Ratings</h3>" in back
    assert "Version 1 counts again." in press_ticket_button(
        organiser, confirmed, "versions/1", reason="after all"
    )
    assert confirmed.sheet.points == form.points


@pytest.mark.slow
def test_only_an_organiser_can_correct_a_result(
    form: Form, confirmed: Match, other: Client
) -> None:
    rewritten = other.post(
        form.url(confirmed), {"do": "rewrite", "version": confirmed.version}, follow=True
    )
    assert "Only an organiser" in rewritten.content.decode()
    assert "There is no correction" in press_ticket_button(
        other, confirmed, "correct", reason="mine"
    )
    back = other.get(f"/matches/{confirmed.pk}/versions/1/", follow=True)
    assert "Only an organiser" in back.content.decode()


@pytest.mark.slow
def test_guest_takes_the_seat_with_the_key_and_confirms(
    form: Form, sent: Match, people: list[Player]
) -> None:
    phone, one = Client(), guest("guest 3")
    MatchSeat.objects.filter(match=sent, player=people[-1]).update(player=one)
    there = f"/matches/key/{sent.key}/"
    assert "guest 3" in phone.get(there).content.decode()
    wrong = phone.post(there, {"guest": people[0].pk}, follow=True)
    assert "This guest did not play in this match." in wrong.content.decode()
    phone.post(there, {"guest": one.pk})
    assert "Confirm result" in form.page(phone, sent)
    press_ticket_button(phone, sent, "confirm")
    assert (sent.state, sent.confirmed_by) == ("confirmed", one)
    again = phone.post(there, {"guest": guest("somebody").pk}, follow=True)
    assert "You are already playing as guest 3 in this browser." in again.content.decode()
