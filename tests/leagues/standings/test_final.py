"""Final standings, which later changes do not affect, and players who withdraw before or after the
end.
"""

from __future__ import annotations

import datetime as dt
from importlib import import_module

import pytest
from django.apps import apps

from leagues.fixtures.operations import draw_next_swiss, restore_fixture, void_fixture
from leagues.league.operations import close_league, reopen_league
from leagues.matches.operations.corrections import void_match
from leagues.members.operations.membership import FixtureHandling, return_to_league, withdraw
from leagues.models import Fixture, League, Member, Player
from leagues.standings.queries import is_final, standings_basis
from leagues.standings.ranking import StandingsRow
from leagues.standings.tallies import RulesVersion
from tests.leagues import world
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)
migration = import_module("leagues.migrations.0016_final_standings")


@pytest.fixture
def office() -> Player:
    return world.account("office")


def swiss_of(office: Player, names: str, rounds: int | None) -> League:
    league = world.found_league(office, plays=False, format="swiss", rounds_planned=rounds)
    for name in names.split():
        world.enter_league(league, world.account(name))
    return league


def play_round(league: League, office: Player) -> None:
    """Draw a round, in which the player with the lower key always wins."""
    drawn = draw_next_swiss(league=league, by=office, at=NOW)
    for fixture in drawn.fixtures.all():
        world.play(fixture, 10, 4)


def withdraw_player(
    league: League, player: Player, office: Player, at: dt.datetime = NOW + DAY
) -> None:
    withdraw(league=league, player=player, by=office, at=at, handling=FixtureHandling.VOID)


def table(league: League) -> list[tuple[int, int, str | None]]:
    league.refresh_from_db()
    rows = standings_basis(league).rows()
    return [(row.place, row.player, row.state and str(row.state)) for row in rows]


def row_of(league: League, player: Player) -> StandingsRow:
    rows = standings_basis(league).rows()
    return next(row for row in rows if row.player == player.pk)


# Standings become final


def test_swiss_standings_are_final_after_the_last_match_of_the_last_round(office: Player) -> None:
    league = swiss_of(office, "ana beto", 1)
    assert not is_final(league)
    drawn = draw_next_swiss(league=league, by=office, at=NOW)
    assert not is_final(league)
    world.play(drawn.fixtures.get(), 10, 4)
    assert is_final(league)
    for rounds in (2, None):
        league.rounds_planned = rounds
        assert not is_final(league), "more rounds may follow"


def test_round_robin_standings_are_final_when_no_fixture_is_open(
    office: Player,
) -> None:
    league = world.round_robin(office, ["ana", "beto", "carla"])
    played, forfeited, void = Fixture.objects.filter(round__league=league)
    world.play(played, 10, 4)
    Fixture.objects.filter(pk=forfeited.pk).update(state="forfeited")
    assert not is_final(league)
    void_fixture(fixture=void, by=office, at=NOW, reason="rain")
    assert is_final(league)
    restore_fixture(fixture=void, by=office, at=NOW)
    assert not is_final(league)


def test_ladder_standings_are_final_when_the_league_is_closed(office: Player) -> None:
    league = world.found_league(office)
    assert not is_final(league)
    assert is_final(close_league(league=league, by=office, at=NOW))


# Withdrawals


@pytest.mark.slow
def test_winner_who_leaves_after_the_end_stays_first(office: Player) -> None:
    league = swiss_of(office, "ana beto carla dora", 2)
    league.cut = 1
    league.save()
    play_round(league, office)
    first = Player.objects.get(pk=table(league)[0][1])
    withdraw_player(league, first, office)
    row = row_of(league, first)
    assert (row.place, row.withdrawn, row.after_end) == (1, True, False)
    world.enter_league(league, first)
    play_round(league, office)
    close_league(league=league, by=office, at=NOW + DAY)
    before = table(league)
    champion = Player.objects.get(pk=before[0][1])
    assert before[0][2] == "safe"
    withdraw_player(league, champion, office)
    assert table(league) == before
    assert row_of(league, champion).withdrawn, "and is marked all the same"


