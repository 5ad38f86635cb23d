"""Of a table whose watchers are behind, nobody but who sits there learns how it ended.

Every address is asked by every role, then again after all that whoever watches has not seen was
replaced; the answers must be the same, byte for byte.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from events.numbering import number
from leagues import playing
from leagues.models import League, Match, Table, TableMoment, TableMove
from leagues.operations import tables
from leagues.operations.tables import House
from tests.leagues.operations import world
from tests.leagues.tables import sticks
from tests.leagues.tables.room import everybody_has_seen
from tests.security.endpoints import walk

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
DELAY = 3600
VARYING = re.compile(
    rb'name="csrfmiddlewaretoken" value="[^"]*"|"?csrf_?token"?[:=]\s*"[^"]*"|nonce="[^"]*"'
)
PART = re.compile(r"<(?:\w+:)?(\w+)>")


class Club:
    """A public league of two, at one of whose tables the match was just decided."""

    def __init__(self) -> None:
        self.ana, self.beto = world.account("ana"), world.account("beto")
        self.league = world.found(
            world.account("office"),
            plays=False,
            game=sticks.KEY,
            profile="short",
            visibility=League.Visibility.PUBLIC,
        )
        for player in (self.ana, self.beto):
            world.enter(self.league, player)
        self.free = self._played(league=None)
        self.of_league = self._played(league=self.league)

    def _played(self, league: League | None) -> Table:
        now, house = timezone.now(), House(delay=DELAY, watch=Table.Watch.ANYBODY)
        where = {"league": league} if league else {"game": sticks.KEY, "profile": "short"}
        table = tables.lay_table(host=self.ana, at=now, house=house, **where)
        tables.sit_down(table_id=table.pk, player=self.beto, at=now)
        tables.begin(table_id=table.pk, player=self.ana, at=now)
        people = [self.ana, self.beto]
        while (turn := Table.objects.get(pk=table.pk).turn) is not None:
            log = playing.find(table.pk)
            assert log is not None
            left = log.position(log.moments[-1]).left  # type: ignore[attr-defined]
            tables.make_move(
                table_id=table.pk,
                player=people[turn],
                seen=log.table.moves_made,
                fields={"take": str(min(3, left))},
                at=timezone.now(),
            )
        number(at=timezone.now())
        return Table.objects.get(pk=table.pk)

    def replace_what_is_hidden(self) -> None:
        """As if the other had won, in moves of other kinds."""
        for table in (self.free, self.of_league):
            Table.objects.filter(pk=table.pk).update(points=list(reversed(table.points)))
            moments = TableMoment.objects.filter(table=table, moves__gt=0)
            for moment in moments:
                moment.points = list(reversed(moment.points))
                moment.save()
            TableMove.objects.filter(table=table).update(text="?")


def addresses(club: Club) -> Iterator[str]:
    """Everything that can be asked about these tables, their league and their players."""
    known = {
        "game": [sticks.KEY],
        "slug": [club.league.slug, club.ana.slug, club.beto.slug],
        "league": [club.league.slug],
        "player": [club.ana.slug, club.beto.slug],
    }
    numbers = [str(club.free.pk), str(club.of_league.pk), "1", "2"]
    for _name, route, _pattern in walk(get_resolver()):
        if not TOLD.search(route) or "logout" in route or "(?P" in route:
            continue
        parts = PART.findall(route)
        found = ["/" + route.replace("^", "").replace("$", "")]
        for part in parts:
            values = known.get(part, numbers)
            found = [PART.sub(value, one, count=1) for one in found for value in values]
        yield from found


TOLD = re.compile(
    r"^(leagues|players|tables|matches|tienta|dominoes|eltoro|sucesos|admin/leagues"
    r"|api/v1/(leagues|players|tables|matches|events|me))|^$"
)


def answers(client: Client, asked: list[str]) -> dict[str, tuple[int, bytes]]:
    cache.clear()
    found = {}
    for address in asked:
        answer = client.get(address)
        body = b"".join(answer) if answer.streaming else answer.content
        found[address] = (answer.status_code, VARYING.sub(b"", body))
    return found


@pytest.fixture
def club(settings: Settings) -> Club:
    settings.API_READS_A_MINUTE = 10**9
    return Club()


@pytest.mark.parametrize("role", ["stranger", "fan", "organiser", "admin"])
def test_what_is_hidden_changes_no_answer(club: Club, role: str) -> None:
    client = Client()
    if role == "fan":
        client.force_login(User.objects.create_user("fan"))
    elif role == "organiser":
        client.force_login(User.objects.get(username="office"))
    elif role == "admin":
        client.force_login(User.objects.create_superuser("boss"))
    asked = sorted(set(addresses(club)))
    assert len(asked) > 200
    answers(client, asked)  # whoever looks for the first time may be given a player's row
    before = answers(client, asked)
    club.replace_what_is_hidden()
    after = answers(client, asked)
    differing = [address for address in asked if before[address] != after[address]]
    assert differing == []
    told = [address for address in asked if after[address][0] == 200]
    assert len(told) > 40


def state(client: Client, table: Table) -> str:
    return str(client.get(f"/api/v1/tables/{table.pk}/").json()["state"])


@pytest.mark.parametrize("where", ["free", "of_league"])
def test_it_is_over_for_who_sits_there_and_counts_later(club: Club, where: str) -> None:
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


def test_a_free_table_is_watched_until_its_end_has_been_seen(club: Club) -> None:
    address = f"/tables/{club.free.pk}/"
    assert address in Client().get("/tables/").text
    lines = Client().get("/api/v1/tables/?which=to_watch").json()["results"]
    assert [(line["id"], line["state"]) for line in lines] == [(club.free.pk, "playing")]
    everybody_has_seen(club.free)
    assert address not in Client().get("/tables/").text
