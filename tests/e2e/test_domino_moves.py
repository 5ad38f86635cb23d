"""Moves at a dominoes table: made by click, keyboard, form or repeated request, each counts
once.
"""

from __future__ import annotations

import re
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.book import TableRows
from tests.e2e.conftest import DESK, PHONE, Visitor, moment
from tests.e2e.stream import cookies
from tests.e2e.table import (
    BETWEEN,
    MINE,
    THEIRS,
    choose,
    invitation,
    move_in_one_go,
    moves,
    next_hand,
    open_table,
    play_now,
    sit_down,
    standing,
    train,
    wait_for_moves,
    wait_for_script,
    wait_until_free,
    wait_while,
)
from tests.waiting import GLANCE, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Request, Response, Route, ViewportSize

    from tests.site import Site

HX = {"HX-Request": "true"}
# Minimum size in pixels of what a finger taps.
FINGER = 44
LATER = "before => Number(document.getElementById('stage').dataset.moment) > before"
STALE = "The table has changed since you opened the page. You now see its current state."


def a_choice(page: Page) -> None:
    """Play until it is the player's turn and two tiles fit, and choose one of them."""
    for _ in range(40):
        come_to_turn(page, script=True)
        if page.locator("#stage label.can-play").count() > 1:
            choose(page, page.locator("#stage label.can-play").first)
            return
        move_in_one_go(page)
    raise AssertionError("Nothing ever fits.")


def own(site: Site, page: Page) -> list[str]:
    """Return the moves of seat 0, which belongs to the creator of the table."""
    return [one.text for one in TableRows(site, page.url).made() if one.seat == 0]


def test_double_click_makes_one_move(visit: Visitor, site: Site) -> None:
    page = visit()
    play_now(page, "random", "Ana")
    a_choice(page)
    before, seen = own(site, page), moves(page)
    page.locator("#stage .dom-lay:visible").dblclick()
    wait_for_moves(page, seen + 2)  # the bot has answered
    assert len(own(site, page)) == len(before) + 1
    expect(page.locator("[role=alert]")).to_have_count(0)


def press_and_hold(page: Page) -> Route:
    """Press the button below the chosen tile, and hold its request back until the test releases
    it.
    """
    held: list[Route] = []
    page.route("**/move/", lambda route: held.append(route))  # noqa: PLW0108  it is given a mark
    with page.expect_request("**/move/"):
        page.locator("#stage .dom-lay:visible").click()
    while not held:
        page.wait_for_timeout(GLANCE * 1000)
    return held[0]


def test_two_moves_from_two_tabs_at_once_make_one_move(
    visit: Visitor, site: Site, complaints: list[str]
) -> None:
    """The tabs send different moves.

    One move is made, and the other tab shows that it came too late.
    """
    one = visit(viewport=DESK)
    play_now(one, "random", "Ana")
    a_choice(one)
    two = one.context.new_page()
    two.goto(one.url)
    choose(two, two.locator("#stage label.can-play").last)
    before, seen = own(site, one), moves(one)
    answers: list[int] = []
    for tab in (one, two):
        tab.on("response", lambda answer: note_answer(answers, answer))
    held = [press_and_hold(tab) for tab in (one, two)]
    for sent in held:
        sent.continue_()
    for tab in (one, two):
        wait_for_moves(tab, seen + 2)
        wait_until_free(tab)
    assert sorted(answers) == [200, 409]
    assert len(own(site, one)) == len(before) + 1
    wait_until(lambda: train(one) == train(two))
    complaints[:] = [said for said in complaints if "409" not in said]


def note_answer(answers: list[int], answer: Response) -> None:
    """Note the status code of the response to a move."""
    if answer.url.endswith("/move/"):
        answers.append(answer.status)


