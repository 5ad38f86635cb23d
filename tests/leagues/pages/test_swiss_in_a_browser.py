"""A Swiss league of five evenings on the organiser's phone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from leagues.members.operations.membership import join_league
from leagues.models import Fixture, League, Round
from leagues.standings.queries import standings_basis
from leagues.text import score
from tests.leagues import game, world
from tests.leagues.pages.test_leagues_in_a_browser import phone

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("ana", "beto", "carla", "dora", "elena")


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= 390"))


def draw(page: Page, league: League, number: int) -> Round:
    page.goto(reverse("league_fixtures", args=[league.slug]))
    page.get_by_role("link", name="Draw the next round").click()
    page.get_by_role("button", name="Save this round").click()
    expect(page.get_by_role("heading", name=f"Round {number}")).to_be_visible()
    assert fits(page)
    return Round.objects.get(league=league, number=number)


def play_all(drawn: Round) -> None:
    """Let the player whose name comes first alphabetically win every fixture."""
    for fixture in drawn.fixtures.filter(state__in=Fixture.TO_PLAY):
        people = [player.name for player in world.seated(fixture)]
        points = (10, 4) if people == sorted(people) else (4, 10)
        world.play(fixture, *points, at=timezone.now())


def absent(page: Page, league: League, name: str, number: int) -> None:
    page.goto(reverse("league_fixtures", args=[league.slug]))
    page.get_by_text("Announce an absence").click()
    page.get_by_label("Player").select_option(label=name)
    page.get_by_label("Round to miss").select_option(label=f"Round {number}")
    page.get_by_role("button", name="Announce absence", exact=True).click()
    said = f"{name} will not be paired in round {number}."
    expect(page.get_by_text(said)).to_be_visible()
    assert fits(page)


def no_show(page: Page, drawn: Round, name: str) -> str:
    """Declare that a player did not come. Return the opponent."""
    fixture = drawn.fixtures.get(seats__player__name=name)
    page.goto(reverse("fixture", args=[drawn.league.slug, fixture.pk]))
    page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name="Declare a forfeit").click()
    expect(page.get_by_text("The fixture has been changed.")).to_be_visible()
    (other,) = (player.name for player in world.seated(fixture) if player.name != name)
    return other


def withdraw(page: Page, league: League, name: str) -> None:
    member = league.members.get(player__name=name)
    page.goto(reverse("member_leave", args=[league.slug, member.pk]))
    page.get_by_role("button", name="Withdraw player").click()
    expect(page.get_by_text(f"{name} has withdrawn from the league.")).to_be_visible()


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_swiss_league_of_five_evenings_on_a_phone(
    browser: Browser, live_server: LiveServer
) -> None:
    game.register()
    office = world.account("office")
    league = world.found_league(
        office,
        plays=False,
        format="swiss",
        rounds_planned=5,
        cut=2,
        visibility="public",
        tie_breaks=["buchholz_cut", "sonneborn_berger"],
    )
    for name in NAMES:
        world.enter_league(league, world.account(name))
    with phone(browser, live_server, office) as page:
        play_all(draw(page, league, 1))
        # Now a player joins late, and another announces an absence.
        join_league(token=league.invitation, by=world.account("fede"), at=timezone.now())
        absent(page, league, "ana", 2)
        second = draw(page, league, 2)
        assert not second.fixtures.filter(seats__player__name="ana").exists()
        play_all(second)
        third = draw(page, league, 3)
        winner = no_show(page, third, "fede")
        play_all(third)
        play_all(draw(page, league, 4))
        play_all(draw(page, league, 5))
        before = {row.player: row for row in standings_basis(league).rows()}
        withdraw(page, league, "ana")
        after = {row.player: row for row in standings_basis(league).rows()}
        places = {player: (row.place, row.score) for player, row in after.items()}
        assert places == {player: (row.place, row.score) for player, row in before.items()}
        page.goto(reverse("league", args=[league.slug]))
        rows = page.locator(".st-table tbody tr")
        expect(rows).to_have_count(6)
        assert fits(page)
        assert_each_row_is_explained(page, league)
        # The page explains places that do not follow from the results alone.
        explained(page, league, "ana")
        expect(page.locator("main")).to_contain_text("absence announced before the draw")
        explained(page, league, "fede")
        expect(page.locator("main")).to_contain_text("before joining the league")
        expect(page.locator("main")).to_contain_text("lost by forfeit")
        explained(page, league, winner)
        expect(page.locator("main")).to_contain_text("won by forfeit")


def assert_each_row_is_explained(page: Page, league: League) -> None:
    """Follow the link of each row with the keyboard; the page shows place and score."""
    for row in standings_basis(league).rows():
        name = league.players.get(pk=row.player).name
        page.goto(reverse("league", args=[league.slug]))
        link = page.locator("tr", has=page.get_by_role("link", name=name, exact=True))
        link = link.locator(".st-why a")
        link.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name=re.compile("^Why "))).to_be_visible()
        expect(page.locator("#score-h")).to_have_text(f"Score: {score(row.score)}")
        totals = page.locator("section[aria-labelledby=score-h] tbody tr td:last-child")
        expect(totals).to_have_count(5)
        expect(totals.last).to_have_text(score(row.score))
        assert fits(page)


def explained(page: Page, league: League, name: str) -> None:
    slug = world.called(name).slug
    page.goto(reverse("league_standing", args=[league.slug, slug]))
