"""An evening of a club in a browser: the organiser and the players use phones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from dominoes.engine import Rules as DominoRules
from leagues.fixtures.operations import draw_round_robin
from leagues.models import Fixture, League, Match, Player, Result
from tests.leagues.pages.matches.games import DOMINOES
from tests.leagues.pages.test_leagues_in_a_browser import phone
from tests.leagues.world import account

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("ana", "beto", "carla", "dora", "elena", "fede")
TARGET = 20


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= 390"))


def to_fixture(page: Page, fixture: Fixture) -> None:
    page.goto(reverse("fixture", args=[fixture.round.league.slug, fixture.pk]))
    assert fits(page)


def enter_hand(page: Page, winner: str, loser: str, pips: int) -> None:
    """Fill in the form of a hand: the winner played all tiles, the loser has `pips` left."""
    expect(page.get_by_role("heading", name="Enter the result of a hand")).to_be_visible()
    page.locator("label", has=page.locator("input[name=out]")).filter(has_text=winner).click()
    page.get_by_label(f"Pips left in {loser}’s hand").fill(str(pips))
    expect(page.locator("#answer")).to_contain_text(f"{loser}: {pips} pips.")
    assert fits(page)


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit the hand and win the match").click()
    expect(page.get_by_role("heading", name="Awaiting confirmation")).to_be_visible()


def fixtures_by_names(league: League) -> dict[frozenset[str], Fixture]:
    return {
        frozenset(fixture.seats.values_list("player__name", flat=True)): fixture
        for fixture in Fixture.objects.filter(round__league=league, round__number=1)
    }


@pytest.mark.django_db(transaction=True)
def test_evening_of_a_club_on_phones(browser: Browser, live_server: LiveServer) -> None:
    office = account("office")
    people = {name: account(name) for name in NAMES}
    rules = DominoRules(target=TARGET).options()
    league = DOMINOES.league(
        office, *people.values(), rules=rules, seats=2, format="round_robin", visibility="public"
    )
    league.members.filter(player=office).update(plays=False)
    draw_round_robin(league=league, by=office, at=timezone.now())
    missing, entered, own = fixtures_by_names(league).values()
    with phone(browser, live_server, office) as page:
        print_all(page, league)
        here = somebody_is_missing(page, missing)
        enter_with_a_lost_connection(page, entered)
    first, second = names_of(own)
    with phone(browser, live_server, people[first]) as page:
        to_fixture(page, own)
        page.get_by_role("button", name="Enter result").click()
        enter_hand(page, first, second, 21)
        submit(page)
    with phone(browser, live_server, people[second]) as page:
        page.goto(reverse("match", args=[match_of(own).pk]))
        page.get_by_role("button", name="Confirm result").click()
        expect(page.get_by_role("heading", name="Confirmed")).to_be_visible()
    dispute(browser, live_server, office, people, match_of(entered))
    correct(browser, live_server, office, match_of(own), (first, second))
    # Results of the evening: one forfeit, and two results with points.
    points = {
        frozenset(result.placings.values_list("player__name", "points"))
        for result in Result.objects.filter(league=league)
    }
    winner, loser = names_of(entered)
    assert points == {
        frozenset({(winner, 24), (loser, 0)}),
        frozenset({(first, 31), (second, 0)}),
        frozenset({(here, 0), (*(set(names_of(missing)) - {here}), 0)}),
    }
    with phone(browser, live_server, people[first]) as page:
        page.goto(reverse("league", args=[league.slug]))
        expect(page.locator(".st-table tbody tr")).to_have_count(6)
        assert fits(page)


def names_of(fixture: Fixture) -> tuple[str, str]:
    one, other = fixture.seats.order_by("number").values_list("player__name", flat=True)
    return one, other


def match_of(fixture: Fixture) -> Match:
    return Match.objects.get(fixture=fixture)


def print_all(page: Page, league: League) -> None:
    page.goto(reverse("league_fixtures", args=[league.slug]))
    section = page.locator("section", has=page.get_by_role("heading", name="Round 1", exact=False))
    section.first.get_by_role("button", name="Print all scoresheets").click()
    page.wait_for_load_state()
    assert page.get_by_text("Round 1").count() >= 3


def somebody_is_missing(page: Page, fixture: Fixture) -> str:
    """Declare a forfeit although the scoresheets are printed. Return the player who came."""
    gone, here = names_of(fixture)
    to_fixture(page, fixture)
    for offer in ("Postpone", "Declare a forfeit", "Void fixture"):
        expect(page.get_by_role("button", name=offer, exact=True)).to_be_visible()
    page.get_by_role("checkbox", name=gone).check()
    page.get_by_role("button", name="Declare a forfeit").click()
    expect(page.get_by_text("The fixture has been changed.")).to_be_visible()
    fixture.refresh_from_db()
    assert fixture.state == Fixture.State.FORFEITED
    return here


def enter_with_a_lost_connection(page: Page, fixture: Fixture) -> None:
    winner, loser = names_of(fixture)
    to_fixture(page, fixture)
    page.get_by_role("button", name="Enter result").click()
    enter_hand(page, winner, loser, 24)
    page.context.set_offline(True)
    page.get_by_role("button", name="Submit the hand and win the match").click()
    expect(page.get_by_text("What you sent is kept")).to_be_visible()
    assert page.get_by_label(f"Pips left in {loser}’s hand").input_value() == "24"
    assert not Match.objects.filter(fixture=fixture).exclude(sheet=None).exists()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Awaiting confirmation")).to_be_visible()
    match = match_of(fixture)
    assert match.sheet is not None
    assert match.sheet.points == [24, 0]


def dispute(
    browser: Browser,
    live_server: LiveServer,
    office: Player,
    people: dict[str, Player],
    match: Match,
) -> None:
    """Dispute a match. As the organiser entered it, the disputing player agrees to a proposal."""
    loser = match.seats.get(number=1).player
    address = reverse("match", args=[match.pk])
    with phone(browser, live_server, loser) as page:
        page.goto(address)
        page.get_by_text("Is something wrong?").click()
        page.get_by_label("What is wrong").fill("I had fewer tiles left.")
        page.get_by_role("button", name="Dispute result").click()
        expect(page.get_by_role("heading", name="Disputed")).to_be_visible()
        assert fits(page)
    with phone(browser, live_server, office) as page:
        page.goto(address)
        expect(page.get_by_text("I had fewer tiles left.")).to_be_visible()
        expect(page.get_by_role("button", name="Everything is correct")).to_have_count(0)
        page.get_by_label("Brief reason").fill("We counted them together.")
        page.get_by_role("button", name="Propose that the result stands").click()
        expect(
            page.get_by_text(
                "This proposal is waiting for an answer from a player on the other side."
            )
        ).to_be_visible()
        assert fits(page)
    with phone(browser, live_server, loser) as page:
        page.goto(address)
        page.get_by_role("button", name="Agree", exact=True).click()
        expect(page.get_by_role("heading", name="Confirmed")).to_be_visible()
    match.refresh_from_db()
    assert match.state == Match.State.CONFIRMED
    assert match.confirmed_by == loser


def correct(
    browser: Browser,
    live_server: LiveServer,
    office: Player,
    match: Match,
    names: tuple[str, str],
) -> None:
    """Correct a match as the organiser, who neither played nor entered it and so decides alone."""
    first, second = names
    with phone(browser, live_server, office) as page:
        page.goto(reverse("match", args=[match.pk]))
        page.get_by_role("button", name="Correct result").click()
        page.get_by_role("button", name="Change hand 1").click()
        page.get_by_label(f"Pips left in {second}’s hand").fill("31")
        expect(page.locator("#answer")).to_contain_text(f"{second}: 31 pips.")
        # The hand being changed is part of the correction.
        page.get_by_role("button", name="Preview changes").click()
        expect(page.get_by_text("Preview of the changes")).to_be_visible()
        assert fits(page)
        page.get_by_label("Brief reason").fill("Ten pips were not counted.")
        page.locator("main .btn.go").click()
        expect(page.get_by_role("heading", name="Confirmed")).to_be_visible()
    match.refresh_from_db()
    assert match.sheet is not None
    assert match.sheet.points == [31, 0]
    assert names == (first, second)
