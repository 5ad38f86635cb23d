"""The director's desk in a browser: one click to the chair, then the season obeys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.club import press, submit
from tests.e2e.conftest import Visitor, figures, put_on_air, take_the_chair, wait_for_stage
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page


def run_until(page: Page, day: str) -> None:
    panel = page.locator("section[aria-labelledby=run-h]")
    panel.get_by_label("up to a date").check()
    panel.get_by_label("Date", exact=True).fill(day)
    submit(page, panel.get_by_role("button", name="Continue season"))
    agree(page)


def agree(page: Page) -> None:
    """Say yes where a corrida is on air whose results are posted."""
    asked = page.get_by_role("button", name="Post results and continue")
    if asked.count():
        submit(page, asked)


def first_day(page: Page) -> str:
    """The year of the season at the desk."""
    found = re.search(r"\b(20\d\d)\b", page.locator("main p").first.inner_text())
    assert found
    return found[1]


def test_a_season_runs_on_before_ones_eyes_and_stops_when_told(visit: Visitor) -> None:
    page = visit()
    take_the_chair(page)
    before = sum(figures(page).values())
    page.goto("/direccion/")
    year = first_day(page)
    run_until(page, f"{year}-04-25")
    told = watch_progress(page)
    assert told == sorted(told)
    expect(page.locator("#run progress")).to_have_count(0)
    assert sum(figures(page).values()) > before

    page.goto("/direccion/")
    page.get_by_label("to the end").check()
    press(page, "Continue season")
    agree(page)
    page.locator("#run").get_by_role("button", name="Stop").click()
    page.locator("#run").get_by_text("stopped").wait_for()
    played, total = counted(page)
    assert played < total


def counted(page: Page) -> tuple[int, int]:
    """Corridas played and to play, as the desk says."""
    said = page.locator("#run .fig").inner_text()
    played, total = map(int, said.split("/"))
    return played, total


def watch_progress(page: Page) -> list[int]:
    """What the progress says, glance by glance, until the run is over; the page stays."""
    page.evaluate("window.stays = true")
    said: list[int] = []

    def over() -> bool:
        said.append(counted(page)[0])
        return not page.locator("#run progress").count()

    wait_until(over, "The run does not end.")
    assert page.evaluate("window.stays")
    return said


def test_a_cartel_is_chosen_from_the_list_with_the_keyboard(
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
    submit(page, page.locator("#bill").get_by_role("button", name="Announce this cartel"))
    expect(page.get_by_role("alert")).to_have_text("A cartel needs three matadors.")
    complaints[:] = [said for said in complaints if "422" not in said]

    page.get_by_role("searchbox", name="Find a matador").press_sequentially("b")
    free = page.locator("input[name=matador]:not(:checked):not(:disabled)")
    expect(page.locator("#list")).to_contain_text("free that day")
    free.first.focus()
    name = page.locator("tr", has=page.locator(":focus")).get_by_role("link").first.inner_text()
    page.keyboard.press("Space")
    expect(page.locator("input[name=matador]:checked")).to_have_count(3)
    expect(page.locator(":focus")).to_have_attribute("name", "matador")
    expect(page.locator(".ca-bill .slot b")).to_have_count(3)
    expect(page.locator("#say")).not_to_be_empty()
    submit(page, page.locator("#bill").get_by_role("button", name="Announce this cartel"))
    expect(page.get_by_role("status")).to_contain_text("has been announced")
    submit(page, page.get_by_role("link", name=re.compile("^Plan manually")).last)
    expect(page.get_by_role("checkbox", name=name, exact=True)).to_be_checked()


def test_without_scripts_a_cartel_is_chosen_too(visit: Visitor) -> None:
    page = visit(java_script_enabled=False)
    take_the_chair(page)
    submit(page, page.get_by_role("link", name=re.compile("^Plan manually")).last)
    submit(page, page.locator(".ca-effect .swap button").first)
    expect(page.locator("input[name=matador]:checked")).to_have_count(3)
    expect(page.locator(".ca-effect")).to_contain_text("announced")
    dock = page.locator("#dock").get_by_role("button", name="Announce this cartel")
    box = dock.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 844  # at the thumb, without scrolling
    submit(page, dock)
    expect(page.get_by_role("status")).to_contain_text("has been announced")


def test_a_corrida_goes_on_the_sand_and_is_cut_short(visit: Visitor) -> None:
    page = visit()
    take_the_chair(page)
    corrida = put_on_air(page, 2000)
    wait_for_stage(page, corrida)
    page.goto("/direccion/")
    shown = page.locator("form.airing").filter(has=page.locator(f"a[href='{corrida}']"))
    shown.get_by_role("button", name="Post results").click()
    page.get_by_role("button", name="Post results").click()
    page.get_by_role("status").get_by_text("has been posted").wait_for()
    page.goto(corrida)
    expect(page.locator("#viewer")).to_have_attribute("data-mode", "live")
    page.get_by_role("link", name="Show the end").click()
    page.locator(".co-outcome li").first.wait_for()


def test_a_pace_out_of_bounds_is_refused_beside_its_field(
    visit: Visitor, complaints: list[str]
) -> None:
    page = visit()
    take_the_chair(page)
    panel = page.locator("section[aria-labelledby=air-h]")
    panel.get_by_label("Milliseconds per card").fill("7")
    panel.get_by_role("button", name="Start corrida").click()
    expect(panel.get_by_role("alert")).to_contain_text("50")
    complaints[:] = [said for said in complaints if "422" not in said]
