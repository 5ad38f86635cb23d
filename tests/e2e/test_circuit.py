"""A circuit of one's own in a browser: founded, three seasons run, a farewell and a beginning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e.club import sign_up
from tests.e2e.conftest import DESK, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SEASONS = 3
RUN_MS = 120_000
NAME = "Circuito del Barrio"
HOME = "/circuitos/circuito-del-barrio/"
FAREWELL, BEGINNING = "section[aria-labelledby=retired]", "section[aria-labelledby=alternativa]"


def found(page: Page) -> None:
    """Two afternoons in Madrid a year, an invented roster, nobody else may look."""
    page.goto("/circuitos/")
    page.get_by_role("link", name="Found a circuit").click()
    page.get_by_label("Name", exact=True).fill(NAME)
    page.get_by_role("radio", name="private").check()
    page.get_by_role("radio", name="invented").check()
    page.get_by_label("Seed of the invented roster").fill("sol y sombra")
    page.get_by_role("radio", name="one of your own").check()
    page.get_by_text("One of your own: write it").click()
    row = page.locator(".ci-rows li").first
    row.get_by_label("Plaza").select_option("las-ventas")
    row.get_by_label("First day").fill("05-15")
    row.get_by_label("Corridas").fill("2")
    page.get_by_role("button", name="Found the circuit").click()
    page.wait_for_url(f"**{HOME}direccion/")


def run_a_season(page: Page) -> None:
    """To the end, and then the winter; its page is open."""
    page.goto(f"{HOME}direccion/")
    page.get_by_label("to the end").check()
    page.get_by_role("button", name="Run on").click()
    page.locator("#run").get_by_text("done").wait_for(timeout=RUN_MS)
    page.goto(f"{HOME}direccion/")
    page.get_by_role("button", name="Let it be winter").click()
    page.wait_for_url(re.compile(r"/temporada/\d+/invierno/$"))


def test_a_circuit_lives_through_three_winters(visit: Visitor) -> None:
    page = visit(viewport=DESK)
    sign_up(page, "empresaria")
    found(page)
    farewells = beginnings = 0
    for _season in range(SEASONS):
        run_a_season(page)
        assert page.get_by_role("heading", name="El Invierno").is_visible()
        farewells += page.locator(FAREWELL).locator("li").count()
        beginnings += page.locator(BEGINNING).locator("li").count()
        assert all("/circuitos/" in way for way in ways(page))
    assert farewells
    assert beginnings
    page.goto(f"{HOME}temporada/")
    assert page.locator(".tabs a").count() >= SEASONS


def ways(page: Page) -> list[str]:
    """Where the names on the winter's page lead."""
    found: list[str] = page.locator("section ul h3 a").evaluate_all(
        "links => links.map(link => link.getAttribute('href'))"
    )
    return found


def test_nobody_else_sees_a_private_circuit(visit: Visitor, complaints: list[str]) -> None:
    page = visit()
    answer = page.goto(HOME)
    assert answer is not None
    assert answer.status == 404
    complaints.clear()  # the console says so too
