"""A game of El Toro at a real table, entered on phones in two ways: judged, confirmed and
corrected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.beach import (
    by_cards,
    found_beach_league,
    lay_out,
    open_evening,
    rolled,
    with_friends,
    write_points,
)
from tests.e2e.club import (
    code_for,
    code_of,
    confirm,
    expect_reading,
    join,
    key_of,
    path_of,
    press_button,
    sign_up,
    standings,
    submit,
)
from tests.e2e.conftest import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.site import Site

FIRST = {
    "Restaurant": {"luna": 2},
    "Nightclub": {"luna": 2},
    "Casino": {"sol": 3},
    "Bank": {"sol": 1},
    "Festival": {},
}
SECOND = {"Restaurant": {"sol": 4}, "Bank": {"luna": 1}, "Casino": {}, "Festival": {}}


@pytest.mark.nightly
def test_games_entered_by_points_and_day_by_day_change_the_standings(visit: Visitor) -> None:
    """One player submits each game, the other one confirms it, and the standings change each
    time.
    """
    luna, sol = visit(has_touch=True), visit(has_touch=True)
    sign_up(luna, "luna")
    join(sol, found_beach_league(luna, "Beach club"), "sol")
    league = path_of(sol.url)
    nobody = standings(sol, league)
    open_evening(luna, league, "sol")
    by_points(luna)
    assert standings(sol, league) == nobody  # nothing counts yet
    confirm(sol)
    won = standings(sol, league)
    assert (won["luna"]["place"], won["sol"]["place"]) == ("1", "2")

    open_evening(luna, league, "sol")
    day_by_day(luna)
    confirm(sol)
    turned = standings(sol, league)
    assert turned["sol"]["rating"] != won["sol"]["rating"]


def by_points(page: Page) -> None:
    """Enter points by day and player: first an impossible day, then possible ones and a
    tie-break.
    """
    write_points(page, "sol", ["9", "99", "8"])
    press_button(page, "Submit points")
    expect_reading(page, "Day 2, sol: a player can score at most")
    write_points(page, "sol", ["9", "17", "8"])
    expect_reading(page, "3 fields are still empty.")
    write_points(page, "luna", ["14", "8", "12"])
    expect_reading(
        page, ("luna and sol are tied on 34 points; luna wins, having scored 12 on the last day.")
    )
    press_button(page, "Submit points")
    page.get_by_text("Awaiting confirmation by a second player").wait_for()


def day_by_day(page: Page) -> None:
    """Enter where the runners arrived on each day, a die roll, and a change of a day."""
    press_button(page, "Where the runners arrived")
    lay_out(page, FIRST)
    expect_reading(page, "luna: 8 runners.", "rolls a die first")
    press_button(page, "Save day")
    page.get_by_text("The day has been saved.").wait_for()
    lay_out(page, SECOND)
    expect_reading(page, "five destinations must be laid out, not 4. Which ones were they?")
    page.get_by_role("checkbox", name="Nightclub").check()
    expect_reading(page, "sol had reached a destination that gives a die. What did the die show?")
    rolled(page, "sol", 4)
    by_cards(page, "sol", 2)
    expect_reading(page, "sol: 4 of 9 runners reached a destination.")
    press_button(page, "Save day")
    page.get_by_text("The day has been saved.").wait_for()
    change_the_first_day(page)
    lay_out(page, {"Restaurant": {"luna": 1, "sol": 2}, "Bank": {}, "Casino": {}, "Festival": {}})
    page.get_by_role("checkbox", name="China Shop").check()
    expect_reading(page, "sol wins with")
    press_button(page, "Submit the last day and end the evening")
    page.get_by_text("Awaiting confirmation by a second player").wait_for()


def change_the_first_day(page: Page) -> None:
    """Go back to the first day, change it, and continue to the third."""
    page.locator("details.in-sofar summary").click()
    press_button(page, "Change day 1")
    expect(page.get_by_label("luna at Restaurant").first).to_have_value("2")
    page.get_by_label("luna at Restaurant").first.fill("3")
    press_button(page, "Save changes to the day")
    page.get_by_text("The day has been saved.").wait_for()


def test_game_of_el_toro_can_be_entered_without_scripts(visit: Visitor) -> None:
    """Guests submit it with forms only.

    The other player claims the seat by its link and confirms.
    """
    carla, dani = (visit(java_script_enabled=False) for _ in range(2))
    match = with_friends(carla, "Carla", "Dani")
    write_points(carla, "Carla", ["14", "-1", "12"])
    write_points(carla, "Dani", ["9", "900", "12"])
    press_button(carla, "Submit points")
    expect_reading(carla, "Day 2, Dani: a player can score at most")
    expect(carla.get_by_label("Dani, day 2")).to_have_value("900")
    write_points(carla, "Dani", ["9", "4", "12"])
    press_button(carla, "Check")
    expect_reading(carla, "Carla and Dani share the victory with 25 points each")
    press_button(carla, "Submit points")
    link = carla.locator(".in-share a").inner_text()

    dani.goto(link)
    submit(dani, dani.get_by_role("button", name="Dani"))
    assert path_of(dani.url) == match
    press_button(dani, "Confirm result")
    dani.get_by_role("heading", name="Confirmed").wait_for()


def test_days_of_el_toro_can_be_entered_without_scripts(visit: Visitor) -> None:
    page = visit(java_script_enabled=False)
    with_friends(page, "luna", "sol")
    press_button(page, "Where the runners arrived")
    lay_out(page, FIRST)
    press_button(page, "Check")
    expect_reading(
        page, "luna: 4 of 9 runners reached a destination. 14 points.", "luna: 8 runners."
    )
    press_button(page, "Save day")
    page.get_by_text("The day has been saved.").wait_for()
    page.get_by_label("sol rolled").wait_for()


def test_qr_code_of_the_scoresheet_leads_to_its_form(visit: Visitor, site: Site) -> None:
    carla, dani = visit(), visit()
    match = with_friends(carla, "Carla", "Dani")
    carla.goto(match.replace("/evening/", "/scoresheet/"))
    key = f"{site.url}/matches/key/{key_of(site, match)}/"
    assert code_of(carla) == code_for(key)
    dani.goto(key)
    submit(dani, dani.get_by_role("button", name="Dani"))
    assert path_of(dani.url) == match
    expect(dani.locator("#in-form")).to_be_visible()
