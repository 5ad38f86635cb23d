"""A request for a rematch appears on the page of a finished match that is open in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from tests.browser import new_context
from tests.factories import account
from tests.factories import browser as signed_in
from tests.leagues.pages.tables.seats import page
from tests.leagues.pages.tables.test_rematch import finished_table, request_rematch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.mark.django_db(transaction=True)
def test_request_for_a_rematch_appears_on_an_open_page(
    browser: Browser, live_server: LiveServer
) -> None:
    ana, blas = account("ana"), account("blas")
    table = finished_table(ana, blas)
    context = new_context(
        browser, base_url=live_server.url, locale="en-GB", viewport={"width": 390, "height": 844}
    )
    session = signed_in(blas).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    open_page: Page = context.new_page()
    open_page.goto(page(table))
    open_page.get_by_role("button", name="Play a rematch").focus()
    again = request_rematch(ana, table)
    accept = open_page.get_by_role("button", name="Accept the rematch")
    expect(accept).to_be_focused()
    expect(open_page.locator("#announce")).to_contain_text("ana asks for a rematch.")
    assert open_page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    accept.click()
    open_page.wait_for_url(f"**{page(again)}")
    expect(open_page.locator("#stage[data-state=playing]")).to_be_visible()
    context.close()
