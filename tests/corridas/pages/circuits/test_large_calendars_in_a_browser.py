"""Calendars around the limit of 500 rows, sent by a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from corridas.addresses import address
from corridas.models import Circuit, Plaza
from corridas.world.calendar import MAX_ENTRIES
from tests.browser import new_context
from tests.corridas.pages.barrio import founded
from tests.corridas.pages.circuits.test_large_calendars import entries
from tests.factories import browser_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SAVED = "The calendar has been saved. It applies from the next season."
# Timeout in milliseconds. Pages of 500 rows are large, and the machine may be busy.
LONG = 120_000


def opened(browser: Browser, live_server: LiveServer, client: Client) -> Page:
    """Return a browser page of a signed-in user."""
    context = new_context(browser, base_url=live_server.url)
    context.set_default_timeout(LONG)
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": key, "url": live_server.url}]
    )
    return context.new_page()


def store(circuit: Circuit, rows: list[dict[str, Any]]) -> None:
    Circuit.objects.filter(pk=circuit.pk).update(calendar=rows)


def write(page: Page, number: int, row: dict[str, Any]) -> None:
    month, day = row["starts"].split("-")
    page.locator(f'[name="rows-{number}-plaza"]').select_option(row["plaza"])
    page.locator(f'[name="rows-{number}-feria"]').fill(row["feria"])
    page.locator(f'[name="rows-{number}-day"]').fill(str(int(day)))
    page.locator(f'[name="rows-{number}-month"]').select_option(str(int(month)))


def save(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Save calendar").click(no_wait_after=True)


@pytest.mark.nightly
def test_a_calendar_at_its_limit_is_saved_and_one_above_it_is_shown_again(
    browser: Browser, live_server: LiveServer
) -> None:
    circuit = founded(roster="legends")
    rows = entries(circuit, MAX_ENTRIES + 20)
    store(circuit, rows[: MAX_ENTRIES - 1])
    page = opened(browser, live_server, browser_of("ana"))
    calendar = address(circuit.slug, "circuit_calendar")

    page.goto(calendar)
    expect(page.get_by_role("button", name="Add rows")).to_have_count(0)
    write(page, MAX_ENTRIES - 1, rows[MAX_ENTRIES - 1])
    save(page)
    expect(page.get_by_text(SAVED)).to_be_visible()
    circuit.refresh_from_db()
    assert circuit.calendar == rows[:MAX_ENTRIES]

    # A stored calendar with more rows, from before the limit existed, can be changed.
    store(circuit, rows)
    page.goto(calendar)
    page.locator(f'[name="rows-{MAX_ENTRIES + 19}-feria"]').fill("La última")
    save(page)
    expect(page.get_by_text(SAVED)).to_be_visible()
    circuit.refresh_from_db()
    assert circuit.calendar == [*rows[:-1], rows[-1] | {"feria": "La última"}]

    # Another browser shortens the calendar meanwhile, so the limit of 500 rows applies again.
    store(circuit, rows[: MAX_ENTRIES + 1])
    page.goto(calendar)
    store(circuit, rows[:1])
    page.locator(f'[name="rows-{MAX_ENTRIES}-feria"]').fill("La 501")
    save(page)
    expect(
        page.get_by_text("A calendar can have at most 500 rows. This one has 501.")
    ).to_be_visible()
    expect(page.locator(f'[name="rows-{MAX_ENTRIES}-feria"]')).to_have_value("La 501")
    circuit.refresh_from_db()
    assert circuit.calendar == rows[:1]
    page.context.close()


def test_an_admin_list_saves_all_its_rows_at_once(
    browser: Browser, live_server: LiveServer
) -> None:
    for name in ("Uno", "Dos", "Tres"):
        founded(name, roster=Circuit.Roster.LEGENDS)
    User.objects.create_superuser("office")
    page = opened(browser, live_server, browser_of("office"))
    page.goto(reverse("admin:corridas_plaza_changelist") + "?circuit=all")
    page.locator("a.showall").click()
    last = page.locator('[name="form-188-city"]')
    last.fill("Otra ciudad")
    key = page.locator('[name="form-188-id"]').input_value()
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click(no_wait_after=True)
    expect(page.get_by_text("1 plaza was changed successfully.")).to_be_visible()
    assert list(Plaza.objects.filter(city="Otra ciudad").values_list("pk", flat=True)) == [int(key)]
    page.context.close()
