"""Signing up with a passkey and without a password, on a site that can send mail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.club import press_button, submit
from tests.e2e.conftest import Visitor
from tests.e2e.post import PostOffice
from tests.e2e.test_accounts import give_a_key
from tests.site import Site

if TYPE_CHECKING:
    from pathlib import Path

NAME = "petra-sola"


@pytest.fixture
def post() -> Iterator[PostOffice]:
    with PostOffice() as opened:
        yield opened


@pytest.fixture
def site(post: PostOffice, tmp_path: Path, prepared: Path) -> Iterator[Site]:
    """A separate site that sends mail."""
    letters = {"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": str(post.port), "EMAIL_USE_TLS": "0"}
    running = Site(tmp_path / "site", prepared, **letters)
    running.start()
    yield running
    running.interrupt()


def test_visitor_with_a_passkey_signs_up_without_a_password(
    visit: Visitor, post: PostOffice
) -> None:
    page = visit()
    page.goto("/")  # a passkey needs a host name
    home = page.url.replace("127.0.0.1", "localhost").rstrip("/")
    give_a_key(page)
    page.goto(f"{home}/accounts/signup/")
    page.get_by_role("link", name="Sign up using a passkey").click()
    page.get_by_label("Username").fill(NAME)
    page.get_by_label("Email").fill(f"{NAME}@example.com")
    expect(page.get_by_label("Password")).to_have_count(0)
    press_button(page, "Sign Up")

    page.get_by_label("Code").fill("000000")
    press_button(page, "Confirm")
    page.get_by_text("Incorrect code").wait_for()
    page.get_by_label("Code").fill(code_in(str(post.last().get_payload())))
    press_button(page, "Confirm")
    page.get_by_role("button", name="Create").click()
    page.wait_for_url(lambda url: "/2fa/" not in url)
    page.goto(f"{home}/accounts/")
    expect(page.locator("main")).to_contain_text(NAME)

    page.goto(f"{home}/accounts/logout/")
    submit(page, page.locator("main").get_by_role("button", name="Sign Out"))
    page.goto(f"{home}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(lambda url: "/login/" not in url)
    page.goto(f"{home}/accounts/")
    expect(page.locator("main")).to_contain_text(NAME)


def code_in(letter: str) -> str:
    found = re.search(r"^\s*([A-Z0-9]{4,}(?:-[A-Z0-9]+)*)\s*$", letter, re.MULTILINE)
    assert found, letter
    return found[1]
