"""The director's pages in a browser: becoming the director, playing the season, choosing
carteles.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.club import press_button, submit
from tests.e2e.conftest import (
    Visitor,
    figures,
    moment,
    put_on_air,
    record,
    take_the_chair,
    wait_for_stage,
)
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


def play(page: Page, far: str) -> None:
    """Open the play menu and choose how far to play, even if a corrida is on air."""
    page.locator("#play summary").click()
    page.locator(f"#play button.d-way[value={far}], #play .dt button[value={far}]").click()
    agree(page)


def run_until(page: Page, day: str) -> None:
    page.keyboard.press("p")
    page.get_by_label("Play up to a date").fill(day)
    page.locator("#play .dt button").click()
    agree(page)


def agree(page: Page) -> None:
    """Confirm the question about posting a broadcast or hiring matadors, if the page asks."""
    asked = page.locator("#play .d-ask button.go")
    page.locator("#play-band [data-active]").or_(asked).first.wait_for()
    if asked.count():
        asked.click()
        page.locator("#play-band [data-run]").wait_for()


def first_day(page: Page) -> str:
    """Return the year of the season on the director's page."""
    found = re.search(r"\b(20\d\d)\b", page.locator(".d-where").inner_text())
    assert found
    return found[1]


def test_season_shows_its_progress_and_can_be_stopped(visit: Visitor) -> None:
    page = visit()
    take_the_chair(page)
    before = sum(figures(page).values())
    # The page as it looks after a cartel was announced.
    page.goto("/direccion/?announced=1")
    leads_on = page.get_by_role("link", name="Next open cartel")
    expect(leads_on).to_be_visible()
    year = first_day(page)
    left = page.locator(".d-where")
    waiting = left.inner_text()
    run_until(page, f"{year}-04-25")
    page.locator("#desk a").first.focus()  # the page is updated all the same
    told = watch_progress(page)
    expect(left).not_to_have_text(waiting)
    expect(page.locator("#desk a").first).to_be_focused()
    expect(leads_on).to_be_visible()
    assert told == sorted(told)
    expect(page.locator("#play-said")).to_contain_text("Done")
    assert sum(figures(page).values()) > before

    page.goto("/escalafon/")  # the control is on every page
    play(page, "end")
    page.locator("#play-band").get_by_role("button", name="Stop").click()
    page.locator("#play-band").get_by_text("Stopped").wait_for()
    played, total = corrida_counts(page)
    assert played < total
    page.locator("#play-band").get_by_role("button", name="Continue").wait_for()


def corrida_counts(page: Page) -> tuple[int, int]:
    """Return the numbers of corridas played and to be played, from the progress bar in the
    header.
    """
    bar = page.locator("#play-band progress")
    return int(bar.get_attribute("value") or 0), int(bar.get_attribute("max") or 0)


def watch_progress(page: Page) -> list[int]:
    """Return the numbers that the progress bar shows until the run is over, without reloading
    the page.
    """
    page.evaluate("window.stays = true")
    said: list[int] = []

    def over() -> bool:
        said.append(corrida_counts(page)[0])
        return not page.locator("#play-band [data-active]").count()

    wait_until(over, "The run does not end.")
    assert page.evaluate("window.stays")
    return said


def test_calendar_of_ferias_can_be_skipped_with_the_keyboard(visit: Visitor) -> None:
    page = visit()
    take_the_chair(page)
    page.goto("/direccion/")
    skip = page.get_by_role("link", name="Skip the calendar")
    page.locator(".d-tasks a").last.focus()
    page.keyboard.press("Tab")
    expect(skip).to_be_focused()
    box = skip.bounding_box()
    assert box
    assert box["height"] > 20  # visible while it has the focus
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".d-two :focus")).to_have_count(1)
    page.keyboard.press("Shift+Tab")  # the ferias can still be reached
    expect(page.locator(".d-ferias :focus")).to_have_count(1)


def test_preview_belongs_to_the_date_typed_last(visit: Visitor) -> None:
    """This must hold even if the answer to an earlier date arrives later."""
    page = visit()
    take_the_chair(page)
    year = first_day(page)
    near, far = f"{year}-04-10", f"{year}-09-10"
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route(f"**/*until={near}", hold)
    page.keyboard.press("p")
    until, count = page.get_by_label("Play up to a date"), page.locator("#play-until-count")
    with page.expect_request(f"**/*until={near}"):
        until.fill(near)
    with page.expect_response(f"**/*until={far}"):
        until.fill(far)
    expect(count).not_to_be_empty()
    shown = count.inner_text()
    with page.expect_response(f"**/*until={near}"):
        late[0].continue_()
    page.wait_for_timeout(300)
    assert count.inner_text() == shown
    page.unroute_all()
    page.reload()
    page.keyboard.press("p")
    with page.expect_response(f"**/*until={near}"):
        until.fill(near)
    expect(count).not_to_have_text(shown)


