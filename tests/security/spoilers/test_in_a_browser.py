"""Reaching the last card of a corrida with the keys marks it as watched, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from corridas.models import Watched
from tests.browser import new_context
from tests.security.spoilers.conftest import Afternoons

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, shielded: Client) -> Iterator[Page]:
    """A phone whose user is signed in."""
    size = {"width": 390, "height": 844}
    context = new_context(browser, viewport=size, base_url=live_server.url)
    session = {"name": "sessionid", "value": shielded.cookies["sessionid"].value}
    context.add_cookies([{**session, "url": live_server.url}])  # type: ignore[typeddict-item]
    yield context.new_page()
    context.close()


@pytest.mark.django_db(transaction=True)
def test_stepping_to_the_last_card_marks_a_corrida_as_watched(
    page: Page, afternoons: Afternoons, person: User
) -> None:
    over = afternoons.over
    page.goto(reverse("corrida", args=[over.pk]))
    page.get_by_text("Watch from the first card").click()
    page.wait_for_selector("#stage")
    expect(page.locator("#watched")).to_be_hidden()
    cards = len(over.lidias.get(turn=6).draws)
    page.goto(reverse("card", args=[over.pk, 6, cards - 1]))
    page.locator("#viewer.is-scripted").wait_for()
    stage = page.locator("#stage")
    while stage.get_attribute("data-phase") != "end":
        moment = stage.get_attribute("data-moment") or ""
        page.keyboard.press("ArrowRight")
        expect(stage).not_to_have_attribute("data-moment", moment)
    page.wait_for_selector("#watched [role=status]:visible")
    expect(page.locator("#watched button")).to_be_hidden()
    assert Watched.objects.filter(user=person, corrida=over).exists()
    page.goto(reverse("corrida", args=[over.pk]))
    expect(stage).to_have_count(1)
    page.goto("/escalafon/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
