"""Pages take as many database queries for three rows of each kind as for one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from leagues.members.operations.merging import merge_players
from leagues.models import League, Player, SiteIdentity, Table
from leagues.tables.operations import lobby
from leagues.tables.operations.lobby import TableSettings
from tests.leagues import game
from tests.leagues.world import (
    HOUR,
    NOW,
    account,
    draft_match,
    enter_league,
    found_league,
    guest,
    handed_in,
    played,
    round_robin,
    score,
)

pytestmark = pytest.mark.django_db

# Maximum number of queries of a page. Two of them load the signed-in user.
MOST = 18

Address = Callable[[League, League, Player], str]
PAGES: dict[str, Address] = {
    "leagues": lambda ladder, robin, ana: reverse("leagues"),
    "ladder": lambda ladder, robin, ana: reverse("league", args=[ladder.slug]),
    "round robin": lambda ladder, robin, ana: reverse("league", args=[robin.slug]),
    "results": lambda ladder, robin, ana: reverse("league_results", args=[ladder.slug]),
    "fixtures": lambda ladder, robin, ana: reverse("league_fixtures", args=[robin.slug]),
    "matrix": lambda ladder, robin, ana: reverse("league_matrix", args=[ladder.slug]),
    "history": lambda ladder, robin, ana: reverse("league_history", args=[ladder.slug]),
    "explanation": lambda ladder, robin, ana: reverse(
        "league_standing", args=[ladder.slug, ana.slug]
    ),
    "explanation of a drawn league": lambda ladder, robin, ana: reverse(
        "league_standing", args=[robin.slug, ana.slug]
    ),
    "members": lambda ladder, robin, ana: reverse("league_members", args=[ladder.slug]),
    "rules": lambda ladder, robin, ana: reverse("league_rules", args=[ladder.slug]),
    "calendar": lambda ladder, robin, ana: reverse("league_calendar", args=[robin.slug]),
    "export": lambda ladder, robin, ana: reverse("league_export", args=[ladder.slug]) + "?form=csv",
    "new match": lambda ladder, robin, ana: reverse("league_new_match", args=[ladder.slug]),
    "among friends": lambda ladder, robin, ana: reverse("new_match", args=[game.KEY]),
    "player": lambda ladder, robin, ana: reverse("player", args=[ana.slug]),
    "leaderboard": lambda ladder, robin, ana: reverse("leaderboard", args=[game.KEY]),
    "tables": lambda ladder, robin, ana: reverse("tables"),
    "dominoes": lambda ladder, robin, ana: reverse("dominoes"),
    "first page": lambda ladder, robin, ana: reverse("home"),
}


def add_row(ladder: League, ana: Player, row: int) -> None:
    """Add a row of everything that the pages list: players, results, merges, leagues, tables."""
    rival, new, old = account(f"rival{row}"), guest(f"new{row}"), guest(f"old{row}")
    for player in (rival, new, old):
        enter_league(ladder, player)
        played(ladder, [ana, player], [10, 3])
    for hours in (1, 2):
        played(ladder, [ana, rival], [10, 3], at=NOW + hours * HOUR)
    merge_players(absorbed=old, kept=rival, by=ana, at=NOW)
    handed_in(draft_match(ladder, [rival, ana]), rival, score(10, 4))
    draft_match(ladder, [ana, rival])
    found_league(ana, name=f"League {row}", visibility=League.Visibility.PUBLIC)
    for host, other in ((ana, rival), (rival, None), (rival, new)):
        lay_table(host, other)


def lay_table(host: Player, other: Player | None) -> None:
    """Create a table with a game in progress, or one that waits for a player."""
    now, house = timezone.now(), TableSettings(seating=Table.Seating.ANYBODY)
    table = lobby.create_table(host=host, at=now, game="dominoes", profile="rulebook", house=house)
    if other is not None:
        lobby.sit_down(table_id=table.pk, player=other, at=now)
        lobby.begin_table(table_id=table.pk, player=host, at=now)


def queries_of(client: Client, address: str) -> int:
    """Return the number of queries of a page that is not cached."""
    for cache in caches.all():
        cache.clear()
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    assert answer.status_code == 200, answer.status_code
    return len(queries)


def counts(ladder: League, robin: League, ana: Player) -> dict[str, int]:
    """Return the queries of every page, for a stranger and for a player concerned by everything."""
    signed_in = Client()
    assert ana.user is not None
    signed_in.force_login(ana.user)
    return {
        f"{name} for {who}": queries_of(client, address(ladder, robin, ana))
        for who, client in (("a stranger", Client()), ("ana", signed_in))
        for name, address in PAGES.items()
    }


@pytest.mark.slow
def test_pages_take_as_many_queries_for_three_rows_as_for_one() -> None:
    ana = account("ana")
    ladder = found_league(ana, visibility=League.Visibility.PUBLIC)
    add_row(ladder, ana, 0)
    robin = round_robin(ana, ["ana", "rival0", "third"])
    SiteIdentity.objects.get_or_create(pk=1)  # otherwise the first export would create it
    one = counts(ladder, robin, ana)
    for row in (1, 2):
        add_row(ladder, ana, row)
    more = round_robin(ana, ["ana", "rival0", "third", "rival1", "rival2"])
    three = counts(ladder, more, ana)
    assert three == one
    assert max(one.values()) <= MOST, one
