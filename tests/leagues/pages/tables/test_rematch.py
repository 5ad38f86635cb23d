"""A rematch is offered on the page of the finished match, and the opponent gets a notification."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice
from accounts.notifications import queries
from leagues.models import League, Player, Table
from leagues.tables.operations import lobby
from leagues.tables.operations.lobby import TableSettings
from tests.factories import account, guest
from tests.factories import browser as signed_in
from tests.leagues.pages.matches.games import DOMINOES
from tests.leagues.pages.tables.seats import ACT, act, page, play_hand

pytestmark = pytest.mark.django_db

# A set of six tiles, two for each player: a match ends after a few moves.
SMALL = {"highest": 2, "hand_size": 2, "boneyard": "pass", "target": 1}


def finished_table(host: Player, *others: Player, league: League | None = None) -> Table:
    """Play a match to its end at a new table, and return the table."""
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
    """Press the button for a rematch, and return the new table."""
    signed_in(player).post(reverse(ACT, args=(table.pk, "rematch")))
    return Table.objects.exclude(pk=table.pk).latest("pk")


def table_page(client: Client, table: Table) -> str:
    return client.get(page(table)).content.decode()


@pytest.mark.slow
def test_request_for_a_rematch_appears_on_the_page_and_as_a_notification(
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


@pytest.mark.slow
def test_request_for_a_rematch_is_notified_once_until_it_is_read(ana: Player, blas: Player) -> None:
    table = finished_table(ana, blas)
    first = request_rematch(ana, table)
    lobby.close_table(table_id=first.pk, player=ana, at=timezone.now())
    assert "Play a rematch" in table_page(signed_in(blas), table)
    second = request_rematch(ana, table)
    assert second.pk != first.pk
    assert Notice.objects.filter(user=blas.user, kind="table_rematch").count() == 1


def test_spectators_are_not_offered_a_rematch(ana: Player, blas: Player) -> None:
    table = finished_table(ana, blas)
    request_rematch(ana, table)
    assert "rematch" in table_page(signed_in(blas), table)
    assert "rematch" not in table_page(signed_in(account("eva")), table)


@pytest.mark.slow
def test_rematch_whose_seat_is_taken_is_not_offered(ana: Player, blas: Player) -> None:
    table = finished_table(ana, blas)
    again = request_rematch(ana, table)
    lobby.sit_down(table_id=again.pk, player=guest("carla"), at=timezone.now(), invited=True)
    told = table_page(signed_in(blas), table)
    assert "ana is playing a rematch. All seats are taken." in told
    assert "Accept the rematch" not in told
    assert "All seats are taken." in act(signed_in(blas), table, "rematch")


def test_closed_league_offers_no_rematch(ana: Player, blas: Player) -> None:
    table = finished_table(ana, blas, league=DOMINOES.league(ana, ana, blas, rules=SMALL))
    assert "Play a rematch" in table_page(signed_in(blas), table)
    League.objects.update(closed_at=timezone.now())
    assert "a rematch" not in table_page(signed_in(blas), table)
