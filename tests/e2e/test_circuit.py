"""A user's circuit in a browser: created, three seasons played, retirements and debuts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.book import write
from tests.e2e.club import sign_up
from tests.e2e.conftest import DESK, Visitor
from tests.e2e.test_desk import agree

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.site import Site


SEASONS = 3
NAME = "Circuito del Barrio"
HOME = "/circuitos/circuito-del-barrio/"
FAREWELL, BEGINNING = "section[aria-labelledby=retired]", "section[aria-labelledby=alternativa]"


def found_circuit(page: Page, name: str = NAME) -> None:
    """Create a private circuit with two corridas a year and an invented roster."""
    page.goto("/circuitos/")
    page.get_by_role("link", name="Create a circuit").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("radio", name="private").check()
    page.get_by_role("radio", name="invented").check()
    page.get_by_label("Seed for the invented roster").fill("sol y sombra")
    page.get_by_role("radio", name="your own calendar, which you enter below").check()
    page.get_by_text("Write your own calendar").click()
    row = page.locator(".ci-rows li").first
    row.get_by_label("Plaza").select_option("las-ventas")
    row.get_by_label("Day", exact=True).fill("15")
    row.get_by_label("Month").select_option("May")
    row.get_by_label("Corridas").fill("2")
    page.get_by_role("button", name="Create circuit").click()
    page.wait_for_url("**/circuitos/*/direccion/")


def run_a_season(page: Page, site: Site) -> None:
    """Play a season to its end and then the winter, and open the winter's page."""
    page.goto(f"{HOME}direccion/")
    page.locator("#play summary").click()
    page.get_by_role("button", name="Play to the end of the season").click()
    agree(page)
    page.locator("#play-band").get_by_text("Done").wait_for()
    ripen(site)
    page.goto(f"{HOME}direccion/")
    page.get_by_role("button", name="Start the winter").click()
    page.wait_for_url(re.compile(r"/temporada/\d+/invierno/$"))


OLD = """
UPDATE corridas_matador SET counted_from = counted_from - 60 WHERE id IN (
    SELECT matador.id FROM corridas_matador matador
    JOIN corridas_circuit circuit ON circuit.id = circuit_id
    WHERE circuit.name = :name AND state = 'active' ORDER BY matador.id LIMIT 1)"""
READY = """
UPDATE corridas_matador SET counted_from = counted_from - 5, seasons = 9 WHERE id IN (
    SELECT matador.id FROM corridas_matador matador
    JOIN corridas_circuit circuit ON circuit.id = circuit_id
    WHERE circuit.name = :name AND state = 'novillero' ORDER BY matador.id LIMIT 1)"""


def ripen(site: Site) -> None:
    """Make one matador old enough to retire and a novillero ready for promotion, whatever
    chance decides.
    """
    assert write(site, OLD, name=NAME) == 1
    write(site, READY, name=NAME)  # there may be none yet in the first winter


@pytest.mark.nightly
def test_circuit_can_be_played_for_three_seasons(visit: Visitor, site: Site) -> None:
    page = visit(viewport=DESK)
    sign_up(page, "empresaria")
    found_circuit(page)
    farewells = beginnings = 0
    for _season in range(SEASONS):
        run_a_season(page, site)
        expect(page.get_by_role("heading", name="El Invierno")).to_be_visible()
        farewells += page.locator(FAREWELL).locator("li").count()
        beginnings += page.locator(BEGINNING).locator("li").count()
        assert all("/circuitos/" in way for way in ways(page))
    assert farewells
    assert beginnings
    page.goto(f"{HOME}temporada/")
    page.locator(".tabs a").nth(SEASONS - 1).wait_for()


def ways(page: Page) -> list[str]:
    """Return the addresses behind the names on the winter's page."""
    found: list[str] = page.locator("section ul h3 a").evaluate_all(
        "links => links.map(link => link.getAttribute('href'))"
    )
    return found


def test_private_circuit_is_not_found_by_others(visit: Visitor, complaints: list[str]) -> None:
    page = visit()
    answer = page.goto(HOME)
    assert answer is not None
    assert answer.status == 404
    complaints.clear()  # the console logs the 404
