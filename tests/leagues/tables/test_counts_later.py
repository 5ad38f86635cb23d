"""The end of a match is hidden from others until delayed spectators have seen it.

`tests/security/test_two_futures.py` checks that no other URL reveals it.
"""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from events.numbering import number_waiting
from leagues.models import League, Match, Table
from leagues.tables import log as table_log
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import TableSettings
from tests.leagues import world
from tests.leagues.tables import sticks
from tests.leagues.tables.room import everybody_has_seen

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
DELAY = 3600


class Club:
    """A public league of two players with a table whose match has just ended, and a table outside
    leagues.
    """

    def __init__(self) -> None:
        self.ana, self.beto = world.account("ana"), world.account("beto")
        self.league = world.found_league(
            world.account("office"),
            plays=False,
            game=sticks.KEY,
            profile="short",
            visibility=League.Visibility.PUBLIC,
        )
        for player in (self.ana, self.beto):
            world.enter_league(self.league, player)
        self.free = self._played(league=None)
        self.of_league = self._played(league=self.league)

    def _played(self, league: League | None) -> Table:
        now, house = timezone.now(), TableSettings(delay=DELAY, watch=Table.Watch.ANYBODY)
        where = {"league": league} if league else {"game": sticks.KEY, "profile": "short"}
        table = lobby.create_table(host=self.ana, at=now, house=house, **where)
        lobby.sit_down(table_id=table.pk, player=self.beto, at=now)
        lobby.begin_table(table_id=table.pk, player=self.ana, at=now)
        people = [self.ana, self.beto]
        while (turn := Table.objects.get(pk=table.pk).turn) is not None:
            log = table_log.find_log(table.pk)
            assert log is not None
            left = log.position(log.moments[-1]).left  # type: ignore[attr-defined]
            table_moves.make_move(
                table_id=table.pk,
                player=people[turn],
                seen=log.table.moves_made,
                fields={"take": str(min(3, left))},
                at=timezone.now(),
            )
        number_waiting(at=timezone.now())
        return Table.objects.get(pk=table.pk)


@pytest.fixture
def club() -> Club:
    return Club()


def state(client: Client, table: Table) -> str:
    return str(client.get(f"/api/v1/tables/{table.pk}/").json()["state"])


@pytest.mark.parametrize("where", ["free", "of_league"])
def test_match_is_over_for_players_at_once_and_counts_after_the_delay(
    club: Club, where: str
) -> None:
    table: Table = getattr(club, where)
    ana = Client()
    ana.force_login(User.objects.get(username="ana"))
    assert state(ana, table) == "over"
    assert state(Client(), table) == "playing"
    assert Match.objects.count() == 0
    everybody_has_seen(table)
    match = Match.objects.get()
    assert (match.league, match.played_at) == (table.league, table.ended_at)
    assert table.ended_at is not None
    assert match.confirmed_at == table.ended_at + dt.timedelta(seconds=DELAY)


def test_table_stays_in_the_list_to_watch_until_spectators_have_seen_its_end(club: Club) -> None:
    address = f"/tables/{club.free.pk}/"
    assert address in Client().get("/tables/").text
    lines = Client().get("/api/v1/tables/?which=to_watch").json()["results"]
    assert [(line["id"], line["state"]) for line in lines] == [(club.free.pk, "playing")]
    everybody_has_seen(club.free)
    assert address not in Client().get("/tables/").text
