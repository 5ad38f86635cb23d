"""League pages in a browser on a phone: invitations, wide tables, choice of seats, and
typed pips.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from leagues.fixtures.operations import preview_swiss
from leagues.matches.operations.matches import open_match
from leagues.models import Match, Player
from tests.browser import new_context
from tests.factories import browser as signed_in
from tests.leagues import game
from tests.leagues.pages.matches.games import DOMINOES
from tests.leagues.pages.tables.seats import open_table
from tests.leagues.pages.tables.seats import page as table_page
from tests.leagues.world import account, enter_league, found_league, guest, played

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Script that gives the browser a function to share links, because the test browser has none.
SHARING = "navigator.share = async (told) => { document.body.dataset.shared = told.url; };"


@pytest.mark.django_db(transaction=True)
def test_invitation_can_be_copied_and_shared(browser: Browser, live_server: LiveServer) -> None:
    game.register()
    olga = account("olga")
    league = found_league(olga)
    cookie = {"name": "sessionid", "value": signed_in(olga).cookies["sessionid"].value}
    pages = (reverse("league_members", args=[league.slug]), table_page(open_table(olga)))
    for script in (None, SHARING):
        context = new_context(browser, viewport={"width": 390, "height": 844})
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=live_server.url)
        context.add_cookies([{**cookie, "url": live_server.url}])  # type: ignore[typeddict-item]
        if script:
            context.add_init_script(script)
        page = context.new_page()
        for address in pages:
            page.goto(live_server.url + address)
            box = page.locator(".lg-share")
            link = page.locator("#invitation").evaluate("from => from.value ?? from.textContent")
            assert link.startswith(live_server.url)
            box.locator("[data-copy]").click()
            expect(box.locator("[data-copy]")).to_have_text("Copied")
            assert page.evaluate("navigator.clipboard.readText()") == link
            expect(box.locator("[data-copy]")).to_have_text("Copy")
            expect(box.locator("[data-share]")).to_be_visible(visible=bool(script))
            if script:
                box.locator("[data-share]").click()
                expect(page.locator("body")).to_have_attribute("data-shared", link)
            box.locator("summary").click()
            expect(box.locator("svg.qr")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
        context.close()


@pytest.mark.django_db(transaction=True)
def test_guests_of_one_long_name_are_merged_on_a_phone(
    browser: Browser, live_server: LiveServer
) -> None:
    game.register()
    olga = account("olga")
    league = found_league(olga)
    for name in ("W" * 60, "w" * 60):
        enter_league(league, guest(name))
    context = new_context(browser, viewport={"width": 390, "height": 844})
    cookie = signed_in(olga).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page = context.new_page()
    page.goto(live_server.url + reverse("league_members", args=[league.slug]))
    offer = page.locator("section", has=page.locator("#same-h"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    offer.get_by_role("link", name="Preview merge").click()
    merge = page.locator(".btn.go")
    expect(merge).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    merge.click()
    expect(merge).to_have_count(0)
    assert Player.objects.exclude(merged_into=None).get().name == "w" * 60
    context.close()


@pytest.mark.django_db(transaction=True)
def test_wide_tables_scroll_within_the_page(browser: Browser, live_server: LiveServer) -> None:
    game.register()
    olga, dora, dorita = account("olga"), guest("Dora"), guest("Dorita")
    league = found_league(olga, name="A league with the long name of a town", visibility="public")
    for one in (dora, dorita):
        enter_league(league, one)
        played(league, [olga, one], [10, 3])
    member = league.members.get(player=dorita)
    cookie = {"name": "sessionid", "value": signed_in(olga).cookies["sessionid"].value}
    context = new_context(browser, viewport={"width": 390, "height": 844}, locale="es")
    context.add_cookies([{**cookie, "url": live_server.url}])  # type: ignore[typeddict-item]
    page = context.new_page()
    for address in (
        reverse("player", args=[dora.slug]),
        reverse("member_merge", args=[league.slug, member.pk]) + f"?into={dora.slug}",
    ):
        page.goto(live_server.url + address)
        expect(page.locator(".scroll .lg-moves").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
    context.close()


@contextmanager
def phone(browser: Browser, live_server: LiveServer, player: Player) -> Iterator[Page]:
    """Open a phone-sized browser page of a signed-in player."""
    context = new_context(browser, base_url=live_server.url, viewport={"width": 390, "height": 844})
    session = signed_in(player).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    yield context.new_page()
    context.close()


@pytest.mark.django_db(transaction=True)
def test_seats_are_chosen_with_the_keyboard_only(browser: Browser, live_server: LiveServer) -> None:
    """A chosen name disappears from the page, so the focus moves to the next name."""
    ana, *others = (account(name) for name in ("ana", "berta", "carla", "dora"))
    league = DOMINOES.league(account("olga"), ana, *others, seats=4)
    with phone(browser, live_server, ana) as page:
        page.goto(reverse("league_new_match", args=[league.slug]))
        page.get_by_role("button", name="berta").focus()
        for focused in ("carla", "dora", "Remove dora", "dora", "Remove dora"):
            page.keyboard.press("Enter")
            expect(page.get_by_role("button", name=focused, exact=True)).to_be_focused()
        page.get_by_role("button", name="Go to the scoresheet").press("Enter")
        page.get_by_role("heading", name="Enter the result of a hand").wait_for()
    assert [seat.player for seat in Match.objects.get().seats.order_by("number")] == [ana, *others]


@pytest.mark.django_db(transaction=True)
def test_points_are_calculated_while_pips_are_typed(
    browser: Browser, live_server: LiveServer
) -> None:
    ana, berta = account("ana"), account("berta")
    league = DOMINOES.league(account("olga"), ana, berta)
    match = open_match(by=ana, at=timezone.now(), players=[ana, berta], league=league)
    with phone(browser, live_server, ana) as page:
        page.goto(reverse("dominoes_hand", args=[match.pk]))
        page.locator("label", has=page.locator("input[name=out][value='0']")).click()
        field = page.get_by_label("Pips left in berta’s hand")
        field.press_sequentially("24")
        expect(page.locator("#answer")).to_contain_text("berta: 24 pips.")
        expect(field).to_be_focused()


@pytest.mark.django_db(transaction=True)
def test_two_players_of_a_draw_are_swapped_in_the_browser(
    browser: Browser, live_server: LiveServer
) -> None:
    game.register()
    office = account("office")
    league = found_league(office, format="swiss", plays=False)
    for name in ("Ana", "Bruno", "Carla", "A name that is longer than the phone is wide"):
        enter_league(league, guest(name))
    (one, two), (other, four) = (p.seats for p in preview_swiss(league=league).pairings)
    with phone(browser, live_server, office) as page:
        page.goto(reverse("league_draw", args=[league.slug]))
        # The check boxes are reached and checked with the keyboard, too.
        page.locator(f'input[name=who][value="{one}"]').focus()
        page.keyboard.press("Space")
        page.locator("label", has=page.locator(f'[value="{other}"]')).click()
        page.get_by_role("button", name="Swap").click()
        expect(page.get_by_role("heading", name="Your changes")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_role("button", name="Save this round").click()
        expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    fixtures = league.rounds.get().fixtures.all()
    pairs = {frozenset(fixture.seats.values_list("player", flat=True)) for fixture in fixtures}
    assert pairs == {frozenset((other, two)), frozenset((one, four))}
