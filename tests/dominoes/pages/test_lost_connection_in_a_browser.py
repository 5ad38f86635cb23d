"""Pages show that the connection is lost, store what the user sends, and send it exactly once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from dominoes.engine import Move, MoveKind, Rules
from leagues.models import Match, Player, Table
from leagues.tables.operations import moves as table_moves
from tests.browser import new_context
from tests.e2e.table import IN_ONE_GO
from tests.factories import account, guest
from tests.factories import browser as signed_in
from tests.leagues.pages.matches.games import DOMINOES, fields
from tests.leagues.pages.tables.seats import begun_table, form_of, legal
from tests.leagues.pages.tables.seats import page as table_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.django_db(transaction=True)

Open = Callable[[Player, str], "Page"]


@pytest.fixture
def ana() -> Player:
    return account("ana")


@pytest.fixture
def blas() -> Player:
    return account("blas")


@pytest.fixture
def match(ana: Player, blas: Player) -> Match:
    rules = Rules(hand_size=2, boneyard="pass", target=50)
    return DOMINOES.open(DOMINOES.league(ana, ana, blas, rules=rules.options()), [ana, blas])


@pytest.fixture(params=[390, pytest.param(1280, marks=pytest.mark.nightly)])
def visit(
    browser: Browser, live_server: LiveServer, request: pytest.FixtureRequest
) -> Iterator[Open]:
    """Return a function that opens a page in the browser of a player."""
    opened = []

    def arrive(player: Player, address: str) -> Page:
        context = new_context(
            browser,
            base_url=live_server.url,
            locale="en-GB",
            viewport={"width": request.param, "height": 844},
        )
        opened.append(context)
        session = signed_in(player).cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.goto(address)
        return page

    yield arrive
    for context in opened:
        context.close()


def write_hand(page: Page, pips: str) -> None:
    """Enter a hand in which ana goes out and blas is left with these pips."""
    page.locator("input[name=out][value='0']").check(force=True)
    page.get_by_label("Pips left in blas’s hand").fill(pips)


def write_judged_hand(page: Page, pips: str) -> None:
    """Enter a hand and wait for the referee's answer.

    The answer replaces the button, and a click during the replacement may be lost.
    """
    write_hand(page, pips)
    expect(page.locator("#answer")).to_contain_text(f"blas: {pips} pips.")


def hands(match: Match) -> list[Any]:
    match.refresh_from_db()
    return list((match.draft or {}).get("hands", []))


def test_hand_submitted_offline_is_sent_when_the_connection_is_back(
    visit: Open, match: Match, ana: Player
) -> None:
    page = visit(ana, DOMINOES.url(match))
    status = page.locator("#connection")
    expect(status).to_have_text("")
    page.context.set_offline(True)
    expect(status).to_contain_text("There is no connection to the site.")
    assert status.get_attribute("role") == "status"
    write_hand(page, "11")
    page.get_by_role("button", name="Submit hand").click()
    expect(status).to_contain_text("What you sent is kept")
    assert page.get_by_label("Pips left in blas’s hand").input_value() == "11"
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert hands(match) == []
    page.context.set_offline(False)
    page.get_by_text("The hand has been saved.").wait_for()
    assert [hand["held"][1] for hand in hands(match)] == [{"pips": 11}]
    assert page.get_by_label("Pips left in blas’s hand").input_value() == ""


def test_discarded_submission_stays_in_the_form_and_is_not_sent(
    visit: Open, match: Match, ana: Player
) -> None:
    page = visit(ana, DOMINOES.url(match))
    page.context.set_offline(True)
    write_hand(page, "11")
    page.get_by_role("button", name="Submit hand").click()
    page.get_by_role("button", name="Discard what I entered").click()
    expect(page.locator("#connection")).to_contain_text("stays on this page")
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_contain_text("The connection is back.")
    page.get_by_label("Pips left in blas’s hand").fill("12")
    page.locator("#answer").get_by_text("12 points").first.wait_for()
    assert hands(match) == []
    page.get_by_role("button", name="Submit hand").click()
    page.get_by_text("The hand has been saved.").wait_for()
    assert [hand["held"][1] for hand in hands(match)] == [{"pips": 12}]


@pytest.mark.parametrize("status", [502, 503, 429])
def test_submission_is_repeated_while_the_site_is_briefly_unavailable(
    visit: Open, match: Match, ana: Player, status: int
) -> None:
    page = visit(ana, DOMINOES.url(match))
    answers = [status, status]

    def fail(route: Route) -> None:
        if route.request.headers.get("x-attempt") and answers:
            route.fulfill(status=answers.pop(), body="<h1>Bad Gateway</h1>")
        else:
            route.continue_()

    page.route(f"**{DOMINOES.url(match)}", fail)
    write_judged_hand(page, "11")
    page.get_by_role("button", name="Submit hand").click()
    expect(page.locator("#connection")).to_contain_text("What you sent is kept")
    page.get_by_text("The hand has been saved.").wait_for()
    assert answers == []
    assert len(hands(match)) == 1


def test_server_error_leaves_the_form_unchanged_until_it_is_sent_again(
    visit: Open, match: Match, ana: Player
) -> None:
    page = visit(ana, DOMINOES.url(match))
    failing = [True]

    def fail(route: Route) -> None:
        if route.request.headers.get("x-attempt") and failing:
            route.fulfill(status=500, body="<h1>Error</h1>")
        else:
            route.continue_()

    page.route(f"**{DOMINOES.url(match)}", fail)
    write_judged_hand(page, "11")
    page.get_by_role("button", name="Submit hand").click()
    expect(page.locator("#connection")).to_contain_text("An error occurred on the site.")
    assert page.get_by_label("Pips left in blas’s hand").input_value() == "11"
    failing.clear()
    page.get_by_role("button", name="Send again now").click()
    page.get_by_text("The hand has been saved.").wait_for()


def test_hand_is_saved_once_if_the_answer_of_the_site_was_lost(
    visit: Open, match: Match, ana: Player
) -> None:
    page = visit(ana, DOMINOES.url(match))
    lost = [True]

    def lose_answer(route: Route) -> None:
        if route.request.headers.get("x-attempt") and lost:
            lost.pop()
            route.fetch(max_redirects=0)  # the site has received it
            route.abort()
        else:
            route.continue_()

    page.route(f"**{DOMINOES.url(match)}", lose_answer)
    write_judged_hand(page, "11")
    page.get_by_role("button", name="Submit hand").click()
    page.get_by_text("The hand has been saved.").wait_for()
    expect(page.get_by_text("changed")).to_have_count(0)
    assert [hand["held"][1] for hand in hands(match)] == [{"pips": 11}]


def test_signed_out_player_can_sign_in_again_and_resend_the_hand(
    visit: Open, match: Match, ana: Player, live_server: LiveServer
) -> None:
    page = visit(ana, DOMINOES.url(match))
    write_judged_hand(page, "11")
    page.locator("#answer").get_by_text("11 points").first.wait_for()
    Session.objects.all().delete()
    page.get_by_role("button", name="Submit hand").click()
    expect(page.locator("#connection")).to_contain_text("sign in again in a new tab")
    assert page.get_by_label("Pips left in blas’s hand").input_value() == "11"
    assert hands(match) == []
    session = signed_in(ana).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.context.clear_cookies(name="csrftoken")  # signing in replaces the CSRF token
    page.get_by_role("button", name="Send again now").click()
    page.get_by_text("The hand has been saved.").wait_for()
    assert len(hands(match)) == 1


@pytest.mark.parametrize("person", [account, guest])
def test_request_repeated_with_the_same_attempt_id_is_performed_once(
    person: Callable[[str], Player],
) -> None:
    ana, olga = person("ana"), account("olga")
    rules = Rules(hand_size=2, boneyard="pass", target=50)
    match = DOMINOES.open(DOMINOES.league(olga, ana, olga, rules=rules.options()), [ana, olga])
    client: Client = signed_in(ana)
    sent = fields(out="0", pips_1="6") | {"do": "send", "version": str(match.version)}
    headers = {"HX-Request": "true", "X-Attempt": "abc"}
    answers = [client.post(DOMINOES.url(match), sent, headers=headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [204, 204]
    assert answers[0]["HX-Redirect"] == answers[1]["HX-Redirect"]
    assert len(hands(match)) == 1
    page = client.get(DOMINOES.url(match)).content.decode()
    assert "The hand has been saved." in page
    sent["version"] = str(match.version)
    client.post(DOMINOES.url(match), sent, headers=headers | {"X-Attempt": "abd"})
    assert len(hands(match)) == 2


def my_turn(table: Table) -> Player:
    table.refresh_from_db()
    assert table.turn is not None
    player = table.seats.get(number=table.turn).player
    assert player is not None
    return player


def test_move_made_offline_is_sent_when_the_connection_is_back(
    visit: Open, ana: Player, blas: Player
) -> None:
    table = begun_table(ana, blas)
    page = visit(my_turn(table), table_page(table))
    page.locator("#table.is-scripted").wait_for()
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_contain_text("There is no connection to the site.")
    page.evaluate(IN_ONE_GO, False)
    expect(page.locator("#connection")).to_contain_text("What you sent is kept")
    table.refresh_from_db()
    assert table.moves_made == 0
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.context.set_offline(False)
    expect(page.locator("#stage")).not_to_have_attribute("data-mine", "")
    expect(page.locator("#connection")).not_to_contain_text("kept")
    table.refresh_from_db()
    assert table.moves_made == 1


HIDDEN = """() => {
    Object.defineProperty(document, "hidden", { get: () => true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_title_of_a_hidden_game_table_page_marks_the_players_turn(
    visit: Open, ana: Player, blas: Player
) -> None:
    """A hidden page has no live updates, so it requests the state at intervals."""
    table = begun_table(ana, blas)
    first = my_turn(table)
    page = visit(blas if first == ana else ana, table_page(table))
    page.clock.install()
    page.reload()
    page.locator("#table.is-scripted").wait_for()
    page.evaluate(HIDDEN)
    assert not page.title().startswith("●")
    while my_turn(table) == first:
        play(table, legal(table)[0])
    page.clock.fast_forward(20_000)
    expect(page).to_have_title(re.compile("^● "))


def play(table: Table, move: Move) -> None:
    player = my_turn(table)
    sent = form_of(move, table.moves_made)
    table_moves.make_move(
        table_id=table.pk, player=player, seen=table.moves_made, fields=sent, at=timezone.now()
    )


def with_a_choice(*players: Player) -> Table:
    """Return a table at which two different tiles can be played.

    Deals are random, and in some hands this never happens, so up to ten hands are tried.
    """
    for _deal in range(10):
        table = begun_table(*players)
        while table.turn is not None:
            if len({move.tile for move in legal(table) if move.kind is MoveKind.PLAY}) > 1:
                return table
            play(table, legal(table)[0])
            table.refresh_from_db()
    raise AssertionError("nobody ever has a choice")


def test_move_sent_too_late_after_a_lost_connection_is_rejected_with_a_message(
    visit: Open, ana: Player, blas: Player
) -> None:
    table = with_a_choice(ana, blas)
    page = visit(my_turn(table), table_page(table))
    chosen = page.locator("label.can-play").first.get_attribute("for")
    page.context.set_offline(True)
    page.evaluate(IN_ONE_GO, False)
    expect(page.locator("#connection")).to_contain_text("What you sent is kept")
    other = next(
        move
        for move in legal(table)
        if move.kind is MoveKind.PLAY and chosen != f"tile-{move.tile}"
    )
    play(table, other)  # the same player, on another device
    before = Table.objects.get(pk=table.pk).moves_made
    page.context.set_offline(False)
    expect(page.locator(".tab-note.is-stale")).to_contain_text("The table has changed")
    expect(page.locator("#connection")).not_to_contain_text("kept")
    assert Table.objects.get(pk=table.pk).moves_made == before
