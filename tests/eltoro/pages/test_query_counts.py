"""El Toro pages need as many database queries for three rows as for one."""

from __future__ import annotations

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from eltoro.engine import DueEntryKind
from eltoro.models import Keeping
from eltoro.queries import real_board_of
from leagues.league.operations import LeagueSettings, create_league
from leagues.matches.operations import matches
from leagues.members.operations.membership import join_league
from leagues.models import League, Match, Player, Table
from leagues.tables.operations import lobby
from leagues.tables.operations.lobby import TableSettings
from tests.eltoro.pages.anything import SHEET, board_with_entries, charged, evening
from tests.factories import account, browser

pytestmark = pytest.mark.django_db

# Maximum number of queries of any of these pages. Two of them load the user who is signed in.
MOST = 17


def add_row(ana: Player, row: int) -> None:
    """Add a row to everything that pages list: leagues, results, tables and recorded boards."""
    rival, now = account(f"rival{row}"), timezone.now()
    settings = LeagueSettings(
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
    board_with_entries(evening(None, ana, rival), ana, "board")
    charged(evening(None, ana, rival), ana)
    for host, other in ((ana, rival), (rival, None)):
        lay_table(host, other)


def lay_table(host: Player, other: Player | None) -> None:
    """Create a game table; with another player the game begins, otherwise it waits for one."""
    now, house = timezone.now(), TableSettings(seating=Table.Seating.ANYBODY)
    table = lobby.create_table(host=host, at=now, game="eltoro", profile="one-day", house=house)
    if other is not None:
        lobby.sit_down(table_id=table.pk, player=other, at=now)
        lobby.begin_table(table_id=table.pk, player=host, at=now)


def queries_of(client: Client, address: str) -> int:
    """Return the number of queries for a page with empty caches."""
    for cache in caches.all():
        cache.clear()
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    assert answer.status_code == 200, address
    return len(queries)


def counts(ana: Player) -> dict[str, int]:
    """Return the number of queries of each list, for an anonymous visitor and for a player."""
    return {
        f"{name} for {who}": queries_of(client, reverse(name))
        for who, client in (("a stranger", Client()), ("ana", browser(ana)))
        for name in ("eltoro", "eltoro_rules", "eltoro_keepers", "eltoro_scoresheet")
    }


@pytest.mark.slow
def test_el_toro_pages_need_as_many_queries_for_three_rows_as_for_one() -> None:
    ana = account("ana")
    add_row(ana, 0)
    one = counts(ana)
    for row in (1, 2):
        add_row(ana, row)
    assert counts(ana) == one
    assert max(one.values()) <= MOST, one


def test_number_of_queries_for_a_board_does_not_depend_on_its_entries() -> None:
    ana, rival = account("ana"), account("rival")
    short, long = evening(None, ana, rival), evening(None, ana, rival)
    board_with_entries(short, ana, "all", "lay")
    row = charged(long, ana)
    assert real_board_of(row).due is DueEntryKind.CARDS
    asked = {queries_of(browser(ana), board_of(match)) for match in (short, long)}
    assert len(asked) == 1
    assert max(asked) <= MOST
    assert Keeping.objects.count() == 2


def board_of(match: Match) -> str:
    return reverse("eltoro_keeper", args=[match.pk])
