"""A rematch is offered on the page of the finished match, and asked for by a notification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Notice
from accounts.notifications import queries
from leagues.models import League, Player, Table
from leagues.tables.operations import lobby
from leagues.tables.operations.lobby import TableSettings
from tests.browser import new_context
from tests.factories import account, guest
from tests.factories import browser as signed_in
from tests.leagues.pages.matches.games import DOMINOES
from tests.leagues.pages.tables.seats import ACT, act, page, play_hand

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.django_db

SMALL = {"highest": 2, "hand_size": 2, "boneyard": "pass", "target": 1}
"""A set of six tiles, two for each: over after a few moves."""


def finished_table(host: Player, *others: Player, league: League | None = None) -> Table:
    """A finished match; anybody may take a seat."""
    given: dict[str, Any] = {"league": league} if league else {}
    if league is None:
        given = {"game": "dominoes", "profile": "own", "options": SMALL}
    table = lobby.create_table(
        host=host,
        at=timezone.now(),
        seats=1 + len(others),
        house=TableSettings(watch=Table.Watch.ANYBODY, delay=0, rated=False),
        **given,
    )
    for other in others:
        lobby.sit_down(table_id=table.pk, player=other, at=timezone.now())
    lobby.begin_table(table_id=table.pk, player=host, at=timezone.now())
    clients = tuple(signed_in(player) for player in (host, *others))
    for _ in range(20):
        play_hand(table, clients)  # type: ignore[arg-type]
        if table.state == Table.State.OVER:
            return table
        for client in clients:
            act(client, table, "ready")
    raise AssertionError("the match does not end")


@pytest.fixture
def ana() -> Player:
    return account("ana")


@pytest.fixture
def blas() -> Player:
    return account("blas")


def request_rematch(player: Player, table: Table) -> Table:
    """Press the button of the rematch; the table that it leads to."""
    signed_in(player).post(reverse(ACT, args=(table.pk, "rematch")))
    return Table.objects.exclude(pk=table.pk).latest("pk")


def table_page(client: Client, table: Table) -> str:
    return client.get(page(table)).content.decode()


def test_the_other_player_is_asked_on_the_page_and_by_a_notification(
    ana: Player, blas: Player
) -> None:
    table = finished_table(ana, blas)
    before = table_page(signed_in(blas), table)
    assert "Play a rematch" in before
    assert "asks for a rematch" not in before
    assert not Notice.objects.filter(kind="table_rematch").exists()
    again = request_rematch(ana, table)
    assert blas.user is not None
    (line,) = queries.latest(blas.user)
    assert line.text == f"ana asks you for a rematch (Matador dominoes, table {table.pk})."
    assert line.link == page(table)
    assert not Notice.objects.filter(user=ana.user, kind="table_rematch").exists()
    told = table_page(signed_in(blas), table)
    assert "ana asks for a rematch." in told
    assert "Accept the rematch" in told
    mine = table_page(signed_in(ana), table)
    assert "Accept the rematch" not in mine
    assert f'href="{page(again)}">Go to the rematch' in mine
    answer = signed_in(blas).post(reverse(ACT, args=(table.pk, "rematch")))
    assert answer["Location"] == page(again)
    again.refresh_from_db()
    assert again.state == Table.State.PLAYING
    assert "Go to the rematch" in table_page(signed_in(blas), table)


def test_one_notification_until_it_is_read(ana: Player, blas: Player) -> None:
    table = finished_table(ana, blas)
    first = request_rematch(ana, table)
    lobby.close_table(table_id=first.pk, player=ana, at=timezone.now())
    assert "Play a rematch" in table_page(signed_in(blas), table)
    second = request_rematch(ana, table)
    assert second.pk != first.pk
    assert Notice.objects.filter(user=blas.user, kind="table_rematch").count() == 1


def test_spectators_are_offered_nothing(ana: Player, blas: Player) -> None:
    table = finished_table(ana, blas)
    request_rematch(ana, table)
    assert "rematch" in table_page(signed_in(blas), table)
    assert "rematch" not in table_page(signed_in(account("eva")), table)


def test_a_seat_that_somebody_else_took_is_not_offered(ana: Player, blas: Player) -> None:
    table = finished_table(ana, blas)
    again = request_rematch(ana, table)
    lobby.sit_down(table_id=again.pk, player=guest("carla"), at=timezone.now(), invited=True)
    told = table_page(signed_in(blas), table)
    assert "ana is playing a rematch. All seats are taken." in told
    assert "Accept the rematch" not in told
    assert "All seats are taken." in act(signed_in(blas), table, "rematch")


def test_a_league_that_has_ended_has_no_rematch(ana: Player, blas: Player) -> None:
    table = finished_table(ana, blas, league=DOMINOES.league(ana, ana, blas, rules=SMALL))
    assert "Play a rematch" in table_page(signed_in(blas), table)
    League.objects.update(closed_at=timezone.now())
    assert "a rematch" not in table_page(signed_in(blas), table)


@pytest.mark.django_db(transaction=True)
def test_the_question_comes_to_an_open_page(
    browser: Browser, live_server: LiveServer, ana: Player, blas: Player
) -> None:
    table = finished_table(ana, blas)
    context = new_context(
        browser, base_url=live_server.url, locale="en-GB", viewport={"width": 390, "height": 844}
    )
    session = signed_in(blas).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    open_page: Page = context.new_page()
    open_page.goto(page(table))
    open_page.get_by_role("button", name="Play a rematch").focus()
    again = request_rematch(ana, table)
    accept = open_page.get_by_role("button", name="Accept the rematch")
    expect(accept).to_be_focused()
    expect(open_page.locator("#announce")).to_contain_text("ana asks for a rematch.")
    assert open_page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    accept.click()
    open_page.wait_for_url(f"**{page(again)}")
    expect(open_page.locator("#stage[data-state=playing]")).to_be_visible()
    context.close()
