"""On addresses where passkeys cannot work, pages say so and offer no useless button."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.club import PASSWORD, sign_up
from tests.e2e.conftest import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.site import Site

LOGIN, ADD = "/accounts/login/", "/accounts/2fa/webauthn/add/"
SENTENCE = "[data-passkeys]"
NAME = "http://feria.test"
REFUSE = """
    const refuse = async () => { throw new DOMException("refused", "NotAllowedError"); };
    navigator.credentials.get = refuse;
    navigator.credentials.create = refuse;
"""


def open_account_page(page: Page, way: str) -> None:
    """Open a page of the account, and enter the password if the page asks for it."""
    page.goto(way)
    if "/reauthenticate/" in page.url:
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Confirm").click()
        page.wait_for_url(f"**{way}")


def button(page: Page, name: str) -> None:
    expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()


def test_login_page_at_an_ip_address_links_to_the_host_name(visit: Visitor, site: Site) -> None:
    page = visit()
    page.goto(LOGIN)
    said = page.locator(SENTENCE)
    expect(said).to_contain_text("Passkeys do not work at an address of numbers.")
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_have_count(0)
    said.get_by_role("link").click()
    page.wait_for_url(f"http://localhost:{site.port}{LOGIN}")
    button(page, "Sign in with a passkey")
    expect(page.locator(SENTENCE)).to_have_count(0)


def test_passkey_cannot_be_added_at_an_ip_address(visit: Visitor, site: Site) -> None:
    page = visit()
    sign_up(page, "con-numero")
    for way, offer in (("/accounts/2fa/webauthn/", "Add Security Key"), (ADD, "Add")):
        open_account_page(page, way)
        expect(page.locator(SENTENCE)).to_contain_text(f"http://localhost:{site.port}")
        for role in ("button", "link"):
            expect(page.get_by_role(role, name=offer, exact=True)).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en-GB", "Passkeys do not work at this address."), ("es-ES", "https")],
)
def test_login_page_without_https_explains_that_passkeys_need_it(
    visit: Visitor, site: Site, complaints: list[str], language: str, words: str
) -> None:
    def pass_on(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace(NAME, site.url)))

    page = visit(locale=language)
    page.route(f"{NAME}/**", pass_on)
    page.goto(NAME + LOGIN)
    expect(page.locator(SENTENCE)).to_contain_text(words)
    expect(page.locator("#passkey_login")).to_be_hidden()
    # Without HTTPS the browser ignores a header and logs a message about it.
    complaints.clear()


def test_passkey_cancelled_by_the_browser_is_explained(visit: Visitor, site: Site) -> None:
    page = visit(base_url=f"http://localhost:{site.port}")
    page.add_init_script(REFUSE)
    page.goto(LOGIN)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator(SENTENCE)).to_have_text(
        "Your browser did not use a passkey. You can try again."
    )
    button(page, "Sign in with a passkey")
    sign_up(page, "sin-llave")
    open_account_page(page, ADD)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(SENTENCE)).to_contain_text("You can try again.")


def test_browser_without_passkeys_gets_an_explanation(visit: Visitor, site: Site) -> None:
    page = visit(base_url=f"http://localhost:{site.port}")
    page.add_init_script("delete window.PublicKeyCredential")
    page.goto(LOGIN)
    expect(page.locator(SENTENCE)).to_have_text("This browser does not support passkeys.")
    expect(page.locator("#passkey_login")).to_be_hidden()
