"""How often the pages ask the database: the same with one row of everything as with three."""

from __future__ import annotations

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from eltoro.engine import Due
from eltoro.models import Keeping
from eltoro.queries import real_board_of
from leagues.league.operations import Settings, create_league
from leagues.matches.operations import matches
from leagues.members.operations.membership import join_league
from leagues.models import League, Match, Player, Table
from leagues.tables.operations import lobby
from leagues.tables.operations.lobby import TableSettings
from tests.eltoro.pages.anything import SHEET, charged, evening, kept
from tests.factories import account, browser

pytestmark = pytest.mark.django_db

MOST = 17
"""Queries of any of these pages at most, of which two tell who is signed in."""


def add_row(ana: Player, row: int) -> None:
    """One more of all that the pages list: leagues, results, tables, boards being kept."""
    rival, now = account(f"rival{row}"), timezone.now()
    settings = Settings(
        name=f"Beach {row}", game="eltoro", profile="one-day", visibility=League.Visibility.PUBLIC
    )
    league = create_league(settings=settings, by=ana, at=now)
    join_league(token=league.invitation, by=rival, at=now)
    played = matches.hand_in(
        match=(one := evening(league, ana, rival)),
        version=one.version,
        by=ana,
        at=now,
        content=SHEET,
    )
    matches.confirm(match=played, version=played.version, by=rival, at=now)
    evening(None, ana, rival)
    kept(evening(None, ana, rival), ana, "board")
    charged(evening(None, ana, rival), ana)
    for host, other in ((ana, rival), (rival, None)):
        lay_table(host, other)


def lay_table(host: Player, other: Player | None) -> None:
    """A table that is played at, or waits for somebody."""
    now, house = timezone.now(), TableSettings(seating=Table.Seating.ANYBODY)
    table = lobby.create_table(host=host, at=now, game="eltoro", profile="one-day", house=house)
    if other is not None:
        lobby.sit_down(table_id=table.pk, player=other, at=now)
        lobby.begin_table(table_id=table.pk, player=host, at=now)


def queries_of(client: Client, address: str) -> int:
    """How many queries a page takes that nobody has asked for yet."""
    for cache in caches.all():
        cache.clear()
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    assert answer.status_code == 200, address
    return len(queries)


def counts(ana: Player) -> dict[str, int]:
    """The queries of every list, for a stranger and for one whom all of it concerns."""
    return {
        f"{name} for {who}": queries_of(client, reverse(name))
        for who, client in (("a stranger", Client()), ("ana", browser(ana)))
        for name in ("eltoro", "eltoro_rules", "eltoro_keepers", "eltoro_scoresheet")
    }


@pytest.mark.slow
def test_every_page_asks_as_often_with_one_row_as_with_three() -> None:
    ana = account("ana")
    add_row(ana, 0)
    one = counts(ana)
    for row in (1, 2):
        add_row(ana, row)
    assert counts(ana) == one
    assert max(one.values()) <= MOST, one


def test_a_board_asks_no_oftener_the_longer_it_is_kept() -> None:
    ana, rival = account("ana"), account("rival")
    short, long = evening(None, ana, rival), evening(None, ana, rival)
    kept(short, ana, "all", "lay")
    row = charged(long, ana)
    assert real_board_of(row).due is Due.CARDS
    asked = {queries_of(browser(ana), board_of(match)) for match in (short, long)}
    assert len(asked) == 1
    assert max(asked) <= MOST
    assert Keeping.objects.count() == 2


def board_of(match: Match) -> str:
    return reverse("eltoro_keeper", args=[match.pk])