def test_repeated_request_gets_the_same_answer_and_makes_one_move(
    visit: Visitor, site: Site
) -> None:
    page = visit()
    play_now(page, "random", "Ana")
    a_choice(page)
    with page.expect_request("**/move/") as sent:
        page.locator("#stage .dom-lay:visible").click()
    wait_until_free(page)
    made = own(site, page)
    form, address = fields(sent.value), sent.value.url
    again = page.request.post(address, form=form, headers=HX)
    assert (again.status, STALE in again.text()) == (200, False)
    other = page.request.post(address, form=form | {"do": "pass"}, headers=HX)
    assert other.status == 409
    assert STALE in other.text()
    assert 'role="alert"' in other.text()
    assert own(site, page)[: len(made)] == made
    assert len(own(site, page)) == len(made)


def fields(request: Request) -> dict[str, str | float | bool]:
    """Return the fields of a multipart form request."""
    parts = (request.post_data or "").split('name="')[1:]
    split = (part.split('"', 1) for part in parts)
    return {name: rest.strip().split("\r\n")[0] for name, rest in split}


@pytest.mark.parametrize("first", ["the feed", "the answer"])
@pytest.mark.parametrize("known", [True, False], ids=["old cookie", "no cookie"])
def test_new_player_sees_their_own_seat_whichever_response_comes_first(
    visit: Visitor, first: str, known: bool
) -> None:
    """The feed announces the player at once, when the browser may not have the new guest's
    cookie yet.
    """
    host, guest = visit(), visit()
    open_table(host, "rulebook", name="Ana")
    guest.goto(invitation(host))
    wait_for_script(guest)
    before, cookie = moment(guest), cookies(guest) if known else ""

    def as_before(route: Route) -> None:
        if first == "the answer":
            guest.locator("#stage .is-you").wait_for()
        headers = route.request.headers | {"cookie": cookie}
        route.fulfill(response=route.fetch(headers=headers))

    def in_time(route: Route) -> None:
        answer = route.fetch()
        if first == "the feed":
            guest.wait_for_function(LATER, arg=before)
        route.fulfill(response=answer)

    guest.route(guest.url, as_before)
    guest.route("**/sit/", in_time)
    sit_down(guest, "Blas")
    guest.unroute_all(behavior="wait")
    expect(guest.locator("#stage .is-you")).to_have_count(1)
    guest.reload()
    expect(guest.locator("#stage .is-you")).to_have_count(1)


def test_move_can_be_made_without_scripts(visit: Visitor, site: Site) -> None:
    page = visit(java_script_enabled=False)
    page.goto("/dominoes/")
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(re.compile(r"/tables/\d+/$"))
    for _ in range(3):
        wait_for_turn(page)
        before, made = moves(page), len(own(site, page))
        move_without_script(page)
        assert moves(page) > before
        assert len(own(site, page)) == made + 1
    assert train(page)


SEEN_AT_ONCE = "#stage .dom-train, #stage .dom-held, #stage .dom-lay, #stage .dom-do :enabled"
# The controls for a move: a tile that fits, otherwise draw or pass.
BEGINS = "#stage .dom-pick, #stage .dom-do button"


def focused(page: Page) -> bool:
    """Return whether the first control for a move has the focus."""
    first: bool = page.evaluate(
        """selector => {
            const all = [...document.querySelectorAll(selector)].filter(one => !one.disabled);
            const here = document.activeElement;
            return here.matches("input") ? here === all[0] : all.includes(here);
        }""",
        BEGINS,
    )
    return first


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_train_tiles_and_buttons_fit_on_one_screen(visit: Visitor, viewport: ViewportSize) -> None:
    """Check it with a chosen tile and when no tile fits.

    Many tiles need two rows, which need not fit.
    """
    page = visit(viewport=viewport)
    play_now(page, "random", "Ana")
    looked_at: set[bool] = set()
    while len(looked_at) < 2:
        if wait_while(page, THEIRS) == BETWEEN:
            next_hand(page)
            wait_while(page, BETWEEN)
            continue
        fitting = page.locator("#stage label.can-play")
        if len(train(page)) > 2 and not page.locator("#stage .is-crowded").count():
            looked_at.add(fitting.count() > 0)
            if fitting.count():
                fitting.first.click()
            page.evaluate("scrollTo(0, 0)")
            lowest = page.locator(SEEN_AT_ONCE).evaluate_all(
                "all => Math.max(...all.map(one => one.getBoundingClientRect().bottom))"
            )
            assert lowest <= viewport["height"]
        move_in_one_go(page)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_focus_is_on_the_next_control_after_a_move(visit: Visitor, script: bool) -> None:
    page = visit(viewport=DESK, java_script_enabled=script)
    sit_down_to_play(page)
    for _ in range(4):
        come_to_turn(page, script)
        press_by_keyboard(page, script)
    come_to_turn(page, script)
    assert focused(page)


