"""Entering a match of any game played at a real table, by any of its players and without
JavaScript.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from api.keys.operations import make_token
from api.models import Token
from leagues.games import games
from leagues.models import League, Match, Member, Player, Result
from leagues.templatetags.qr import qr
from tests.factories import account, browser
from tests.leagues.api.programs import Program
from tests.leagues.pages.matches.form import Form, Press
from tests.leagues.pages.matches.games import FORMS

FRAGMENT = re.compile(r'\s*<div class="[\w -]+" id="answer">')
# Headers of an htmx request while a form is being filled in.
PREVIEW = {"HX-Request": "true", "HX-Target": "answer"}
MISSING = ("0", "7", "9" * 30)


def untouched(match: Match) -> tuple[str, int, object]:
    """Return the data of a match that a rejected press must not change."""
    match.refresh_from_db()
    return match.state, match.version, match.draft or {}


def set_visibility(visibility: str) -> None:
    """Set the visibility of the only league."""
    League.objects.update(visibility=visibility)


@pytest.mark.slow
def test_match_is_entered_and_submitted(form: Form, match: Match, writer: Client) -> None:
    expected = form.sheet(match)
    page = form.press(writer, match, *form.whole)
    assert "Awaiting confirmation by a second player" in page
    assert match.state == "handed_in"
    sheet = match.sheet
    assert sheet is not None
    assert sheet.content == expected
    assert (sheet.points, sheet.places, sheet.evidence) == (form.points, form.places, form.evidence)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "presses"),
    [
        pytest.param(form, presses, id=f"{form.game}-{presses[-1].says[0]}")
        for form in FORMS
        for presses in form.refused
    ],
)
def test_mistake_in_the_match_form_is_rejected_and_nothing_is_stored(
    form: Form, match: Match, writer: Client, presses: tuple[Press, ...]
) -> None:
    before = untouched(match)
    form.press(writer, match, *presses)
    assert untouched(match) == before


@pytest.mark.slow
def test_outdated_match_form_stores_nothing(form: Form, match: Match, writer: Client) -> None:
    seen = str(match.version)
    form.press(writer, match, *form.begun)
    sent = {**form.more.fields, "do": form.more.do, "version": seen}
    page = writer.post(form.url(match), sent, follow=True).content.decode()
    assert (
        "Someone has changed this match since you opened the page. Check it again before you "
        "continue." in page
    )
    match.refresh_from_db()
    assert form.parts(match.draft) == 1


def test_match_form_of_a_private_league_is_not_found_by_strangers(form: Form, match: Match) -> None:
    set_visibility(League.Visibility.PRIVATE)
    for client in (browser(account("stranger")), Client()):
        for address in (form.url(match), reverse(form.paper, args=[match.pk])):
            assert client.get(address).status_code == 404
        assert client.post(form.url(match), {"do": "send"}).status_code == 404


@pytest.mark.slow
def test_strangers_cannot_enter_a_result_in_a_public_league(form: Form, match: Match) -> None:
    set_visibility(League.Visibility.PUBLIC)
    before = untouched(match)
    sent = Press(
        form.whole[-1].do,
        form.whole[-1].fields,
        ("Only a player in this match or a scorer of the league can enter the result.",),
    )
    form.press(browser(account("stranger")), match, sent)
    assert untouched(match) == before


@pytest.mark.slow
def test_match_is_not_found_under_another_game(form: Form, match: Match, writer: Client) -> None:
    for other in FORMS:
        there = 200 if other is form else 404
        assert writer.get(other.url(match)).status_code == there, other.game


@pytest.mark.parametrize("pk", MISSING)
def test_unknown_match_is_not_found(form: Form, pk: str, db: None) -> None:
    for name in (games[form.game].hand_in, form.paper):
        there = reverse(name, args=[1]).replace("/1/", f"/{pk}/")
        assert Client().get(there).status_code == 404, there


def test_closed_league_opens_no_match(
    form: Form, match: Match, people: list[Player], writer: Client
) -> None:
    League.objects.update(closed_at=timezone.now())
    sent = {f"seat-{number}": one.pk for number, one in enumerate(people)}
    page = writer.post("/leagues/thursday-league/match/", sent)
    assert (page.status_code, Match.objects.count()) == (422, 1)
    assert "The league is closed." in page.content.decode()


@pytest.mark.slow
def test_player_outside_the_league_cannot_have_a_seat(
    form: Form, boss: Player, people: list[Player], writer: Client
) -> None:
    form.league(boss, *people)
    stranger = account("stranger")
    seats = {f"seat-{number}": one.pk for number, one in enumerate(people)}
    there = "/leagues/thursday-league/match/"
    for wrong in ({**seats, "seat-1": stranger.pk}, {**seats, "seat-1": "x"}, {"seat-0": "1"}):
        answer = writer.post(there, wrong)
        assert (answer.status_code, Match.objects.count()) == (422, 0)
    twice = writer.post(there, {**seats, "seat-1": people[0].pk})
    assert "has two seats in this match." in twice.content.decode()
    assert writer.post(there, seats).status_code == 302


@pytest.mark.slow
def test_key_of_a_match_gives_access_to_its_form_and_scoresheet(form: Form, match: Match) -> None:
    client = Client()
    assert client.get("/matches/key/nothing/").status_code == 404
    assert client.get(form.url(match)).status_code == 404
    page = client.get(f"/matches/key/{match.key}/", follow=True)
    assert page.status_code == 200
    paper = client.get(reverse(form.paper, args=[match.pk])).content.decode()
    assert 'class="qr"' in paper


@pytest.mark.slow
def test_key_of_a_match_is_shown_only_to_its_players(
    form: Form, match: Match, other: Client
) -> None:
    """Anybody can see a match of a public league and print its scoresheet, but without
    the QR code.
    """
    set_visibility(League.Visibility.PUBLIC)
    code = qr(f"http://testserver{reverse('match_key', args=[match.key])}")
    for client, is_player in ((other, True), (browser(account("stranger")), False)):
        paper = client.get(reverse(form.paper, args=[match.pk])).content.decode()
        assert (code in paper) is is_player
        assert match.key not in form.page(client, match)


@pytest.mark.slow
def test_htmx_request_returns_a_fragment_and_keeps_typed_values(
    form: Form, match: Match, writer: Client
) -> None:
    """An htmx request gets only the fragment of the form."""
    before = untouched(match)
    sent = {**form.live.fields, "do": form.live.do, "version": str(match.version)}
    answer = writer.post(form.url(match), sent, headers={"HX-Request": "true"})
    text = answer.content.decode()
    assert answer.status_code == 200
    assert FRAGMENT.match(text)
    assert "<html" not in text
    assert form.live.says[0] in text
    assert form.kept in form.page(writer, match)
    assert untouched(match) == before


@pytest.mark.slow
def test_htmx_preview_executes_no_button(form: Form, match: Match, writer: Client) -> None:
    """When the focus is on a button, the request contains its name. Nothing must be stored."""
    for press in (*form.whole, *form.begun, form.more, Press("rewrite")):
        before = untouched(match)
        sent = {"do": press.do, "version": str(match.version), **press.fields}
        answer = writer.post(form.url(match), sent, headers=PREVIEW)
        assert (answer.status_code, untouched(match)) == (200, before), press.do
        assert FRAGMENT.match(answer.content.decode()), press.do
    page = form.press(writer, match, *form.whole)
    assert "Awaiting confirmation by a second player" in page


@pytest.mark.parametrize(
    ("form", "presses"),
    [
        pytest.param(form, presses, id=f"{form.game}-{presses[-1].says[0]}")
        for form in FORMS
        for presses in form.refused
        if presses[-1].fields and presses[-1].do in {"send", "points", "put"}
    ],
)
def test_htmx_preview_shows_errors_of_the_form(
    form: Form, match: Match, writer: Client, presses: tuple[Press, ...]
) -> None:
    form.press(writer, match, *presses[:-1])
    before, wrong = untouched(match), presses[-1]
    sent = {"do": wrong.do, "version": str(match.version), **wrong.fields}
    text = writer.post(form.url(match), sent, headers=PREVIEW).content.decode()
    assert FRAGMENT.match(text)
    assert wrong.says[0] in text
    assert untouched(match) == before


@pytest.mark.slow
def test_htmx_preview_rejected_for_strangers_says_why(form: Form, match: Match) -> None:
    set_visibility(League.Visibility.PUBLIC)
    before, stranger = untouched(match), browser(account("stranger"))
    for press in (form.live, form.whole[-1], Press("rewrite")):
        sent = {"do": press.do, "version": str(match.version), **press.fields}
        answer = stranger.post(form.url(match), sent, headers=PREVIEW)
        assert answer.status_code == 403
        assert "HX-Redirect" not in answer
        assert (
            "Only a player in this match or a scorer of the league can enter the result."
            in answer.content.decode()
        )
    assert untouched(match) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("state", "said"), [("void", "void"), ("handed_in", "awaiting confirmation")]
)
def test_form_of_a_match_voided_or_submitted_meanwhile_says_so(
    form: Form, match: Match, people: list[Player], state: str, said: str
) -> None:
    """The message must not claim that the players do not belong to the match."""
    Match.objects.filter(pk=match.pk).update(state=state, entered_by=people[0])
    other, press = browser(people[1]), form.whole[-1]
    sent = {"do": press.do, "version": str(match.version), **press.fields}
    sentence = f"You can’t do this with a match in the state “{said}”."
    assert sentence in other.post(form.url(match), sent, headers=PREVIEW).text
    assert sentence in other.post(form.url(match), sent, follow=True).text


@pytest.mark.slow
def test_match_form_takes_few_queries(
    form: Form,
    match: Match,
    writer: Client,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    form.press(writer, match, *form.begun)
    with django_assert_max_num_queries(20):
        writer.get(form.url(match))


@pytest.mark.slow
def test_match_opened_by_mistake_can_be_voided_from_its_form(
    form: Form, match: Match, boss: Player, writer: Client, other: Client
) -> None:
    address = f'action="/matches/{match.pk}/void/"'
    assert address in form.page(writer, match)
    assert address in form.page(browser(boss), match)
    # Nothing has been entered yet, but this player did not open the match.
    assert address not in form.page(other, match)
    sent = {"version": match.version, "reason": "\u00a0" + "we sat elsewhere " * 20}
    refused = writer.post(f"/matches/{match.pk}/void/", sent, follow=True).content.decode()
    assert "Use 300 characters at most." in refused
    assert "we sat elsewhere we sat elsewhere" in refused
    assert '<details class="in-more" open>' in refused
    page = writer.post(
        f"/matches/{match.pk}/void/",
        {"version": match.version, "reason": "we sat elsewhere"},
        follow=True,
    ).content.decode()
    assert "This match is void." in page
    match.refresh_from_db()
    assert (match.state, match.note) == ("void", "we sat elsewhere")


def test_rematch_is_opened_with_one_click(
    form: Form, sent: Match, people: list[Player], writer: Client
) -> None:
    page = writer.post(f"/matches/{sent.pk}/again/", follow=True).content.decode()
    assert form.heading in page
    again = Match.objects.exclude(pk=sent.pk).get()
    assert [seat.player for seat in again.seats.order_by("number")] == people
    # The other players are redirected to the same match.
    assert browser(people[1]).post(f"/matches/{sent.pk}/again/")["Location"] == form.url(again)


@pytest.mark.slow
def test_unconfirmed_scoresheet_can_be_submitted_again(
    form: Form, sent: Match, writer: Client
) -> None:
    assert form.submit_labels[0] in form.press(writer, sent, *form.correction[:-1])
    assert "Preview of the changes" not in form.press(writer, sent, form.correction[-1])
    assert sent.sheet is not None
    assert (sent.sheet.number, sent.sheet.points) == (2, form.corrected)


@pytest.mark.slow
def test_organiser_who_plays_sees_a_preview_of_a_correction(
    form: Form, confirmed: Match, people: list[Player], writer: Client
) -> None:
    Member.objects.filter(player=people[0]).update(role=Member.Role.ORGANISER)
    assert form.submit_labels[1] in form.press(writer, confirmed, *form.correction[:-1])
    assert "Preview of the changes" in form.press(writer, confirmed, form.correction[-1])
    assert "Confirmed" in form.press(writer, confirmed, Press("leave"))
    assert confirmed.sheet is not None
    assert (confirmed.sheet.number, confirmed.sheet.points) == (1, form.points)


def test_scoresheet_sent_twice_with_one_key_is_submitted_once(
    form: Form, match: Match, people: list[Player]
) -> None:
    user, now = people[0].user, timezone.now()
    assert user is not None
    _row, text = make_token(user=user, name="x", scope=Token.Scope.WRITE, at=now)
    asked = {"version": match.version, "content": form.sheet(match)}
    once = {"Idempotency-Key": "k"}
    first, again = (
        Program(text).post(f"matches/{match.pk}/sheet/", asked, **once) for _time in range(2)
    )
    assert first == again
    assert match.sheets.count() == 1
    assert not Result.objects.exists()


@pytest.mark.slow
def test_match_without_league_is_entered_without_an_account(form: Form, match: Match) -> None:
    phone, there, before = Client(), f"/matches/new/{form.game}/", Player.objects.count()
    one, two = (profile.key for profile in games[form.game].profiles[:2])
    sent = {"own": "Ana", "name-1": "Iker", "name-2": "", "profile": one}
    assert form.heading in phone.post(there, sent, follow=True).content.decode()
    found = Match.objects.exclude(pk=match.pk).get()
    assert [seat.player.name for seat in found.seats.all()] == ["Ana", "Iker"]
    assert phone.post(there, {"name-1": "iker", "profile": two}).status_code == 302
    assert Player.objects.count() == before + 2
    for wrong in ({"name-1": "", "profile": two}, {"name-1": "Iker", "profile": "chess"}):
        assert (phone.post(there, wrong).status_code, Match.objects.count()) == (422, 3)
    assert phone.get("/matches/new/chess/").status_code == 404
