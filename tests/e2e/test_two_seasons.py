"""A newcomer plays two seasons, from a new site to the comparison of two matadors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser import new_context
from tests.e2e.conftest import DESK, listen
from tests.e2e.test_desk import agree
from tests.e2e.test_digest import play_to_the_first_injury
from tests.site import Site
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SEASON = re.compile(r"/temporada/(\d+)/")


@pytest.fixture
def newcomer(
    browser: Browser, tmp_path: Path, prepared: Path, complaints: list[str]
) -> Iterator[Page]:
    """A browser at a new site that has no director yet."""
    site = Site(tmp_path / "site", prepared)
    site.start()
    context = new_context(
        browser, base_url=site.url, locale="en-GB", viewport=DESK, reduced_motion="reduce"
    )
    page = context.new_page()
    listen(page, complaints)
    yield page
    context.close()
    site.stop()


@pytest.mark.nightly
def test_newcomer_plays_on_into_a_second_season(newcomer: Page) -> None:
    page = newcomer
    read_what_it_is(page)
    take_the_chair_and_play(page)
    hurt = read_who_was_hurt(page)
    change_a_cartel(page)
    champion = play_to_the_end(page)
    go_through_the_winter(page)
    find_and_compare(page, champion, hurt)


def read_what_it_is(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_text("Temporada is a season of bullfighting")).to_be_visible()
    page.locator("#main").get_by_role("link", name="How a corrida works").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How a corrida works")
    page.go_back()


def take_the_chair_and_play(page: Page) -> None:
    """Become the director with one click, which opens the play menu, and play."""
    page.get_by_role("button", name="Become the director").click()
    page.wait_for_url("**/direccion/?play=open")
    page.goto("/direccion/")
    play_to_the_first_injury(page)


def read_who_was_hurt(page: Page) -> str:
    """Read on the page "What happened" who was injured, and return the address of his page."""
    page.locator("#play-band").get_by_role("link", name="What happened").click()
    expect(page.locator(".dg-stop").first).to_contain_text("a matador was injured")
    hurt = page.locator(".dg-hurt a[href^='/matadores/']").first
    expect(page.locator(".dg-hurt a[href^='/corridas/']").first).to_be_visible()
    return str(hurt.get_attribute("href"))


def change_a_cartel(page: Page) -> None:
    """Remove one matador from a cartel, and choose another one from the list."""
    page.goto("/direccion/")
    page.get_by_role("link", name=re.compile("^Plan manually")).last.click()
    announced = page.locator("input[name=matador]:checked")
    expect(announced).to_have_count(3)
    announced.last.uncheck(force=True)
    expect(announced).to_have_count(2)
    free = page.locator("input[name=matador]:not(:checked):not(:disabled)")
    free.first.check(force=True)
    expect(announced).to_have_count(3)
    page.locator(".ca-left").get_by_role("button", name="Announce this cartel").click()
    expect(page.get_by_role("status").get_by_text("has been announced")).to_be_visible()


def play_to_the_end(page: Page) -> str:
    """Play to the end of the season, and return the winner of the year."""
    page.goto("/direccion/")
    page.locator("#play summary").click()
    for stop in page.locator("#play input[name=stop_on]:checked").all():
        stop.uncheck(force=True)
    page.get_by_role("button", name="Play to the end of the season").click()
    agree(page)
    wait_until(lambda: not page.locator("#play-band [data-active]").count(), "It does not end.")
    page.locator("#play-band").get_by_role("link", name="What happened").click()
    page.wait_for_url(SEASON)
    year = SEASON.search(page.url)
    assert year
    page.goto(f"/temporada/{year[1]}/final/")
    expect(page.get_by_role("heading", name="Awards")).to_be_visible()
    expect(page.locator(".so-final li").first).to_be_visible()
    return page.get_by_role("heading", level=1).inner_text()


def go_through_the_winter(page: Page) -> None:
    """Wait for the winter, which begins by itself because the site's circuit is always on air."""
    link = page.locator("#next").get_by_role("link", name="Go to the winter")

    def over() -> bool:
        page.reload()
        return link.count() > 0

    wait_until(over, "The winter does not come.")
    link.click()
    expect(page.get_by_role("heading", name="El Invierno")).to_be_visible()
    page.goto("/direccion/")
    page.locator("#play summary").click()
    page.get_by_role("button", name=re.compile("^Next corrida")).click()
    agree(page)
    page.locator("#play-band").get_by_text("Done").wait_for()


def find_and_compare(page: Page, champion: str, hurt: str) -> None:
    """Find the winner with the search box, compare him with the injured matador, and compare two
    others.

    The injured matador may have retired since, and be on a later page of the list.
    """
    page.goto("/")
    page.keyboard.press("/")
    page.keyboard.type(champion.lower(), delay=30)
    found = page.locator("#find-results a.hit").first
    # The results for the first letters may be other matadors.
    expect(found).to_contain_text(champion, ignore_case=True)
    found.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(champion, ignore_case=True)
    ways = {urlsplit(page.url).path, hurt}
    page.locator("#main").get_by_role("link", name="Compare", exact=True).click()
    if len(ways) > 1:
        page.get_by_label("Add a matador").select_option(hurt.rstrip("/").rsplit("/", 1)[-1])
        page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare matadors")
    expect(page.locator(".list-man")).to_have_count(len(ways))
    page.goto("/matadores/")
    for row in page.locator("tbody tr").all()[:2]:
        row.get_by_role("checkbox").check()
    page.get_by_role("button", name="Compare the chosen matadors").click()
    expect(page.locator(".list-man")).to_have_count(2)