@pytest.mark.slow
def test_player_who_left_after_the_end_counts_as_withdrawn_if_play_continues(
    office: Player,
) -> None:
    league = swiss_of(office, "ana beto carla dora", 1)
    play_round(league, office)
    first = Player.objects.get(pk=table(league)[0][1])
    withdraw_player(league, first, office)
    assert Member.objects.get(player=first).left_after_end
    close_league(league=league, by=office, at=NOW)
    reopen_league(league=league, by=office, at=NOW)
    assert Member.objects.get(player=first).left_after_end, "its rounds are over all the same"
    match = league.matches.latest("pk")
    void_match(match=match, version=match.version, by=office, at=NOW, reason="the wrong sheet")
    assert not Member.objects.get(player=first).left_after_end
    assert row_of(league, first).is_member is False
    return_to_league(league=league, player=first, by=office)
    assert row_of(league, first).is_member


@pytest.mark.slow
def test_cut_off_line_omits_withdrawn_players_while_the_league_is_running(office: Player) -> None:
    league = world.round_robin(office, ["ana", "beto", "carla", "dora"], cut=1)
    ana, beto = (Player.objects.get(name=name) for name in ("ana", "beto"))
    for fixture in Fixture.objects.filter(round__league=league):
        people = world.seated(fixture)
        if ana in people or (beto in people and ana not in people):
            better = ana if ana in people else beto
            points = [10 if player == better else 4 for player in people]
            world.play(fixture, *points)
    open_fixture = Fixture.objects.get(round__league=league, state="open")
    withdraw_player(league, ana, office)
    states = {player: state for _, player, state in table(league)}
    assert (states[ana.pk], states[beto.pk]) == (None, "safe")
    assert open_fixture.state == "open"


# The following tests are about leagues of earlier versions.


def frozen(office: Player) -> tuple[League, Player]:
    """Create a league closed before the migration, whose leading player had withdrawn."""
    league = swiss_of(office, "ana beto carla dora", 2)
    League.objects.filter(pk=league.pk).update(standings_rules=RulesVersion.FIRST)
    play_round(league, office)
    first = Player.objects.get(pk=table(league)[0][1])
    withdraw_player(league, first, office)
    close_league(league=league, by=office, at=NOW)
    migration.keep_final(apps, None)
    league.refresh_from_db()
    return league, first


@pytest.mark.slow
def test_standings_final_before_the_migration_keep_withdrawn_players_last(office: Player) -> None:
    league, first = frozen(office)
    assert league.standings_rules == RulesVersion.FINAL
    before = table(league)
    assert before[-1][1] == first.pk
    second = Player.objects.get(pk=before[0][1])
    withdraw_player(league, second, office)
    assert table(league) == before


@pytest.mark.slow
def test_reopened_league_follows_the_corrected_rules(office: Player) -> None:
    league, first = frozen(office)
    reopen_league(league=league, by=office, at=NOW)
    league.refresh_from_db()
    assert league.standings_rules == RulesVersion.FIRST
    assert table(league)[0][1] == first.pk


@pytest.mark.parametrize(
    ("format_", "planned", "drawn", "open_", "closed", "final"),
    [
        ("ladder", None, 0, 0, False, False),
        ("ladder", None, 0, 0, True, True),
        ("swiss", 2, 1, 0, False, False),
        ("swiss", 2, 2, 1, False, False),
        ("swiss", 2, 2, 0, False, True),
        ("swiss", 1, 2, 0, False, True),
        ("swiss", None, 2, 0, False, False),
        ("swiss", None, 2, 1, True, True),
        ("round_robin", None, 0, 0, False, False),
        ("round_robin", 2, 1, 0, False, True),
        ("round_robin", None, 2, 1, False, False),
    ],
)
def test_migration_recognises_final_standings(
    office: Player,
    format_: str,
    planned: int | None,
    drawn: int,
    open_: int,
    closed: bool,
    final: bool,
) -> None:
    league = world.found_league(office, format=format_)
    League.objects.filter(pk=league.pk).update(rounds_planned=planned)
    for number in range(1, drawn + 1):
        row = league.rounds.create(number=number, drawn_at=NOW, deadline=NOW)
        state = "postponed" if number <= open_ else "void"
        Fixture.objects.create(round=row, number=1, state=state, deadline=NOW)
    League.objects.filter(pk=league.pk).update(
        closed_at=NOW if closed else None, standings_rules=RulesVersion.FIRST
    )
    migration.keep_final(apps, None)
    league.refresh_from_db()
    expected = RulesVersion.FINAL if final else RulesVersion.FIRST
    assert league.standings_rules == expected
    assert is_final(league) is final
