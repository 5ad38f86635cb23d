"""Forms filled in with the keyboard save nothing before their button is pressed."""

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
from tests.e2e.conftest import DESK, sweep
from tests.security.scene import Scene, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page
    from pytest_django.live_server_helper import LiveServer

# Number of pages of one kind that are searched for forms. Two leagues may have different forms.
ALIKE = 4
# Presses of the Tab key that reach beyond the end of the longest form.
MOST_TABS = 400
# For each game, an entry form whose fields all accept the number seven, with the button that saves
# it.
BUTTONS = {
    "dominoes": ("input_mode:left", "send"),
    "eltoro": ("input_mode:points", "points"),
    "indulto": ("input_mode:cards", "typed"),
}
# Buttons that choose between the entry forms of a match.
WAYS = "button[name=do][value^='input_mode:']"

# JavaScript that returns the first field of a form that can have the focus.
FIRST = """form => [...form.elements].find((one) =>
    one.matches("input:not([type=hidden], [type=file]), select, textarea") &&
    !one.disabled && one.tabIndex >= 0 && one.checkVisibility({visibilityProperty: true}))"""

# JavaScript that counts the changed fields, and those sent with the last preview.
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
ANSWERED = "() => window.answered === window.changed"

# JavaScript that returns the focused field of a form, or null if the focus has left the form.
FOCUSED = """form => {
    const here = document.activeElement;
    if (!form.isConnected || here.form !== form && !form.contains(here)) return null;
    const typed = here.matches("input, button");
    return {kind: typed ? here.type : here.localName, name: here.name || ""};
}"""


class Form(NamedTuple):
    """A form that the site accepts, identified by its address and its fields."""

    action: str
    fields: tuple[str, ...]


class PageLinks(HTMLParser):
    """Parser for the links of a page and for its forms with visible fields."""

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
    """Return the URL pattern of an address, which all leagues share, for example; empty if
    there is none.
    """
    try:
        return resolve(urlsplit(address).path).route
    except Resolver404:
        return ""


def pages_with_forms(client: Client) -> list[str]:
    """Return addresses with all forms that this user can reach by links."""
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
    """Return all rows of the database by table, without sessions."""
    with closing(connection.cursor()) as cursor:
        tables = {*connection.introspection.table_names(cursor)} - {"django_session"}
        return {
            table: sorted(cursor.execute(f'SELECT * FROM "{table}"').fetchall(), key=repr)
            for table in tables
        }


@pytest.fixture
def scene(live_server: LiveServer) -> Scene:
    """Objects of every kind."""
    return set_up()


@pytest.fixture
def enter(browser: Browser, live_server: LiveServer, scene: Scene) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a browser of the user with a role."""
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
    """Change the focused field with the keyboard only, but press no button."""
    if kind in {"checkbox", "radio"}:
        page.keyboard.press("Space")
    elif kind == "select":
        page.keyboard.press("ArrowDown")
    elif kind not in {"button", "submit", "reset", "a", "file", "summary"}:
        page.keyboard.press("Control+A")
        page.keyboard.type(text)


def fill_by_tab(page: Page, form: Locator, text: str, *, slowly: bool) -> set[str]:
    """Fill in a form from its first field to beyond its last button, and return the names of the
    fields.

    `slowly` waits for the referee's answer before the next field. Otherwise the test only waits
    before it leaves a button.
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
    """Return the forms of a page that change something and have a field that can be focused."""
    page.goto(address)
    page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true; })")
    forms = page.locator("form[method=post]").all()
    return [form for form in forms if form.evaluate(f"form => Boolean(({FIRST})(form))")]


def expect_one_page(page: Page) -> None:
    """Check that the page does not contain another page and is not wider than its window."""
    for part in ("header.bar", "main", "h1", "footer.foot"):
        expect(page.locator(part)).to_have_count(1)
    wide: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def fill_in_all(page: Page, address: str, text: str, *, slowly: bool) -> int:
    """Fill in every form of a page, check that nothing was saved, and return the number of
    fields.
    """
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
    """Return the address of the entry form of a match in this game."""
    key = {"dominoes": "match", "eltoro": "town", "indulto": "afternoon"}[game]
    return reverse(games[game].hand_in, args=[scene.keys[key]])


def choose(page: Page, address: str, way: str) -> None:
    """Choose one of the entry forms of a match."""
    page.goto(address)
    button = page.locator(f"button[value='{way}']")
    if page.locator("form[data-keep]", has=button).count():
        with page.expect_event("load"):  # a script reloads the page
            button.click()
    else:
        button.click()
    page.locator(f"button[value='{way}'][aria-pressed=true]").wait_for()


@pytest.mark.parametrize("game", sweep(BUTTONS, "dominoes"))
def test_match_form_saves_only_when_its_button_is_pressed(
    enter: Callable[..., Page], scene: Scene, game: str
) -> None:
    page, address = enter("player"), hand_in(scene, game)
    page.goto(address)
    for way in page.locator(WAYS).evaluate_all("all => all.map(one => one.value)"):
        choose(page, address, way)
        for text, slowly in (("7", False), ("8", True), ("x", False)):
            fields = fill_in_all(page, address, text, slowly=slowly)
            assert fields or way == "input_mode:moves", way  # moves are made by buttons alone
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
