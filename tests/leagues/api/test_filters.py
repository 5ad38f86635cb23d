"""Query parameters that filter lists of leagues, matches, fixtures, members and game tables."""

from __future__ import annotations

import pytest
from django.utils import timezone

from accounts.models import User
from dominoes.engine import Rules
from leagues.fixtures.operations import draw_round_robin, void_fixture
from leagues.league.operations import close_league
from leagues.models import Fixture, League, Player, Table
from leagues.players import new_player
from leagues.tables.operations.lobby import create_table
from tests import factories
from tests.eltoro.tabletop.sheets.paper import town
from tests.leagues.api.programs import Program, program

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> Program:
    """Return ana's program. She plays in the league `pena`, but not in `pueblo`."""
    reader = program("ana")
    now = timezone.now()
    ana = Player.objects.filter(user__username="ana").first() or new_player(
        name="ana", at=now, user=User.objects.get(username="ana")
    )
    blas, cruz, dora = (factories.account(name) for name in ("blas", "cruz", "dora"))
    pena = factories.league(
        *("dominoes", blas, ana, cruz, dora),
        rules=Rules().options(),
        slug="pena",
        invitation="one",
        seats=2,
        format=League.Format.ROUND_ROBIN,
        visibility=League.Visibility.PUBLIC,
    )
    draw_round_robin(league=pena, by=blas, at=now)
    first = Fixture.objects.filter(round__league=pena)[0]
    void_fixture(fixture=first, by=blas, at=now, reason="rain")
    pueblo = factories.league(
        *("eltoro", blas, cruz, dora),
        rules=town().options(),
        slug="pueblo",
        invitation="two",
        visibility=League.Visibility.PUBLIC,
    )
    factories.match(pueblo, cruz, dora)
    close_league(league=pueblo, by=blas, at=now)
    create_table(host=ana, at=now, game="dominoes", profile="rulebook")
    create_table(host=cruz, at=now, game="eltoro", profile="one-day", bots={1: "random"})
    return reader


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", {"pena", "pueblo"}),
        ("?game=eltoro", {"pueblo"}),
        ("?game=chess", set()),
        ("?format=round_robin", {"pena"}),
        ("?format=ladder", {"pueblo"}),
        ("?open=true", {"pena"}),
        ("?open=false", {"pueblo"}),
        ("?mine=true", {"pena"}),
        ("?mine=false", {"pueblo"}),
        ("?mine=true&open=false", set()),
    ],
)
def test_list_of_leagues_can_be_filtered(ana: Program, asked: str, found: set[str]) -> None:
    assert {row["slug"] for row in ana.get(f"leagues/{asked}")["results"]} == found


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("?role=organiser", {"blas"}),
        ("?role=player", {"ana", "cruz", "dora"}),
        ("?role=scorer", set()),
    ],
)
def test_list_of_members_can_be_filtered_by_role(ana: Program, asked: str, found: set[str]) -> None:
    rows = ana.get(f"leagues/pena/members/{asked}")["results"]
    assert {row["player"]["slug"] for row in rows} == found


@pytest.mark.parametrize(
    ("asked", "count"),
    [("", 3), ("?state=open", 2), ("?state=void", 1), ("?player=ana", 2), ("?player=nobody", 0)],
)
def test_list_of_fixtures_can_be_filtered(ana: Program, asked: str, count: int) -> None:
    assert len(ana.get(f"leagues/pena/fixtures/{asked}")["results"]) == count


@pytest.mark.parametrize(
    ("asked", "games"),
    [
        ("?which=to_sit", ["dominoes"]),
        ("?which=to_watch", ["eltoro"]),
        ("?which=mine", ["dominoes"]),
        ("?which=mine&game=eltoro", []),
        ("?game=eltoro", ["eltoro"]),
    ],
)
def test_list_of_tables_can_be_filtered(ana: Program, asked: str, games: list[str]) -> None:
    assert Table.objects.count() == 2
    assert [row["game"] for row in ana.get(f"tables/{asked}")["results"]] == games


@pytest.mark.parametrize(
    "asked",
    [
        *("leagues/?game=", "leagues/?format=", "leagues/?format=cup", "leagues/?open="),
        *("leagues/?open=yes", "leagues/?mine=", "leagues/?mine=1"),
        *("matches/?game=", "matches/?league=", "matches/?state=", "matches/?state=lost"),
        *("matches/?player=", "matches/?mine=", "leagues/pena/matches/?state="),
        *("leagues/pena/members/?role=", "leagues/pena/members/?role=king"),
        *("leagues/pena/fixtures/?state=", "leagues/pena/fixtures/?player="),
        *("tables/?which=", "tables/?which=all", "tables/?game="),
    ],
)
def test_filter_without_a_value_or_with_an_invalid_value_is_rejected(
    ana: Program, asked: str
) -> None:
    name = asked.partition("?")[2].partition("=")[0]
    told = ana.refused("GET", asked)
    assert told["status"] == 400
    assert name in str(told)
