"""Two people who do the same thing at once: it is done once, and the other gets a clear message."""

import datetime as dt
from collections.abc import Callable

import pytest

from accounts.models import User
from leagues.exceptions import OperationError, StaleMatch
from leagues.fixtures.operations import draw_next_swiss, restore_fixture
from leagues.fixtures.opponents import swap_players
from leagues.matches.operations.corrections import correct_match, dispute_match, void_match
from leagues.matches.operations.matches import (
    confirm,
    hand_in,
    open_match,
    open_rematch,
    save_draft,
)
from leagues.members.operations.membership import FixtureHandling, join_league, withdraw
from leagues.members.operations.merging import merge_players
from leagues.models import Match, Member, Merge, Place, Player, Result
from leagues.players import player_of_user
from tests.databases import opened
from tests.leagues import world
from tests.leagues.world import NOW
from tests.scratch import at_once

LATER = NOW + dt.timedelta(days=1)


def sound(url: str) -> None:
    with opened(url):
        assert world.faults() == []


@pytest.mark.slow
def test_only_one_of_several_concurrent_confirmations_of_a_match_counts(shared: str) -> None:
    with opened(shared):
        match = world.waiting_matches()[0]
        key = match.pk

    def by(name: str) -> Callable[[], Match]:
        return lambda: confirm(match=match, version=1, by=world.called(name), at=LATER)

    came = at_once(shared, by("beto"), by("office"), by("beto"))
    assert sorted(type(answer).__name__ for answer in came) == [
        "Match", "StaleMatch", "StaleMatch",
    ], came  # fmt: skip
    with opened(shared):
        assert Result.objects.filter(match=key).count() == 1
        assert Place.objects.filter(result__match=key).count() == 2
    sound(shared)


@pytest.mark.slow
def test_concurrent_confirmations_of_different_matches_all_count(shared: str) -> None:
    with opened(shared):
        first, second, third = world.waiting_matches()

    def by(match: Match, name: str) -> Callable[[], Match]:
        return lambda: confirm(match=match, version=1, by=world.called(name), at=LATER)

    came = at_once(shared, by(first, "beto"), by(second, "carla"), by(third, "ana"))
    assert [type(answer) for answer in came] == [Match] * 3, came
    with opened(shared):
        assert Result.objects.count() == 6
    sound(shared)


def test_only_one_of_a_concurrent_confirmation_and_dispute_is_accepted(shared: str) -> None:
    with opened(shared):
        match = world.waiting_matches()[0]
    came = at_once(
        shared,
        lambda: confirm(match=match, version=1, by=world.called("beto"), at=LATER),
        lambda: dispute_match(
            match=match, version=1, by=world.called("beto"), at=LATER, reason="No."
        ),
    )
    assert sorted(type(answer).__name__ for answer in came) == ["Match", "StaleMatch"], came
    sound(shared)


def test_scoresheet_submitted_twice_at_once_is_stored_once(shared: str) -> None:
    with opened(shared):
        ana, beto = world.called("ana"), world.called("beto")
        match = world.draft_match(world.shared_league(), [ana, beto])

    def click() -> Match:
        return hand_in(match=match, version=0, by=ana, at=LATER, content=world.score(10, 1))

    came = at_once(shared, click, click)
    assert sorted(type(answer).__name__ for answer in came) == ["Match", "StaleMatch"], came
    with opened(shared):
        assert match.sheets.count() == 1


def test_one_of_two_concurrent_drafts_is_rejected_as_outdated(shared: str) -> None:
    with opened(shared):
        ana, beto = world.called("ana"), world.called("beto")
        match = world.draft_match(world.shared_league(), [ana, beto])
    came = at_once(
        shared,
        lambda: save_draft(match=match, version=0, by=ana, content={"hands": [[3, 5]]}),
        lambda: save_draft(match=match, version=0, by=beto, content={"hands": [[7, 5]]}),
    )
    assert sorted(type(answer).__name__ for answer in came) == ["Match", "StaleMatch"], came
    with opened(shared):
        match.refresh_from_db()
        assert match.draft is not None
        assert len(match.draft["hands"]) == 1


@pytest.mark.slow
def test_players_are_merged_while_their_matches_are_confirmed_and_corrected(shared: str) -> None:
    with opened(shared):
        office, dora, carla = map(world.called, ("office", "dora", "carla"))
        waits = world.waiting_matches()[0]
        done = Result.objects.select_related("match").order_by("pk")[2].match
    came = at_once(
        shared,
        lambda: merge_players(absorbed=dora, kept=carla, by=office, at=LATER),
        lambda: confirm(match=waits, version=1, by=world.called("beto"), at=LATER),
        lambda: correct_match(
            match=done, version=done.version, by=office, at=LATER,
            content=world.score(3, 14), reason="Seats changed.",
        ),
    )  # fmt: skip
    assert [type(answer) for answer in came] == [Merge, Match, Match], came
    sound(shared)
    with opened(shared):
        assert Place.objects.filter(result__match=done, player=carla).exists()


def test_player_who_joins_twice_at_once_is_a_member_once(shared: str) -> None:
    with opened(shared):
        eva, token = world.account("eva"), world.shared_league().invitation

    def join() -> Member:
        return join_league(token=token, by=eva, at=LATER)

    came = at_once(shared, join, join)
    assert [type(answer) for answer in came] == [Member, Member], came
    with opened(shared):
        assert Member.objects.filter(player=eva).count() == 1


