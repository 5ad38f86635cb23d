"""The admin site in a real browser: with the site's content security policy, in both themes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests.browser import new_context
from tests.factories import World

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from pytest_django.live_server_helper import LiveServer

RED, CORAL = "rgb(158, 27, 31)", "rgb(255, 122, 107)"


class AdminPage:
    """A page of the admin site, with the errors that the browser reported."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.complaints: list[str] = []
        page.on("console", lambda said: self._note(said.type, said.text))
        page.on("pageerror", lambda error: self._note("error", str(error)))

    def _note(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.complaints.append(text)

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)


@pytest.fixture
def at_work(
    live_server: LiveServer, world: World, office: Client, browser: Browser
) -> Iterator[AdminPage]:
    context = new_context(browser, viewport={"width": 1280, "height": 900}, color_scheme="light")
    session = office.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    yield AdminPage(context.new_page(), live_server.url)
    context.close()


def test_no_admin_page_violates_the_content_security_policy(
    at_work: AdminPage, world: World
) -> None:
    for path in (
        "",
        "corridas/corrida/",
        f"corridas/matador/{world.matadors[0].pk}/change/",
        f"corridas/deck/{world.deck.pk}/change/",
        "corridas/feria/add/",
        "corridas/matador/",
        "corridas/change/",
        f"corridas/matador/{world.matadors[0].pk}/trial/",
        f"corridas/circuit/{world.circuit.pk}/check/",
    ):
        at_work.go(f"/admin/{path}")
        expect(at_work.page.locator("h1")).to_have_count(1)
    assert at_work.complaints == []


def test_a_slug_is_derived_from_the_name_and_a_gap_is_shown_at_its_range(
    at_work: AdminPage,
) -> None:
    page = at_work.page
    at_work.go("/admin/corridas/matador/add/")
    page.fill("#id_name", "Curro Cúchares")
    page.locator("#id_name").blur()
    expect(page.locator("#id_slug")).to_have_value("curro-cuchares")
    save = page.locator("input[name=_save]")
    expect(save).to_be_enabled()  # a matador may be saved without a card
    page.fill("#id_cards-0-ovacion", "1-98")
    said = page.locator("#id_cards-0-ovacion_why")
    expect(said).to_have_text("No range contains 99-100.")
    expect(save).to_be_disabled()
    page.fill("#id_cards-0-oreja", "98-100")
    expect(said).to_contain_text("The ranges Ovación and Oreja both contain 98.")
    page.fill("#id_cards-0-oreja", "many")
    expect(page.locator("#id_cards-0-oreja_why")).to_contain_text("is not a range")
    page.fill("#id_cards-0-oreja", "99-100")
    expect(save).to_be_enabled()
    expect(page.locator("input[aria-invalid=true]")).to_have_count(0)
    assert at_work.complaints == []


def test_related_rows_are_chosen_by_name(at_work: AdminPage) -> None:
    page = at_work.page
    at_work.go("/admin/corridas/plaza/add/")
    page.locator(".field-circuit .select2-selection").click()
    page.locator(".select2-search__field").fill("leyen")
    page.locator(".select2-results__option", has_text="Circuito Leyendas").click()
    expect(page.locator("#id_circuit option:checked")).to_have_text("Circuito Leyendas")
    assert at_work.complaints == []


def test_the_admin_uses_the_theme_of_the_site(at_work: AdminPage) -> None:
    link = at_work.page.locator(".breadcrumbs a").first
    at_work.go("/admin/corridas/plaza/")
    expect(link).to_have_css("color", RED)
    theme = {"name": "theme", "value": "dark", "url": at_work.address}
    at_work.page.context.add_cookies([theme])  # type: ignore[list-item]
    at_work.go("/admin/corridas/plaza/")
    expect(link).to_have_css("color", CORAL)  # the colour of links changes gradually
