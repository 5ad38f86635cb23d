"""Every form filled in with the keyboard: nothing is saved before its button is pressed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import closing
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from playwright.sync_api import expect

from leagues.games import games
from tests.browser import new_context
from tests.e2e.conftest import DESK
from tests.security.scene import Scene, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page
    from pytest_django.live_server_helper import LiveServer

ALIKE = 4
"""Pages of one kind that are looked through for forms: two leagues may have different ones."""
MOST_TABS = 400
"""Stops of the Tab key in the longest form, and some more."""
BUTTONS = {
    "dominoes": ("way:left", "send"),
    "eltoro": ("way:points", "points"),
    "indulto": ("way:cards", "typed"),
}
"""By game, a way of which all fields may be sevens, and the button that writes it down."""
WAYS = "button[name=do][value^='way:']"
"""How a match is written down: each way has a form of its own."""

FIRST = """form => [...form.elements].find((one) =>
    one.matches("input:not([type=hidden], [type=file]), select, textarea") &&
    !one.disabled && one.tabIndex >= 0 && one.checkVisibility({visibilityProperty: true}))"""
"""The first field of a form that can be come to."""

COUNT_PREVIEWS = """() => {
    window.changed = 0;
    window.answered = 0;
    const asked = new WeakMap();
    document.addEventListener("change", (change) => {
        if (change.target.closest("[hx-trigger*=change]")) window.changed += 1;
    }, true);
    document.addEventListener("htmx:beforeSend", ({detail}) => {
        asked.set(detail.xhr, window.changed);
    });
    document.addEventListener("htmx:afterRequest", ({detail}) => {
        window.answered = asked.get(detail.xhr) ?? window.answered;
    });
}"""
"""Count the fields that were changed, and those that the last preview was asked about."""
ANSWERED = "() => window.answered === window.changed"

FOCUSED = """form => {
    const here = document.activeElement;
    if (!form.isConnected || here.form !== form && !form.contains(here)) return null;
    const typed = here.matches("input, button");
    return {kind: typed ? here.type : here.localName, name: here.name || ""};
}"""
"""What of a form has the focus; null where the focus has left it."""


class Form(NamedTuple):
    """A form that is sent to the site, and what it asks for: told apart by that."""

    action: str
    fields: tuple[str, ...]


class PageLinks(HTMLParser):
    """The links of a page, and its forms that change something and have fields to fill in."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.links: list[str] = []
        self.forms: list[Form] = []
        self._action: str | None = None
        self._fields: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" and given.get("href"):
            self.links.append(urljoin(self.address, given["href"] or ""))
        elif tag == "form" and (given.get("method") or "").lower() == "post":
            self._action, self._fields = urljoin(self.address, given.get("action") or ""), []
        elif tag in {"input", "select", "textarea"} and given.get("type") not in {"hidden", "file"}:
            self._fields.append(f"{tag} {given.get('type')} {given.get('name')}")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self._action is not None:
            if self._fields:
                self.forms.append(Form(kind(self._action), tuple(sorted({*self._fields}))))
            self._action = None


def kind(address: str) -> str:
    """The address as the site's map writes it: the same for all leagues, say; empty for none."""
    try:
        return resolve(urlsplit(address).path).route
    except Resolver404:
        return ""


def pages_with_forms(client: Client) -> list[str]:
    """Addresses on which every form stands that who asks can come to by links."""
    waiting, seen, known = deque(["/"]), {"/"}, set[Form]()
    visited, found = Counter[str](), list[str]()
    while waiting:
        address = waiting.popleft()
        visited[kind(address)] += 1
        if visited[kind(address)] > ALIKE:
            continue
        answer = client.get(address, follow=True)
        if answer.status_code != 200 or "text/html" not in answer["Content-Type"]:
            continue
        page = PageLinks(answer.request["PATH_INFO"])
        page.feed(answer.content.decode())
        if not known.issuperset(page.forms):
            known.update(page.forms)
            found.append(f"{page.address}?{answer.request['QUERY_STRING']}".removesuffix("?"))
        for link in page.links:
            here = urlsplit(link)
            way = here.path + (f"?{here.query}" if here.query else "")
            if not here.netloc and kind(here.path) and way not in seen:
                seen.add(way)
                waiting.append(way)
    return found