def test_user_with_concurrent_requests_gets_one_player(shared: str) -> None:
    with opened(shared):
        user = User.objects.create(username="flora")

    def ask() -> Player:
        return player_of_user(user, at=LATER)

    came = at_once(shared, ask, ask, ask)
    assert len({player.pk for player in came}) == 1, came
    with opened(shared):
        assert Player.objects.filter(user=user).count() == 1


def test_concurrent_requests_open_one_match_of_a_fixture(shared: str) -> None:
    with opened(shared):
        league = world.round_robin(world.called("office"), ["ana", "beto", "carla"])
        fixture = league.rounds.get(number=1).fixtures.select_related("round__league").get()
        one, other = (seat.player for seat in fixture.seats.select_related("player"))
    came = at_once(
        shared,
        lambda: open_match(fixture=fixture, by=one, at=LATER),
        lambda: open_match(fixture=fixture, by=other, at=LATER),
    )
    assert {type(answer) for answer in came} == {Match}, came
    with opened(shared):
        assert Match.objects.filter(fixture=fixture).count() == 1


@pytest.mark.slow
def test_fixture_is_restored_while_another_player_gets_the_bye(shared: str) -> None:
    """Both operations change the byes of the round, and neither change is lost."""
    with opened(shared):
        office = world.called("office")
        league = world.found_league(office, plays=False, format="swiss")
        for name in ("pa", "pe", "pi", "po", "pu"):
            world.enter_league(league, world.account(name))
        drawn = draw_next_swiss(league=league, by=office, at=NOW)
        first, second = drawn.fixtures.select_related("round__league").order_by("number")
        gone, stays = world.seated(first)
        out = Player.objects.get(pk=drawn.byes[0]["player"])
        mine = world.seated(second)[0]
        withdraw(league=league, player=gone, by=office, at=NOW, handling=FixtureHandling.BYE)
    came = at_once(
        shared,
        lambda: restore_fixture(fixture=first, by=office, at=LATER),
        lambda: swap_players(fixture=second, player=mine, other=out, by=office, at=LATER),
        reading='FROM "leagues_fixture" ',
    )
    assert not [answer for answer in came if isinstance(answer, Exception)], came
    with opened(shared):
        drawn.refresh_from_db()
        assert [bye["player"] for bye in drawn.byes] == [mine.pk]
        assert stays in world.seated(first)


def test_error_of_an_outdated_match_says_what_to_do() -> None:
    assert issubclass(StaleMatch, OperationError)
    assert "Check it again" in str(StaleMatch())


@pytest.mark.slow
def test_two_players_who_request_a_rematch_at_once_get_one_match(shared: str) -> None:
    with opened(shared):
        ana, beto = world.called("ana"), world.called("beto")
        in_league = world.played(world.shared_league(), [ana, beto], [10, 4])
        among_friends = world.played(None, [beto, ana], [10, 4])
        known = Match.objects.count()

    def ask(match: Match, player: Player) -> Callable[[], Match]:
        return lambda: open_rematch(match=match, by=player, at=LATER)

    for number, match in enumerate((in_league, among_friends), start=1):
        came = at_once(shared, ask(match, ana), ask(match, beto), ask(match, beto))
        assert {type(answer) for answer in came} == {Match}, came
        assert len({answer.pk for answer in came if isinstance(answer, Match)}) == 1
        with opened(shared):
            assert Match.objects.count() == known + number
    sound(shared)


def test_rematch_is_requested_while_the_match_is_voided(shared: str) -> None:
    with opened(shared):
        ana, beto, office = map(world.called, ("ana", "beto", "office"))
        match = world.played(world.shared_league(), [ana, beto], [10, 4])
    came = at_once(
        shared,
        lambda: void_match(
            match=match, version=match.version, by=office, at=LATER, reason="Wrong table."
        ),
        lambda: open_rematch(match=match, by=ana, at=LATER),
        lambda: open_rematch(match=match, by=beto, at=LATER),
    )
    assert [type(answer) for answer in came] == [Match] * 3, came
    with opened(shared):
        again = Match.objects.get(state="draft", pk__gt=match.pk)
        assert [seat.player for seat in again.seats.order_by("number")] == [ana, beto]
        match.refresh_from_db()
        assert match.state == "void"
    sound(shared)


def test_rematch_is_requested_while_one_of_its_players_is_merged(shared: str) -> None:
    with opened(shared):
        ana, dora, carla, office = map(world.called, ("ana", "dora", "carla", "office"))
        match = Match.objects.get(seats__player=dora)
    came = at_once(
        shared,
        lambda: merge_players(absorbed=dora, kept=carla, by=office, at=LATER),
        lambda: open_rematch(match=match, by=ana, at=LATER),
    )
    assert [type(answer) for answer in came] == [Merge, Match], came
    with opened(shared):
        again = open_rematch(match=match, by=world.called("carla"), at=LATER)
        assert again == came[1]
        seats = again.seats.select_related("player").order_by("number")
        assert [seat.player.person_id for seat in seats] == [ana.pk, carla.pk]
    sound(shared)
