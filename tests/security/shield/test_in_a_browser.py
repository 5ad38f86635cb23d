"""The last card, reached by the keys in a real browser, is kept as watched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from corridas.models import Watched
from tests.security.shield.conftest import Afternoons

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SEVERAL = 14
"""Presses of a key until the end is there at the latest."""


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, shielded: Client) -> Page:
    """A phone, signed in."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=live_server.url)
    session = {"name": "sessionid", "value": shielded.cookies["sessionid"].value}
    context.add_cookies([{**session, "url": live_server.url}])  # type: ignore[typeddict-item]
    return context.new_page()


@pytest.mark.django_db(transaction=True)
def test_who_steps_to_the_end_has_watched(page: Page, afternoons: Afternoons, person: User) -> None:
    over = afternoons.over
    page.goto(reverse("corrida", args=[over.pk]))
    page.get_by_text("Watch from the first card").click()
    page.wait_for_selector("#stage")
    assert not page.locator("#watched").is_visible()
    cards = len(over.lidias.get(turn=6).draws)
    page.goto(reverse("card", args=[over.pk, 6, cards - 1]))
    for _press in range(SEVERAL):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(200)
        if page.locator("#stage").get_attribute("data-phase") == "end":
            break
    page.wait_for_selector("#watched [role=status]:visible")
    assert not page.locator("#watched button").is_visible()
    assert Watched.objects.filter(user=person, corrida=over).exists()
    page.goto(reverse("corrida", args=[over.pk]))
    assert page.locator("#stage").count() == 1
    page.goto("/escalafon/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
