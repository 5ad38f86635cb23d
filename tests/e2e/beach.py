"""Browser helpers for a club that plays El Toro at a real table: its league, and a game on a
phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tests.e2e.club import path_of, press_button, tap

if TYPE_CHECKING:
    from playwright.sync_api import Page


def found_beach_league(page: Page, name: str) -> str:
    """Create an El Toro league with the default rules, and return the path of its invitation."""
    page.goto("/leagues/new/?game=eltoro")
    page.get_by_label("Name", exact=True).fill(name)
    press_button(page, "Start league")
    return path_of(page.locator(".lg-invite .lg-link").inner_text())


def open_evening(page: Page, league: str, other: str) -> str:
    """Open the form for a game from the league's page, and return its path."""
    page.goto(league)
    page.get_by_role("link", name="Enter a match result").click()
    tap(page, other)
    press_button(page, "Go to the scoresheet")
    return path_of(page.url)


def with_friends(page: Page, own: str, other: str) -> str:
    """Open the form for a game of two players without accounts, and return its path."""
    page.goto("/eltoro/")
    page.get_by_role("link", name="Enter a match result").click()
    page.get_by_label("Your name").fill(own)
    page.get_by_label("Seat 2").fill(other)
    press_button(page, "Go to the scoresheet")
    return path_of(page.url)


def write_points(page: Page, name: str, days: Sequence[str]) -> None:
    """Enter a player's points for each day."""
    for number, points in enumerate(days, start=1):
        field = page.get_by_label(f"{name}, day {number}")
        field.fill(points)
        field.blur()


def lay_out(page: Page, arrived: Mapping[str, Mapping[str, int]]) -> None:
    """Choose the destinations and enter how many runners of each player arrived there."""
    for place, counts in arrived.items():
        page.locator("label.elt-laid-card").filter(has_text=place).first.click()
        for name, count in counts.items():
            field = page.get_by_label(f"{name} at {place}").and_(page.locator(":visible"))
            field.fill(f"{count}")
            field.blur()


def rolled(page: Page, name: str, face: int) -> None:
    """Enter the number that a player rolled in the morning."""
    page.get_by_label(f"{name} rolled").select_option(f"{face}")


def by_cards(page: Page, name: str, points: int) -> None:
    """Enter the points that cards gave a player."""
    field = page.get_by_label(f"{name}’s points from cards")
    field.fill(f"{points}")
    field.blur()
