"""Accounts in a real browser: passkeys with a virtual authenticator, deleting and restoring an
account.
"""

from __future__ import annotations

import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.club import PASSWORD, press_button, sign_up, submit, tap
from tests.e2e.conftest import DESK, PHONE, Visitor, sweep
from tests.e2e.test_every_page import examine, width

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOMS = (
    *("/accounts/", "/accounts/profile/", "/accounts/email/", "/accounts/password/change/"),
    *("/accounts/2fa/", "/accounts/sessions/", "/accounts/notices/", "/accounts/logout/"),
    *("/accounts/notices/choices/", "/accounts/export/", "/accounts/leave/"),
)
# A virtual authenticator like that of a phone with a fingerprint reader.
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def give_a_key(page: Page) -> None:
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    line.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})


def prove(page: Page) -> None:
    """Enter the password again if the page asks for it."""
    if "/reauthenticate/" in page.url:
        page.get_by_label("Password").fill(PASSWORD)
        tap(page, "Confirm")  # the response may be a file


def sign_in(page: Page, name: str) -> None:
    """Sign in with username and password."""
    page.get_by_label("Login").fill(name)
    page.get_by_label("Password:", exact=True).fill(PASSWORD)
    press_button(page, "Sign In")
    assert "/login/" not in page.url


def test_passkey_can_be_added_and_used_to_sign_in(visit: Visitor) -> None:
    page = visit()
    page.goto("/")  # this very machine by a name: a passkey belongs to a name, not an address
    page.goto(page.url.replace("127.0.0.1", "localhost"))
    home = page.url.rstrip("/")
    give_a_key(page)
    page.goto(f"{home}/accounts/signup/")
    sign_up(page, "paula-llave")
    page.goto(f"{home}/accounts/2fa/webauthn/add/")
    prove(page)
    page.wait_for_url("**/2fa/webauthn/add/")
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_url(re.compile("/2fa/(webauthn/$|recovery-codes/)"))
    page.goto(f"{home}/accounts/2fa/webauthn/")
    expect(page.locator("main").get_by_text("Passkey", exact=True)).to_have_count(1)
    assert width(page) == (0, "")

    page.goto(f"{home}/accounts/logout/")
    submit(page, page.locator("main").get_by_role("button", name="Sign Out"))
    page.goto(f"{home}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(lambda url: "/login/" not in url)
    page.goto(f"{home}/accounts/")
    expect(page.locator("main")).to_contain_text("paula-llave")

    page.goto(f"{home}/accounts/leave/")
    page.get_by_label("Your username").fill("paula-llave")
    page.get_by_role("button", name="Delete my account").click()
    page.get_by_role("link", name=re.compile("passkey|security key", re.IGNORECASE)).click()
    page.get_by_role("button", name="Use a security key").click()
    page.get_by_role("heading", name="Goodbye").wait_for()


def test_deleted_account_can_be_restored(visit: Visitor) -> None:
    page = visit()
    sign_up(page, "carmen-vuelve")
    page.goto("/accounts/leave/")
    page.get_by_label("Your username").fill("carmen-vuelve")
    press_button(page, "Delete my account")
    prove(page)
    page.get_by_role("heading", name="Goodbye").wait_for()
    page.goto("/accounts/login/")
    page.get_by_label("Login").fill("carmen-vuelve")
    page.get_by_label("Password:", exact=True).fill(PASSWORD)
    press_button(page, "Sign In")
    press_button(page, "Keep my account")
    sign_in(page, "carmen-vuelve")
    page.goto("/accounts/")
    expect(page.get_by_role("heading", name="My account")).to_be_visible()


def test_copy_of_personal_data_can_be_downloaded(visit: Visitor) -> None:
    page = visit()
    sign_up(page, "rosa-copia")
    page.goto("/accounts/export/")
    press_button(page, "Make a copy")
    with page.expect_download() as coming:
        prove(page)
    with zipfile.ZipFile(coming.value.path()) as copy:
        assert "rosa-copia" in copy.read("profile.json").decode()


def test_other_sessions_can_be_signed_out(visit: Visitor) -> None:
    here, there = visit(), visit(viewport=DESK)
    sign_up(here, "dos-sitios")
    there.goto("/accounts/login/")
    sign_in(there, "dos-sitios")
    here.goto("/accounts/sessions/")
    press_button(here, "Sign Out Other Sessions")
    there.goto("/accounts/")
    assert "/login/" in there.url


@pytest.mark.parametrize("way", sweep(ROOMS, "/accounts/"))
def test_account_pages_are_accessible(visit: Visitor, way: str) -> None:
    page = visit(reduced_motion="reduce")
    sign_up(page, f"axe{ROOMS.index(way)}-cuenta")
    page.goto(way)
    page.set_viewport_size(PHONE)
    expect(page.locator("h1")).to_have_count(1)
    assert width(page) == (0, "")
    assert examine(page) == []
