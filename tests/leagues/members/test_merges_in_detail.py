"""Merges and claims of guests: who may make, answer and undo them, and what they change."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import RequestFactory

from accounts.models import Notice
from leagues.exceptions import NotAllowed, OperationError, is_accepted
from leagues.fixtures.operations import draw_round_robin
from leagues.members.operations.membership import add_guest
from leagues.members.operations.merging import (
    answer_claim,
    answers_for,
    check_mergeable,
    claim_held_guest,
    guest_link,
    may_undo,
    merge_players,
    mergeable_with,
    merges_of,
    preview_merge,
    propose_claim,
    same_names,
    undo_merge,
)
from leagues.members_read.queries import members_of
from leagues.models import Claim, League, Member, Merge, Player, Rating, Table, TableSeat
from leagues.players import become_guest
from search.models import Entry
from tests.leagues import world
from tests.leagues.world import HOUR, NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def league(office: Player) -> League:
    return world.found_league(office, plays=False)


def added(league: League, name: str) -> Player:
    return add_guest(league=league, name=name, by=world.called("office"), at=NOW).player


def lone(name: str, by: Player | None) -> Player:
    """Create a guest without a league, who was added by this player."""
    guest = world.guest(name)
    Player.objects.filter(pk=guest.pk).update(added_by=by)
    return Player.objects.get(pk=guest.pk)


def boss() -> Player:
    return world.account("boss", is_superuser=True)


def editions() -> dict[str, int]:
    return dict(League.objects.values_list("name", "edition"))


def test_merge_touches_every_league_in_which_the_guest_is_a_member_or_played(
    league: League, office: Player
) -> None:
    ana, gus, eva = world.account("ana"), added(league, "Gus"), added(league, "Eva")
    only_member = world.found_league(office, name="Member", plays=False)
    only_played = world.found_league(office, name="Played", plays=False)
    other = world.found_league(office, name="Other", plays=False)
    Member.objects.create(league=only_member, player=gus, joined_at=NOW)
    for player in (ana, gus):
        Member.objects.create(league=only_played, player=player, joined_at=NOW)
    world.played(only_played, [ana, gus], [10, 3])
    Member.objects.filter(league=only_played, player=gus).delete()
    for act in ("merge", "undo"):
        before = editions()
        if act == "merge":
            merge = merge_players(absorbed=gus, kept=eva, by=office, at=NOW)
        else:
            undo_merge(merge=merge, by=office, at=NOW)
        changed = {name for name, edition in editions().items() if edition != before[name]}
        assert changed == {"Thursday", "Member", "Played"}, act
    assert other.name not in changed


def test_merged_guest_is_not_found_by_search_until_the_merge_is_undone(
    league: League, office: Player
) -> None:
    gus, eva = added(league, "Gus"), added(league, "Eva")

    def found() -> set[int]:
        return set(Entry.objects.filter(kind="player").values_list("key", flat=True))

    Player.objects.update(public=True)
    before = found()
    merge = merge_players(absorbed=gus, kept=eva, by=office, at=NOW)
    assert gus.pk not in found()
    undo_merge(merge=merge, by=office, at=NOW)
    assert found() >= before


def test_preview_shows_the_standings_of_the_given_leagues_only(
    league: League, office: Player
) -> None:
    gus, eva = added(league, "Gus"), added(league, "Eva")
    second = world.found_league(office, name="Second", plays=False)
    for player in (gus, eva, world.account("ana")):
        for each in (league, second):
            Member.objects.get_or_create(league=each, player=player, defaults={"joined_at": NOW})
    for each in (league, second):
        world.played(each, [world.called("ana"), gus], [10, 30])
        world.played(each, [world.called("ana"), eva], [10, 3])

    def changes(among: set[int] | None) -> int:
        return len(preview_merge(absorbed=gus, kept=eva, among=among).standings)

    in_one = changes({second.pk})
    assert in_one > 0
    assert changes(None) == changes({league.pk, second.pk}) == 2 * in_one
    assert changes(set()) == 0


def test_guest_without_a_league_is_managed_by_who_added_the_guest(
    league: League, office: Player
) -> None:
    """An organiser manages the guests of the league, and an administrator every guest."""
    ana, boss = world.account("ana"), world.account("boss", is_superuser=True)
    mine, nobodys, gus = lone("Mine", ana), lone("Nobody", None), added(league, "Gus")
    world.enter_league(league, ana)
    expected = {"ana": {mine}, "office": {gus}, "boss": {mine, nobodys, gus}}
    for by in (ana, office, boss):
        managed = {guest for guest in (mine, nobodys, gus) if answers_for(by, guest)}
        assert managed == expected[by.name]
    assert not answers_for(None, gus)
    world.give_role(league, ana, Member.Role.SCORER)
    assert not answers_for(ana, gus)
    Member.objects.create(league=league, player=mine, joined_at=NOW)
    assert answers_for(office, mine)
    assert not answers_for(ana, mine), "the guest has a league now"
    with pytest.raises(NotAllowed):
        guest_link(guest=mine, by=ana)


def test_guest_belongs_to_the_account_into_which_its_adder_was_merged(office: Player) -> None:
    """Any user may merge such a guest into their own player, but into nobody else."""
    adder, ana = world.guest("Adder"), world.account("ana")
    mine = lone("Mine", adder)
    Merge.objects.create(absorbed=adder, kept=ana, by=ana, at=NOW)
    Player.objects.filter(pk=adder.pk).update(merged_into=ana)
    mine.refresh_from_db()
    assert answers_for(ana, mine)
    for kept in (office, lone("Other", office)):
        with pytest.raises(NotAllowed):
            merge_players(absorbed=mine, kept=kept, by=ana, at=NOW)
    assert merge_players(absorbed=mine, kept=ana, by=ana, at=NOW).kept == ana


def test_claim_notifies_the_organisers_and_is_decided_once(league: League, office: Player) -> None:
    gus, ana = added(league, "Gus"), world.account("ana")
    claim = propose_claim(guest=gus, by=ana, at=NOW)
    (notice,) = Notice.objects.all()
    assert notice.user == office.user
    answer_claim(claim=claim, granted=False, by=office, at=NOW + HOUR)
    claim.refresh_from_db()
    assert (claim.granted, claim.answered_by, claim.answered_at) == (False, office, NOW + HOUR)
    with pytest.raises(OperationError, match="has already been decided"):
        answer_claim(claim=claim, granted=True, by=office, at=NOW + HOUR)


def test_guest_without_a_league_cannot_be_claimed(league: League, office: Player) -> None:
    """The league of a guest who was merged into this one counts."""
    alone, ana = lone("Alone", office), world.account("ana")
    with pytest.raises(OperationError, match="Alone is not in any league"):
        propose_claim(guest=alone, by=ana, at=NOW)
    gus = added(league, "Gus")
    boss = world.account("boss", is_superuser=True)
    merge_players(absorbed=gus, kept=alone, by=boss, at=NOW)
    alone.refresh_from_db()
    assert propose_claim(guest=alone, by=ana, at=NOW).guest == alone


def test_administrator_may_decide_their_own_claim(league: League) -> None:
    gus, boss = added(league, "Gus"), world.account("boss", is_superuser=True)
    claim = propose_claim(guest=gus, by=boss, at=NOW)
    merge = answer_claim(claim=claim, granted=True, by=boss, at=NOW)
    assert merge is not None
    assert Claim.objects.get().granted


def test_link_is_made_only_for_a_guest_who_is_not_merged(league: League, office: Player) -> None:
    gus, eva = added(league, "Gus"), added(league, "Eva")
    merge_players(absorbed=gus, kept=eva, by=office, at=NOW)
    gus.refresh_from_db()
    for player in (gus, office):
        with pytest.raises(OperationError, match="is no longer a guest"):
            guest_link(guest=player, by=office)
    assert guest_link(guest=eva, by=office)


def test_guest_of_a_browser_is_not_merged_into_itself() -> None:
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), SessionStore()
    guest = become_guest(request, "Anita")
    assert claim_held_guest(request, by=guest, at=NOW) is None
    assert not Merge.objects.exists()


def test_players_who_are_seated_together_cannot_be_merged(league: League, office: Player) -> None:
    """This applies to matches, fixtures and tables, whatever names they had there."""
    ana = world.account("ana")
    gus, eva, one, other = (added(league, name) for name in ("Gus", "Eva", "One", "Other"))
    world.enter_league(league, ana)
    world.played(league, [ana, gus], [10, 3])
    merge_players(absorbed=gus, kept=eva, by=office, at=NOW)
    eva.refresh_from_db()
    assert not is_accepted(lambda: check_mergeable(eva, ana)), "gus has met ana"
    merge_players(absorbed=one, kept=ana, by=office, at=NOW)
    assert not is_accepted(lambda: check_mergeable(eva, ana))
    gus.refresh_from_db()
    for pair in ((gus, other), (other, gus)):
        with pytest.raises(OperationError, match="has already been merged"):
            check_mergeable(*pair)
    assert is_accepted(lambda: check_mergeable(other, ana))


def test_players_at_the_same_table_cannot_be_merged_until_it_ends(
    league: League, office: Player
) -> None:
    gus, eva = added(league, "Gus"), added(league, "Eva")
    table = Table.objects.create(
        game=league.game,
        profile="plain",
        rules={},
        rules_hash="",
        host=office,
        invitation="i" * 43,
        created_at=NOW,
        changed_at=NOW,
    )
    for number, player in enumerate((gus, eva)):
        TableSeat.objects.create(table=table, number=number, player=player)
    for state in Table.State:
        Table.objects.update(state=state)
        mergeable = is_accepted(lambda: check_mergeable(gus, eva))
        assert mergeable is (state not in Table.ACTIVE)


def test_players_of_one_fixture_are_not_suggested_as_the_same(office: Player) -> None:
    """They have not played yet. Players without a letter in the name are never suggested."""
    league = world.found_league(office, plays=False, format="round_robin")
    first = added(league, "Gus")
    twin, third = world.guest("gus"), world.guest("GUS")
    for player in (twin, third):
        Member.objects.create(league=league, player=player, joined_at=NOW)
    offers = [(same.member.player, same.kept) for same in same_names(members_of(league), office)]
    assert offers == [(twin, first), (third, first)]
    Player.objects.filter(pk=office.pk).update(name="Gus", name_key=first.name_key)
    mine = same_names(members_of(league), Player.objects.get(pk=office.pk))
    assert {(same.member.player.pk, same.kept.pk) for same in mine} == {
        (player.pk, office.pk) for player in (first, twin, third)
    }
    Player.objects.filter(pk=office.pk).update(name="office", name_key="office")
    draw_round_robin(league=league, by=office, at=NOW)
    assert same_names(members_of(league), office) == []
    assert not is_accepted(lambda: check_mergeable(twin, first))


def test_guest_is_mergeable_with_guests_and_the_organiser(league: League, office: Player) -> None:
    gus, eva, lost = (added(league, name) for name in ("Gus", "Eva", "Lost"))
    world.enter_league(league, world.account("ana"))
    merge_players(absorbed=lost, kept=eva, by=office, at=NOW)
    found = mergeable_with(gus, members_of(league), office)
    assert {player.name for player in found} == {"Eva", "office"}
    assert {player.name for player in mergeable_with(eva, members_of(league), office)} == {
        "Gus",
        "office",
    }


def test_merges_of_a_player_are_for_the_player_and_the_organisers(
    league: League, office: Player
) -> None:
    """The latest comes first, also among merges of the same time. Undone merges are left out."""
    gus, eva, one, two = (added(league, name) for name in ("Gus", "Eva", "One", "Two"))
    ana, boss = world.account("ana"), world.account("boss", is_superuser=True)
    world.enter_league(league, ana)
    for minute, guest in ((0, gus), (5, eva), (5, one), (3, two)):
        at = NOW + dt.timedelta(minutes=minute)
        merge_players(absorbed=guest, kept=ana, by=boss, at=at)
    undo_merge(merge=Merge.objects.get(absorbed=two), by=ana, at=NOW + HOUR)
    for reader in (ana, office):
        names = [merge.absorbed.name for merge in merges_of(ana, to=reader)]
        assert names == ["One", "Eva", "Gus"]
    assert merges_of(ana, to=None) == []
    assert merges_of(office, to=office) == []


def test_player_enters_a_league_at_the_time_of_the_merge_that_is_undone(
    league: League, office: Player
) -> None:
    gus, gustavo, ana = added(league, "Gus"), world.account("gustavo"), world.account("ana")
    world.enter_league(league, ana)
    boss = world.account("boss", is_superuser=True)
    merge = merge_players(absorbed=gus, kept=gustavo, by=boss, at=NOW)
    world.played(league, [ana, gustavo], [10, 4], at=NOW + HOUR)
    undo_merge(merge=merge, by=gustavo, at=NOW + 9 * HOUR)
    member = Member.objects.get(league=league, player=gustavo)
    assert (member.joined_at, member.role) == (NOW, Member.Role.PLAYER)


def test_merge_moves_the_rating_of_all_matches_of_the_guest(league: League, office: Player) -> None:
    gus, gustavo, ana = added(league, "Gus"), world.account("gustavo"), world.account("ana")
    world.enter_league(league, ana)
    world.played(league, [ana, gus], [10, 4], at=NOW + HOUR)
    world.played(league, [ana, gus], [2, 10], at=NOW + 2 * HOUR)
    before = Rating.objects.get(league=league, player=gus)
    assert before.matches == 2
    merge_players(absorbed=gus, kept=gustavo, by=boss(), at=NOW + 3 * HOUR)
    after = Rating.objects.get(league=league, player=gustavo)
    assert (after.matches, after.mu, after.sigma) == (2, before.mu, before.sigma)


def test_merge_can_be_undone_by_the_user_and_by_organisers_of_the_guest_only(
    league: League, office: Player
) -> None:
    gus, gustavo, other = added(league, "Gus"), world.account("gustavo"), world.account("other")
    world.enter_league(world.found_league(other, name="Other league"), gustavo)
    merge = merge_players(absorbed=gus, kept=gustavo, by=boss(), at=NOW)
    may = {player.name for player in (gustavo, office, other) if may_undo(player, merge)}
    assert may == {"gustavo", "office"}
