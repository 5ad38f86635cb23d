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


def test_a_cartel_is_hung_by_hand_and_a_wrong_one_refused(
    visit: Visitor, complaints: list[str]
) -> None:
    page = visit(viewport={"width": 1280, "height": 900})
    take_the_chair(page)
    submit(page, page.get_by_role("link", name=re.compile("^Plan manually")).last)
    names = page.get_by_label("First matador").locator("option").all_inner_texts()
    choose(page, names[-1], names[-1], names[-2])
    expect(page.get_by_role("alert")).to_have_text(f"{names[-1]} is on the cartel twice.")
    expect(page.get_by_label("Third matador").locator("option:checked")).to_have_text(names[-2])
    complaints[:] = [said for said in complaints if "422" not in said]

    page = hang_who_is_free(page, names, complaints)
    expect(page.get_by_role("status")).to_contain_text("has been announced")


def hang_who_is_free(page: Page, names: list[str], complaints: list[str]) -> Page:
    """Try threes from the end of the list until nobody is engaged elsewhere on those days."""
    free = names[1:]
    while len(free) >= 3:
        three = free[-3:]
        choose(page, *three)
        if page.url.endswith("/direccion/"):
            return page
        said = page.get_by_role("alert").inner_text()
        complaints[:] = [one for one in complaints if "422" not in one]
        free = [name for name in free if not said.startswith(name)]
    raise AssertionError("Nobody is free.")


def choose(page: Page, *three: str) -> None:
    for label, name in zip(("First", "Second", "Third"), three, strict=True):
        page.get_by_label(f"{label} matador").select_option(label=name)
    press(page, "Announce cartel")


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
    page.get_by_role("link", name="Go to the end").click()
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