def contents() -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the site by table, but for what a browser has in its session."""
    with closing(connection.cursor()) as cursor:
        tables = {*connection.introspection.table_names(cursor)} - {"django_session"}
        return {
            table: sorted(cursor.execute(f'SELECT * FROM "{table}"').fetchall(), key=repr)
            for table in tables
        }


@pytest.fixture
def scene(live_server: LiveServer) -> Scene:
    """One of everything."""
    return set_up()


@pytest.fixture
def enter(browser: Browser, live_server: LiveServer, scene: Scene) -> Iterator[Callable[..., Page]]:
    """Open a browser of somebody who is signed in, by role."""
    opened = []

    def arrive(role: str) -> Page:
        context = new_context(browser, base_url=live_server.url, locale="en-GB", viewport=DESK)
        opened.append(context)
        session = scene.clients[role].cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        return context.new_page()

    yield arrive
    for context in opened:
        context.close()


def fill(page: Page, kind: str, text: str) -> None:
    """Give what has the focus another value, by the keys alone; a button is not pressed."""
    if kind in {"checkbox", "radio"}:
        page.keyboard.press("Space")
    elif kind == "select":
        page.keyboard.press("ArrowDown")
    elif kind not in {"button", "submit", "reset", "a", "file", "summary"}:
        page.keyboard.press("Control+A")
        page.keyboard.type(text)


def fill_by_tab(page: Page, form: Locator, text: str, *, slowly: bool) -> set[str]:
    """Fill a form in from its first field to beyond its last button; the names of the fields.

    Slowly: the referee answers to each field before the next is filled in; else before a button is
    left.
    """
    page.evaluate(COUNT_PREVIEWS)
    handle = form.element_handle()
    page.evaluate(f"form => ({FIRST})(form).focus()", handle)
    filled = set[str]()
    for _tab in range(MOST_TABS):
        here = page.evaluate(FOCUSED, handle)
        if here is None:
            break
        if slowly or here["kind"] == "submit":
            page.wait_for_function(ANSWERED)
        if here["name"] not in filled or here["kind"] == "checkbox":
            fill(page, here["kind"], text)
        filled.add(here["name"])
        page.keyboard.press("Tab")
    page.wait_for_function(ANSWERED)
    return filled


def forms_of(page: Page, address: str) -> list[Locator]:
    """The forms of a page that change something, with a field that can be come to."""
    page.goto(address)
    page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true; })")
    forms = page.locator("form[method=post]").all()
    return [form for form in forms if form.evaluate(f"form => Boolean(({FIRST})(form))")]


def expect_one_page(page: Page) -> None:
    """No page within the page, and nothing beside the window."""
    for part in ("header.bar", "main", "h1", "footer.foot"):
        expect(page.locator(part)).to_have_count(1)
    wide: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def fill_in_all(page: Page, address: str, text: str, *, slowly: bool) -> int:
    """Fill every form of a page in; how many fields there were. Nothing may come of it."""
    fields = 0
    for number in range(len(forms_of(page, address))):
        form = forms_of(page, address)[number]
        before, here = contents(), page.url
        fields += len(fill_by_tab(page, form, text, slowly=slowly))
        assert page.url == here
        assert contents() == before, address
        expect_one_page(page)
    return fields


def hand_in(scene: Scene, game: str) -> str:
    """The page on which a match of the game is written down."""
    key = {"dominoes": "match", "eltoro": "town", "indulto": "afternoon"}[game]
    return reverse(games[game].hand_in, args=[scene.keys[key]])


def choose(page: Page, address: str, way: str) -> None:
    """Write the match down in this way."""
    page.goto(address)
    button = page.locator(f"button[value='{way}']")
    if page.locator("form[data-keep]", has=button).count():
        with page.expect_event("load"):  # a script sends the form and loads the page anew
            button.click()
    else:
        button.click()
    page.locator(f"button[value='{way}'][aria-pressed=true]").wait_for()


@pytest.mark.parametrize("game", BUTTONS)
def test_a_match_is_saved_by_its_button_alone(
    enter: Callable[..., Page], scene: Scene, game: str
) -> None:
    page, address = enter("player"), hand_in(scene, game)
    page.goto(address)
    for way in page.locator(WAYS).evaluate_all("all => all.map(one => one.value)"):
        choose(page, address, way)
        for text, slowly in (("7", False), ("8", True), ("x", False)):
            fields = fill_in_all(page, address, text, slowly=slowly)
            assert fields or way == "way:moves", way  # moves are made by buttons alone
    way, button = BUTTONS[game]
    choose(page, address, way)
    before = contents()
    form = page.locator("form", has=page.locator(WAYS))
    fill_by_tab(page, form, "7", slowly=True)
    wanted = page.locator(f"button[value='{button}']")
    for _tab in range(MOST_TABS):
        if wanted.evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Shift+Tab")
    with page.expect_response(lambda said: said.request.headers.get("hx-target") != "answer"):
        page.keyboard.press("Enter")
    assert contents() != before


@pytest.mark.nightly
@pytest.mark.parametrize("role", ["player", "organiser", "director"])
def test_no_form_is_saved_before_its_button_is_pressed(
    enter: Callable[..., Page], scene: Scene, role: str
) -> None:
    page = enter(role)
    found = pages_with_forms(scene.clients[role])
    if role == "player":
        assert {hand_in(scene, game) for game in BUTTONS} <= {*found}
    for address in found:
        for text, slowly in (("7", False), ("8", True)):
            assert fill_in_all(page, address, text, slowly=slowly), address
