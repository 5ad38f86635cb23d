"""Pressing a button twice performs its operation once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.club import sign_up

if TYPE_CHECKING:
    from tests.e2e.conftest import Visitor

SLOW_DOUBLE_CLICK = "button => { button.click(); setTimeout(() => button.click(), 60); }"


def test_double_click_creates_one_league(visit: Visitor) -> None:
    page = visit()
    sign_up(page, "hasty")
    page.goto("/leagues/new/?game=dominoes")
    page.get_by_label("Name", exact=True).fill("Founded in haste")
    page.get_by_role("button", name="Start league").evaluate(SLOW_DOUBLE_CLICK)
    page.get_by_text("The league has been created.").wait_for()
    page.goto("/leagues/")
    expect(page.get_by_role("link", name="Founded in haste")).to_have_count(1)


def test_form_can_be_sent_again_after_going_back(visit: Visitor) -> None:
    page = visit()
    sign_up(page, "patient")
    page.goto("/leagues/new/?game=dominoes")
    page.get_by_role("button", name="Start league").click()
    page.get_by_label("Name", exact=True).fill("The second try")
    page.get_by_role("button", name="Start league").click()
    page.get_by_text("The league has been created.").wait_for()