def test_cartel_can_be_chosen_from_the_list_with_the_keyboard(
    visit: Visitor, complaints: list[str]
) -> None:
    page = visit(viewport={"width": 1280, "height": 900})
    take_the_chair(page)
    submit(page, page.get_by_role("link", name=re.compile("^Plan manually")).last)
    effect = page.locator(".ca-effect")
    announced = page.locator("input[name=matador]:checked")
    expect(announced).to_have_count(3)
    page.locator(f"#{announced.first.get_attribute('id')}").press("Space")
    expect(effect.get_by_role("heading").first).to_have_text("Choose 1 more matador")
    submit(page, page.locator(".ca-left").get_by_role("button", name="Announce this cartel"))
    expect(page.get_by_role("alert")).to_have_text("A cartel needs three matadors.")
    complaints[:] = [said for said in complaints if "422" not in said]

    rows = page.locator("#list tr")
    everybody = rows.count()
    free = page.locator("input[name=matador]:not(:checked):not(:disabled)")
    name = rows.filter(has=free).first.get_by_role("link").first.inner_text()
    page.get_by_role("searchbox", name="Find a matador").fill(name)
    expect(rows).not_to_have_count(everybody)  # the list that was there is replaced
    expect(page.locator("#list")).to_contain_text("free on the day of the corrida")
    free.first.focus()
    expect(rows.filter(has=page.locator(":focus")).get_by_role("link").first).to_have_text(name)
    page.keyboard.press("Space")
    expect(page.locator("input[name=matador]:checked")).to_have_count(3)
    expect(page.locator(":focus")).to_have_attribute("name", "matador")
    expect(page.locator(".ca-bill .slot b")).to_have_count(3)
    expect(page.locator("#say")).not_to_be_empty()
    submit(page, page.locator(".ca-left").get_by_role("button", name="Announce this cartel"))
    expect(page.get_by_role("status").get_by_text("has been announced")).to_be_visible()
    submit(page, page.get_by_role("link", name=re.compile("^Plan manually")).last)
    expect(page.get_by_role("checkbox", name=name, exact=True)).to_be_checked()


def test_cartel_can_be_chosen_without_scripts(visit: Visitor) -> None:
    page = visit(java_script_enabled=False)
    take_the_chair(page)
    submit(page, page.get_by_role("link", name=re.compile("^Plan manually")).last)
    submit(page, page.locator(".ca-effect .swap button").first)
    expect(page.locator("input[name=matador]:checked")).to_have_count(3)
    expect(page.locator(".ca-effect")).to_contain_text("announced")
    dock = page.locator(".ca-dock").get_by_role("button", name="Announce this cartel")
    box = dock.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 844  # reachable without scrolling
    submit(page, dock)
    expect(page.get_by_role("status").get_by_text("has been announced")).to_be_visible()


def test_corrida_can_be_put_on_air_and_ended_early(visit: Visitor) -> None:
    page = visit()
    take_the_chair(page)
    corrida = put_on_air(page, 2000)
    wait_for_stage(page, corrida)
    page.goto("/direccion/")
    shown = page.locator("form.d-airing").filter(has=page.locator(f"a[href='{corrida}']"))
    shown.get_by_role("button", name="Post results").click()
    page.get_by_role("button", name="Post results").click()
    page.get_by_role("status").get_by_text("have been posted").wait_for()
    page.goto(corrida)
    expect(page.locator("#viewer")).to_have_attribute("data-mode", "live")
    page.get_by_role("link", name="Go to the end").click()
    page.locator(".co-outcome li").first.wait_for()


def test_pace_out_of_range_is_rejected_next_to_its_field(
    visit: Visitor, complaints: list[str]
) -> None:
    page = visit()
    take_the_chair(page)
    panel = page.locator("section[aria-labelledby=air-h]")
    panel.get_by_label("Your own pace").check()
    panel.get_by_label("Seconds per card", exact=True).fill("0.007")
    panel.get_by_role("button", name="Start corrida").click()
    expect(panel.get_by_role("alert")).to_contain_text("0.05")
    complaints[:] = [said for said in complaints if "422" not in said]


def test_play_menu_opens_by_key_unless_the_user_types_or_disabled_it(visit: Visitor) -> None:
    page = visit()
    take_the_chair(page)
    menu = page.locator("#play details")
    page.goto("/escalafon/")
    menu.wait_for()
    page.get_by_label("Up to", exact=True).focus()
    page.keyboard.press("p")
    expect(menu).not_to_have_attribute("open", "")
    page.locator("h1").click()
    page.keyboard.press("p")
    expect(menu).to_have_attribute("open", "")
    expect(page.locator("#play button.d-way").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(page.locator("#play summary")).to_be_focused()

    page.goto("/accounts/preferences/")
    page.get_by_label("Single-key shortcuts").uncheck()
    press_button(page, "Save")
    page.goto("/escalafon/")
    menu.wait_for()
    page.keyboard.press("p")
    expect(menu).not_to_have_attribute("open", "")


def test_viewer_sees_that_the_director_has_played_on(visit: Visitor) -> None:
    director, watcher = visit(), visit()
    take_the_chair(director)
    corrida = put_on_air(director, 2000)
    wait_for_stage(director, corrida)
    watcher.goto(corrida)
    expect(watcher.locator("#viewer")).to_have_attribute("data-mode", "live")
    wait_until(lambda: int(record(watcher)["received"]) > 1, "The feed does not begin.")
    expect(watcher.get_by_role("link", name="Go to the end")).to_have_count(0)
    director.goto("/matadores/")
    play(director, "next")
    watcher.get_by_text("The director has continued the season").wait_for()
    expect(watcher.locator(".co-outcome")).to_have_count(0)
    seen = moment(watcher)
    wait_until(lambda: moment(watcher) > seen, "The viewer does not go on.")
    watcher.get_by_role("link", name="Go to the end").click()
    watcher.locator(".co-outcome li").first.wait_for()
