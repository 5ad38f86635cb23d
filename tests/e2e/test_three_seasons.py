"""Three seasons of a circuit that is always on air, which waits for its director at two points.

The circuit plays by itself. It must wait at the end of a season until the director has seen the
winner, and before the next season's first matadors are hired.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import new_context
from tests.e2e.book import query_rows
from tests.e2e.conftest import PHONE, listen, take_the_chair
from tests.site import Site
from tests.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# A season with few decisions: ten ferias of two corridas, from March to December.
PLAZAS = ("las-ventas", "valencia", "vista-alegre", "los-califas", "illumbe")
CALENDAR = [
    [f"Feria {month}", PLAZAS[month % 5], f"{month:02d}-05", 2, "daily"] for month in range(3, 13)
]
OPEN = """
    SELECT COUNT(*) FROM corridas_corrida corrida JOIN corridas_season season
    ON season.id = corrida.season_id LEFT JOIN corridas_cartel cartel
    ON cartel.corrida_id = corrida.id
    WHERE season.year = {year} AND cartel.corrida_id IS NULL AND corrida.state = 'announced'
"""
PLAYED = """
    SELECT COUNT(*) FROM corridas_corrida corrida JOIN corridas_season season
    ON season.id = corrida.season_id WHERE season.year = {year} AND corrida.state <> 'announced'
"""
YEAR = "SELECT MAX(year) FROM corridas_season"


@pytest.fixture
def own_site(tmp_path: Path, prepared: Path) -> Iterator[Site]:
    """A separate site, because its circuit gets another calendar."""
    site = Site(tmp_path / "site", prepared)
    site.start()
    yield site
    site.stop()


@pytest.fixture
def page(browser: Browser, own_site: Site, complaints: list[str]) -> Iterator[Page]:
    context = new_context(
        browser, base_url=own_site.url, locale="en-GB", viewport=PHONE, reduced_motion="reduce"
    )
    page = context.new_page()
    listen(page, complaints)
    yield page
    context.close()


def test_circuit_waits_for_its_director_in_three_seasons(page: Page, own_site: Site) -> None:
    take_the_chair(page)
    shorten_the_calendar(own_site)
    year = latest(own_site)
    for door in ("home", "play panel", "band"):
        play_to_the_end(page)
        over = f"/temporada/{year}/final/"
        every_place_leads_to_the_champion(page, over)
        nothing_goes_on(page, own_site, year)
        champion = go_through(page, door, over)
        for later in ("digest", "notification"):
            assert go_through(page, later, over) == champion
        the_winter_comes(own_site, year)
        year += 1
        the_calendar_stands_open(page, own_site, year)
        choose_a_cartel_and_find_the_next(page)


def shorten_the_calendar(site: Site) -> None:
    (file,) = site.data.glob("*.sqlite3")
    with closing(sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)) as rows:
        rows.execute("UPDATE corridas_circuit SET calendar = ?", [json.dumps(CALENDAR)])


def latest(site: Site) -> int:
    ((year,),) = query_rows(site, YEAR)
    return int(year)


def count(site: Site, question: str, year: int) -> int:
    ((number,),) = query_rows(site, question.format(year=year))
    return int(number)


def play_to_the_end(page: Page) -> None:
    """Play to the end. The button says how many carteles are filled, and the page asks once."""
    page.goto("/direccion/")
    page.locator("#play summary").click()
    way = page.locator("button.d-way[value=end]")
    expect(way).to_contain_text(re.compile(r"Contracts \d+ open cartel"))
    way.click()
    asked = page.locator("#play .d-ask")
    expect(asked).to_contain_text("contracted on the way")
    expect(asked.get_by_role("button", name="Stop before they are contracted")).to_be_visible()
    asked.locator("button.go").click()
    page.locator("#play-band [data-run]").wait_for()
    wait_until(lambda: not page.locator("#play-band [data-active]").count(), "It does not end.")


def every_place_leads_to_the_champion(page: Page, over: str) -> None:
    """Check that header, play menu, home page and notifications link to the winner of the
    season.
    """
    band = page.locator("#play-band a.btn").first
    expect(band).to_have_attribute("href", over)
    digest = page.locator("#play-band").get_by_role("link", name="What happened")
    address = digest.get_attribute("href")
    page.locator("#play summary").click()
    expect(page.locator("#play .d-menu a").first).to_have_attribute("href", over)
    page.goto("/")
    expect(page.locator("#main a.btn").first).to_have_attribute("href", over)
    page.goto(str(address))
    expect(page.locator("#main a").first).to_have_attribute("href", over)


def nothing_goes_on(page: Page, site: Site, year: int) -> None:
    """Check that the circuit waits for its director although periodic tasks run every second."""
    page.goto("/direccion/")
    expect(page.locator("#win-h").locator("..")).to_contain_text(
        "The winter waits until the director has seen the champion"
    )
    assert latest(site) == year


def go_through(page: Page, door: str, over: str) -> str:
    """Go to the winner of the season with one tap from the given place, and return his name."""
    if door == "home":
        page.goto("/")
        page.locator("#main a.btn").first.click()
    elif door == "play panel":
        page.goto("/")
        page.locator("#play summary").click()
        page.locator("#play .d-menu a").first.click()
    elif door == "band":
        page.goto("/direccion/")
        page.locator("#play-band a.btn").first.click()
    elif door == "digest":
        page.goto(over.replace("final", "resumen"))
        page.locator("#main .dg-lines a").first.click()
        page.locator("#main a.btn").first.click()
    else:
        page.goto("/accounts/notices/")
        page.locator(".account-notices a", has_text="played to its end").first.click()
    page.wait_for_url(f"**{over}")
    return page.get_by_role("heading", level=1).inner_text()


def the_winter_comes(site: Site, year: int) -> None:
    wait_until(lambda: latest(site) == year + 1, "The winter does not come.")


def the_calendar_stands_open(page: Page, site: Site, year: int) -> None:
    """Check that nobody is hired and nothing is played before the director begins the season."""
    before = count(site, OPEN, year)
    assert before > 0
    page.goto(f"/temporada/{year}/")
    expect(page.locator("#pause-h")).to_have_text(f"The {year} calendar is open")
    page.goto("/direccion/")
    expect(page.locator("#pause-h")).to_be_visible()
    expect(page.locator(".d-opens").first).to_contain_text("Contracted on")
    assert (count(site, OPEN, year), count(site, PLAYED, year)) == (before, 0)


def choose_a_cartel_and_find_the_next(page: Page) -> None:
    page.locator(".d-opens").first.get_by_role("link", name=re.compile("^Choose")).click()
    free = page.locator("input[name=matador]:not(:checked):not(:disabled)")
    announced = page.locator("input[name=matador]:checked")
    for number in (1, 2, 3):
        free.first.check(force=True)
        expect(announced).to_have_count(number)
        expect(page.locator("#bill .slot:not(.open)")).to_have_count(number)
    announce = page.get_by_role("button", name="Announce this cartel")
    announce.filter(visible=True).first.click()
    page.get_by_role("link", name="Next open cartel").click()
    expect(page.get_by_role("heading", name=re.compile("^Cartel of"))).to_be_visible()
