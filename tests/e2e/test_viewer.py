"""Controls of the live viewer: pause, step, back, next score, faster, live, in both languages."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import new_context
from tests.e2e.clock import set_clock
from tests.e2e.club import submit
from tests.e2e.conftest import (
    Visitor,
    moment,
    put_on_air,
    record,
    sweep,
    take_the_chair,
    wait_for_stage,
)
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PACE_MS = 600
UNDER_A_THUMB = 44
# Number of cards drawn before the controls are used.
ENOUGH = 30


@pytest.fixture(scope="module")
def on_air(browser: Browser, site: Site) -> str:
    """The path of a corrida on air, on the shared site."""
    context = new_context(browser, base_url=site.url, locale="en-GB")
    page = context.new_page()
    take_the_chair(page)
    address = put_on_air(page, PACE_MS)
    wait_for_stage(page, address)
    context.close()
    return address


@pytest.fixture
def corrida(on_air: str, site: Site) -> str:
    """The same corrida, in each test some cards into its broadcast and far from its end."""
    set_clock(site, on_air, since=(ENOUGH + 2) * PACE_MS / 1000)
    return on_air


def wait_until(page: Page, what: str) -> None:
    """Wait for a condition on the data attributes of the page."""
    page.wait_for_function(
        "() => { const stage = document.getElementById('stage').dataset;"
        " const viewer = document.getElementById('viewer').dataset;"
        f" return {what}; }}"
    )


def live(page: Page, corrida: str) -> Page:
    page.goto(corrida)
    page.locator("#viewer.is-scripted[data-mode=live]").wait_for()
    return page


def key(page: Page, name: str) -> None:
    page.locator(f"[data-key={name}]").click()


def stop(page: Page) -> int:
    """Press Pause, and return the moment at which the picture stopped.

    Back also pauses, but its card may have to be loaded first, and the picture then changes after
    the mode.
    """
    key(page, "pause")
    wait_until(page, "viewer.mode === 'pause'")
    return moment(page)


def test_viewer_who_joins_late_sees_the_present_and_the_past(visit: Visitor, corrida: str) -> None:
    page = live(visit(), corrida)
    began = moment(page)
    assert began >= ENOUGH
    wait_until(page, f"stage.moment >= {began + 3}")
    told = record(page)
    assert int(told["received"]) == int(told["last"]) - int(told["first"]) + 1
    page.goto(f"{corrida}1/1/")
    assert moment(page) == 3  # the paseíllo, the bull, his first card
    assert record(page)["mode"] == "pause"


def test_pause_stops_the_picture_and_live_resumes(visit: Visitor, corrida: str) -> None:
    page = live(visit(), corrida)
    key(page, "pause")
    stood = moment(page)
    wait_until(page, "viewer.behind >= 3")
    assert moment(page) == stood
    expect(page.locator("[data-key=pause]")).to_have_text("Play")
    key(page, "live")
    wait_until(page, "viewer.mode === 'live' && viewer.behind < 2")
    assert moment(page) > stood + 2


def test_finished_corrida_played_to_its_last_card_is_not_shown_as_live(visit: Visitor) -> None:
    page = visit()
    page.goto("/escalafon/")
    played = page.request.get("/api/v1/corridas/?state=posted").json()["results"]
    page.goto(f"/corridas/{played[0]['id']}/?to=end")
    page.locator("#viewer.is-scripted").wait_for()
    last = moment(page)
    for number in (1, 2):
        key(page, "back")
        wait_until(page, f"stage.moment == {last - number}")
    key(page, "pause")
    wait_until(page, f"viewer.mode === 'play' || stage.moment == {last}")
    wait_until(page, f"stage.moment == {last} && viewer.mode !== 'play'")
    assert record(page)["mode"] == "pause"
    expect(page.locator("[data-key=live]")).not_to_have_attribute("aria-current", "true")
    expect(page.locator("[data-key=live]")).to_contain_text("Result")


def test_step_and_back_move_by_one_card(visit: Visitor, corrida: str) -> None:
    page = live(visit(), corrida)
    here = stop(page)
    for _ in range(3):
        key(page, "back")
    wait_until(page, f"stage.moment == {here - 3}")
    key(page, "step")
    wait_until(page, f"stage.moment == {here - 2}")
    address = page.locator("#stage").get_attribute("data-here") or ""
    page.goto(address)  # the link of that card shows that card
    assert moment(page) == here - 2


AS_SENT = """async () => {
  const shut = (stage) => {
    stage.querySelectorAll('[open]').forEach((node) => node.removeAttribute('open'));
    stage.querySelectorAll('[data-keep]').forEach((node) => node.replaceChildren());
    return stage;
  };
  const shown = shut(document.getElementById('stage').cloneNode(true));
  const answer = await fetch(shown.dataset.here, { headers: { 'HX-Request': 'true' } });
  const sent = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return shown.isEqualNode(shut(sent.getElementById('stage')));
}"""


def test_new_card_changes_the_picture_and_closes_no_details(visit: Visitor, corrida: str) -> None:
    page = live(visit(), corrida)
    stop(page)
    opened = page.locator("#stage details").first
    opened.locator("summary").click()
    here = moment(page)
    for steps in range(1, 5):
        key(page, "back")
        wait_until(page, f"stage.moment == {here - steps}")
        assert page.evaluate(AS_SENT)
        expect(opened).to_have_attribute("open", "")


def test_keyboard_shortcuts_do_what_the_buttons_do(visit: Visitor, corrida: str) -> None:
    page = live(visit(), corrida)
    page.keyboard.press("Space")
    wait_until(page, "viewer.mode === 'pause'")
    here = moment(page)
    page.keyboard.press("ArrowLeft")
    wait_until(page, f"stage.moment == {here - 1}")
    page.keyboard.press("ArrowRight")
    wait_until(page, f"stage.moment == {here}")
    page.keyboard.press("f")
    wait_until(page, "viewer.mode !== 'pause'")
    page.keyboard.press("l")
    wait_until(page, "viewer.mode === 'live' && viewer.behind < 2")


def test_next_score_jumps_to_a_card_that_scores(visit: Visitor, corrida: str) -> None:
    page = live(visit(), corrida)
    page.goto(f"{corrida}1/0/")
    before, marks = moment(page), strokes(page)
    key(page, "score")
    wait_until(page, f"stage.moment > {before}")
    assert strokes(page) != marks


def strokes(page: Page) -> str:
    """Return the strokes written on the score sheet."""
    return page.locator(".co-sheet").first.inner_html()


def test_all_rapidly_pressed_keys_count(visit: Visitor, corrida: str) -> None:
    page = live(visit(), corrida)
    page.goto(f"{corrida}1/20/")
    began = moment(page)
    for _ in range(6):
        page.keyboard.press("ArrowLeft", delay=0)
    wait_until(page, f"stage.moment == {began - 6}")


def test_faster_catches_up_and_continues_live(visit: Visitor, corrida: str) -> None:
    page = live(visit(), corrida)
    page.keyboard.press("ArrowLeft")
    wait_until(page, "viewer.mode === 'pause' && viewer.behind > 2")
    key(page, "fast")
    assert record(page)["speed"] == "2"
    key(page, "fast")
    wait_until(page, "viewer.mode === 'live'")


def test_buttons_of_the_viewer_are_large_enough_for_a_thumb(visit: Visitor, corrida: str) -> None:
    page = live(visit(has_touch=True), corrida)
    for name in ("back", "pause", "step", "fast", "score", "live"):
        box = page.locator(f"[data-key={name}]").bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= UNDER_A_THUMB, name
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390


def test_same_cards_are_described_in_two_languages(visit: Visitor, corrida: str) -> None:
    english, spanish = visit(), visit(locale="es-ES")
    story = {}
    for page, language in ((english, "en"), (spanish, "es")):
        page.goto(f"{corrida}1/9/")
        expect(page.locator("html")).to_have_attribute("lang", language)
        story[language] = page.locator(".co-story li p").first.inner_text()
    assert story["en"] != story["es"]
    live(spanish, corrida)
    began = moment(spanish)
    wait_until(spanish, f"stage.moment > {began}")  # its own feed
    assert record(spanish)["feed"].startswith("/live/corrida-es/")
    submit(spanish, spanish.get_by_role("button", name="English"))
    expect(spanish.locator("html")).to_have_attribute("lang", "en")
    assert record(spanish)["feed"].startswith("/live/corrida-en/")


def test_links_step_through_the_cards_without_scripts(visit: Visitor, corrida: str) -> None:
    page = visit(java_script_enabled=False)
    page.goto(f"{corrida}1/3/")
    seen = [moment(page)]
    expect(page.get_by_role("link", name="Reload")).to_have_attribute("href", corrida)
    for name in ("Step", "Step", "Back", "Next score", "Faster"):
        submit(page, page.get_by_role("link", name=re.compile(f"^{name}$")))
        seen.append(moment(page))
    assert [b - a for a, b in itertools.pairwise(seen[:4])] == [1, 1, -1]
    assert seen[3] < seen[4] < seen[5]
    submit(page, page.get_by_role("link", name=re.compile("^(Live|Result)$")))
    assert moment(page) >= ENOUGH
    page.locator(".co-story li").first.wait_for()


@pytest.mark.parametrize(
    "way", sweep(["/", "/escalafon/", "/temporada/", "/glosario/", "/plazas/"], "/")
)
def test_broadcast_pages_work_without_scripts(visit: Visitor, way: str) -> None:
    page = visit(java_script_enabled=False)
    page.goto(way)
    assert page.locator("h1").inner_text().strip()
    assert page.locator("main a").count() > 3
