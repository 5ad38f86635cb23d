"""A dominoes match at a real table, entered on phones: judged, confirmed, counted and corrected."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.club import (
    among_friends,
    code_for,
    code_of,
    confirm,
    expect_reading,
    found_league,
    hand_in_score,
    hold,
    hold_pips,
    join,
    key_of,
    lay_tile,
    open_match,
    path_of,
    press_button,
    sign_up,
    standings,
    submit,
    went_out,
)
from tests.e2e.conftest import Visitor
from tests.waiting import GLANCE

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.site import Site


def test_real_match_is_entered_confirmed_corrected_and_restored(visit: Visitor) -> None:
    """The hands are entered by tiles, by pips and by moves.

    A second account confirms the result.
    """
    ana, blas = visit(has_touch=True), visit(has_touch=True)
    sign_up(ana, "ana")
    join(blas, found_league(ana, "Thursday club"), "blas")
    league = path_of(blas.url)
    nobody = standings(blas, league)
    match = open_match(ana, league, "blas")
    by_tiles(ana)
    by_pips(ana)
    by_moves(ana)
    assert standings(blas, league) == nobody  # nothing counts yet
    confirm(blas)
    won = standings(blas, league)
    assert (won["ana"]["place"], won["blas"]["place"]) == ("1", "2")
    assert won["ana"]["rating"] > won["blas"]["rating"] != nobody["blas"]["rating"]

    correct(ana, match)
    expect_preview(ana, "ana", "1.", "2.")
    assert standings(blas, league) == won  # only a preview
    agree(ana, "Correct result", "Blas went out in the third")
    assert standings(blas, league) == nobody  # the player of that seat confirms first
    confirm(blas)
    turned = standings(blas, league)
    assert (turned["ana"]["place"], turned["blas"]["place"]) == ("2", "1")

    ana.goto(match)
    ana.get_by_text("Earlier versions").click()
    expect(ana.locator(".in-more li", has_text="Version")).to_have_count(2)
    ana.get_by_role("link", name="Bring back").click()
    expect_preview(ana, "ana", "2.", "1.")
    agree(ana, "Restore version", "It was right")
    confirm(blas)
    assert standings(blas, league) == won


def by_tiles(page: Page) -> None:
    """Enter a hand in which Blas went out, by the tiles that Ana still held."""
    went_out(page, "blas")
    hold(page, "ana", ["6-5", "5-5"])
    expect_reading(page, "ana: 5-5, 6-5, with 21 pips in total.")
    press_button(page, "Submit hand")
    page.get_by_text("The hand has been saved.").wait_for()


def by_pips(page: Page) -> None:
    """Enter a hand in which Ana went out.

    Only the pips of Blas are known, and no two tiles have 24.
    """
    went_out(page, "ana")
    hold_pips(page, "blas", 24)
    expect_reading(page, "blas can’t have 24 pips: the highest remaining tiles have 23.")
    expect(page.get_by_role("button", name="Submit hand")).to_be_disabled()
    hold_pips(page, "blas", 23)
    expect_reading(page, "ana wins the hand", "23 points")
    press_button(page, "Submit hand")
    page.get_by_text("The hand has been saved.").wait_for()


def by_moves(page: Page) -> None:
    """Enter the moves of a hand that Ana wins. The form offers only possible moves."""
    press_button(page, "Moves")
    submit(page, page.locator("button[name=leader][value='0']"))
    lay_tile(page, "6-3")
    expect(page.locator("button[value='tile:4-4']")).to_have_count(1)
    expect(page.locator("button[value='tile:5-5']")).to_have_count(0)  # neither 1 nor 4
    lay_tile(page, "4-3", ">4|3")
    lay_tile(page, "4-4")
    hold(page, "blas", ["6-6"])
    expect_reading(page, "12 points")
    press_button(page, "Submit the hand and win the match")
    page.get_by_text("Awaiting confirmation by a second player").wait_for()


def correct(page: Page, match: str) -> None:
    """Enter the third hand again: Blas went out, and Ana had 23 pips."""
    page.goto(match)
    press_button(page, "Correct result")
    press_button(page, "Change hand 3")
    press_button(page, "Tiles left in hand")
    went_out(page, "blas")
    hold_pips(page, "ana", 23)
    press_button(page, "Save hand")
    press_button(page, "Preview changes")


def expect_preview(page: Page, name: str, before: str, after: str) -> None:
    """Wait for the preview that shows what the correction changes."""
    page.get_by_role("heading", name="Preview of the changes").wait_for()
    lines = page.locator("ul.in-ask").first.locator("li").filter(has_text=name).inner_text()
    old, new = lines.split("→")
    assert before in old
    assert after in new
    page.get_by_role("heading", name="Ratings").wait_for()


def agree(page: Page, button: str, why: str) -> None:
    """Enter a reason and confirm."""
    page.get_by_label("Brief reason").fill(why)
    press_button(page, button)
    page.locator("#ticket").wait_for()


def test_real_match_can_be_entered_without_scripts(visit: Visitor) -> None:
    """Guests submit a hand with forms only.

    The other player claims the seat by its link and confirms.
    """
    carla, dani = (visit(java_script_enabled=False) for _ in range(2))
    match = among_friends(carla, "Carla", "Dani")
    went_out(carla, "Carla")
    hold_pips(carla, "Dani", 1000)
    press_button(carla, "Check")
    expect_reading(carla, "Dani can’t have 1000 pips")
    expect(carla.get_by_label("Pips left in Dani’s hand")).to_have_value("1000")
    carla.get_by_label("Pips left in Dani’s hand").fill("")
    hold(carla, "Dani", ["6-4"])
    press_button(carla, "Check")
    expect_reading(carla, "Dani: 6-4, with 10 pips in total.")
    press_button(carla, "Submit hand")
    carla.locator("details.in-sofar summary").click()
    press_button(carla, "End the match here and submit the result")
    link = carla.locator(".in-share a").inner_text()

    dani.goto(link)
    submit(dani, dani.get_by_role("button", name="Dani"))
    assert path_of(dani.url) == match
    press_button(dani, "Confirm result")
    dani.get_by_role("heading", name="Confirmed").wait_for()


def test_rematch_takes_one_tap_and_the_qr_code_leads_to_the_form(
    visit: Visitor, site: Site
) -> None:
    carla, dani = visit(), visit()
    match = among_friends(carla, "Carla", "Dani")
    hand_in_score(carla, {"Carla": 104, "Dani": 77})
    press_button(carla, "Rematch with the same players")
    again = path_of(carla.url)
    assert again != match
    expect(carla.locator(".in-chip.is-set b")).to_have_text(["Carla", "Dani"])

    carla.goto(again.replace("/hand/", "/scoresheet/"))
    key = f"{site.url}/matches/key/{key_of(site, again)}/"
    assert code_of(carla) == code_for(key)
    dani.goto(key)
    submit(dani, dani.get_by_role("button", name="Dani"))
    assert path_of(dani.url) == again
    expect(dani.locator("#in-form")).to_be_visible()


def test_player_who_went_out_can_be_changed_after_reloading(visit: Visitor) -> None:
    page = visit()
    among_friends(page, "Carla", "Dani")
    went_out(page, "Carla")
    hold_pips(page, "Dani", 9)
    expect_reading(page, "9 points")
    page.reload()
    expect(page.locator("label.is-who:visible b")).to_have_text(["Dani"])
    went_out(page, "Dani")
    hold_pips(page, "Carla", 12)
    expect_reading(page, "Dani wins the hand", "12 points")
    page.reload()
    expect(page.locator("label.is-who:visible b")).to_have_text(["Carla"])
    press_button(page, "Submit hand")
    page.get_by_text("The hand has been saved.").wait_for()


def test_form_error_is_shown_next_to_its_field(visit: Visitor, complaints: list[str]) -> None:
    page = visit()
    among_friends(page, "Carla", "Dani")
    said = page.get_by_role("alert")
    expect(said).to_be_hidden()
    went_out(page, "Carla")
    expect_reading(page, "Carla")
    connection = page.locator("#connection")
    page.context.set_offline(True)
    hold_pips(page, "Dani", 9)
    expect(connection).to_have_text(re.compile("no connection.*stays on this page"))
    page.context.set_offline(False)
    expect_reading(page, "9 points")  # without another key
    expect(connection).to_have_text(re.compile("is back"))
    expect(said).to_be_hidden()
    page.context.clear_cookies(name=re.compile("^csrftoken"))
    hold_pips(page, "Dani", 7)
    expect(said).to_have_text(re.compile("reload the page"))
    complaints.clear()  # the browser's own message


def test_taps_before_the_script_has_loaded_are_not_lost(visit: Visitor) -> None:
    page = visit()
    form = among_friends(page, "Carla", "Dani")
    page.wait_for_load_state()  # else the script held back below might be this page's
    late: list[Route] = []
    page.route("**/hand-in*.js", lambda route: late.append(route))  # noqa: PLW0108  it is given a mark
    page.goto(form, wait_until="commit")
    went_out(page, "Carla")
    hold_pips(page, "Dani", 9)
    while not late:
        page.wait_for_timeout(GLANCE * 1000)
    late[0].continue_()
    expect_reading(page, "Carla wins the hand", "9 points")