def come_to_turn(page: Page, script: bool) -> None:
    """Wait or reload until it is the player's turn, and continue if a hand ends early."""
    if not script:
        wait_for_turn(page)
        return
    while wait_while(page, THEIRS) == BETWEEN:
        next_hand(page)
        wait_while(page, BETWEEN)
    assert standing(page) == MINE


def press_by_keyboard(page: Page, script: bool) -> None:
    """Lay the first tile that fits, else draw or pass, starting from the focused element."""
    if not focused(page):  # the first move
        page.locator(BEGINS).and_(page.locator(":enabled")).first.focus()
    if page.evaluate("document.activeElement.matches('input')"):
        page.keyboard.press("Space")
    with answered(page, script):
        page.keyboard.press("Enter")


@contextmanager
def answered(page: Page, script: bool) -> Iterator[None]:
    """Wait until a move made in the block has been answered; without scripts, by a new page."""
    before = moves(page)
    with nullcontext() if script else page.expect_navigation():
        yield
    wait_for_moves(page, before + 1)


def sit_down_to_play(page: Page) -> None:
    page.goto("/dominoes/")
    page.get_by_label("Your name").fill("Ana")
    page.get_by_label("Opponent").select_option("random")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(re.compile(r"/tables/\d+/$"))


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("by", ["tap", "key"])
def test_tapping_an_end_of_the_train_lays_the_chosen_tile(
    visit: Visitor, site: Site, script: bool, by: str
) -> None:
    page = visit(java_script_enabled=script)
    sit_down_to_play(page)
    while True:
        come_to_turn(page, script)
        ends = page.locator("#stage .dom-tap")
        if ends.count() and page.locator("#stage label.can-play").count():
            break
        press_by_keyboard(page, script)
    choose(page, page.locator("#stage label.can-play").first)
    way = page.locator("#stage .dom-way:visible input:checked").get_attribute("value") or ""
    end = page.locator(f"#stage .dom-tap[value={'left' if way.startswith('<') else 'right'}]")
    expect(end).to_have_accessible_name(re.compile("^Play the chosen tile at the"))
    made = own(site, page)
    assert (end.bounding_box() or {"height": 0})["height"] >= FINGER
    with answered(page, script):
        end.click() if by == "tap" else end.press("Enter")
    assert own(site, page)[len(made)] == way


def wait_for_turn(page: Page) -> None:
    """Reload the page until it is the player's turn."""

    def look() -> bool:
        page.reload()
        return page.locator("#stage[data-mine]").count() > 0

    wait_until(look, "The bot does not move.")


def move_without_script(page: Page) -> None:
    """Make a move with the buttons and radio fields of the page only."""
    fitting = page.locator("#stage label.can-play")
    if fitting.count():
        choose(page, fitting.first)
        button = page.locator("#stage .dom-lay:visible")
    else:
        button = page.locator("#stage .dom-do button:enabled").first
    with page.expect_navigation():
        button.click()


def test_move_can_be_made_with_the_keyboard_alone(visit: Visitor, site: Site) -> None:
    page = visit(viewport=DESK)
    play_now(page, "random", "Ana")
    a_choice(page)
    before, seen = own(site, page), moves(page)
    tab_to(page, "input[name=tile]")
    page.keyboard.press("ArrowRight")  # to the next tile that fits
    chosen = page.locator("input[name=tile]:checked").get_attribute("value")
    tab_to(page, ".dom-way input")
    page.keyboard.press("Space")
    tab_to(page, ".dom-lay")
    page.keyboard.press("Enter")
    wait_for_moves(page, seen + 1)
    assert len(own(site, page)) == len(before) + 1
    expect(page.locator(f"#tile-{chosen}")).to_have_count(0)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element matching the selector has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never comes to {selector}.")
