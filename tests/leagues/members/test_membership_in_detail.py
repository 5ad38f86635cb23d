"""Membership of a league: returning, roles, withdrawing, and what each of them changes."""

from __future__ import annotations

import pytest

from leagues.exceptions import OperationError
from leagues.fixtures.operations import draw_round_robin
from leagues.league.operations import close_league
from leagues.matches.operations.matches import open_match
from leagues.members.operations.membership import (
    FixtureHandling,
    add_guest,
    member_of,
    preview_withdrawal,
    set_role,
    withdraw,
)
from leagues.members.operations.merging import merge_players
from leagues.models import Fixture, League, Match, Member, Player
from tests.leagues import world
from tests.leagues.world import HOUR, NOW, called

pytestmark = pytest.mark.django_db

FORFEIT = FixtureHandling.FORFEIT


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def league(office: Player) -> League:
    league = world.found_league(office, plays=False)
    for name in ("ana", "beto"):
        world.enter_league(league, world.account(name))
    return league


def test_returning_player_no_longer_counts_as_one_who_left_after_the_end(
    league: League, office: Player
) -> None:
    row = Member.objects.filter(player=called("ana"))
    row.update(withdrawn_at=NOW, left_after_end=True)
    world.enter_league(league, called("ana"))
    member = row.get()
    assert (member.withdrawn_at, member.left_after_end, member.plays) == (None, False, True)


def test_player_who_leaves_a_closed_league_left_after_its_end(
    league: League, office: Player
) -> None:
    withdraw(league=league, player=called("ana"), by=office, at=NOW, handling=FORFEIT)
    close_league(league=league, by=office, at=NOW)
    withdraw(league=league, player=called("beto"), by=office, at=NOW + HOUR, handling=FORFEIT)
    left = {row.player.name: row.left_after_end for row in Member.objects.select_related("player")}
    assert left == {"office": False, "ana": False, "beto": True}
    with pytest.raises(OperationError, match="closed"):
        world.enter_league(League.objects.get(), called("ana"))


def test_player_withdraws_once_with_any_choice_if_no_fixture_is_left(
    league: League, office: Player
) -> None:
    withdraw(league=league, player=called("ana"), by=office, at=NOW, handling=FixtureHandling.MATCH)
    with pytest.raises(OperationError, match="does not play in this league"):
        withdraw(league=league, player=called("ana"), by=office, at=NOW, handling=FORFEIT)
    assert Member.objects.get(player=called("ana")).withdrawn_at == NOW


def test_guest_may_be_a_scorer_and_the_role_changes_the_edition(
    league: League, office: Player
) -> None:
    gus = add_guest(league=league, name="Gus", by=office, at=NOW).player
    before = League.objects.get().edition
    set_role(league=league, player=gus, role=Member.Role.SCORER, by=office)
    assert Member.objects.get(player=gus).role == "scorer"
    assert League.objects.get().edition > before
    with pytest.raises(OperationError, match="An organiser needs an account"):
        set_role(league=league, player=gus, role=Member.Role.ORGANISER, by=office)


def test_membership_under_the_own_name_comes_before_that_of_a_merged_guest(
    league: League, office: Player
) -> None:
    gus = add_guest(league=league, name="Gus", by=office, at=NOW).player
    eva = add_guest(league=league, name="Eva", by=office, at=NOW).player
    merge_players(absorbed=gus, kept=eva, by=office, at=NOW)
    assert member_of(league, eva).player == eva
    gus.refresh_from_db()
    assert member_of(league, gus).player == gus
    Member.objects.filter(player=eva).delete()
    assert member_of(league, eva).player == gus


def test_match_that_waits_for_confirmation_is_not_forfeited(office: Player) -> None:
    """No other opponent is looked for in a round robin."""
    league = world.found_league(office, plays=False, format="round_robin")
    for name in ("ana", "beto", "carla"):
        world.enter_league(league, world.account(name))
    draw_round_robin(league=league, by=office, at=NOW)
    ana = called("ana")
    fixtures = Fixture.objects.filter(seats__player=ana).order_by("round__number")
    first, second = fixtures
    match = open_match(fixture=first, by=ana, at=NOW)
    world.handed_in(match, ana, world.score(10, 3))
    going = preview_withdrawal(league=league, player=ana)
    assert (going.fixtures, going.waiting) == ((second,), (match,))
    assert (dict(going.vacancies), going.stand_in) == ({}, None)
    assert going.handlings == [FORFEIT, FixtureHandling.VOID]
    withdraw(league=league, player=ana, by=office, at=NOW, handling=FORFEIT)
    states = [fixture.state for fixture in fixtures.all()]
    assert states[1] == "forfeited"
    assert states[0] != "forfeited"
    match.refresh_from_db()
    assert match.state == Match.State.HANDED_IN
