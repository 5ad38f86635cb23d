"""Results that count for the ratings of the whole site."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from leagues.league.operations import change_settings, settings_of
from leagues.matches.operations.matches import confirm, open_match
from leagues.members.operations.merging import merge_players
from leagues.models import League, Player, Rating, Result
from leagues.ratings.queries import site_leaderboard
from leagues.results import record_played_match
from tests.leagues import game
from tests.leagues.world import (
    HOUR,
    NOW,
    account,
    enter_league,
    faults,
    found_league,
    guest,
    handed_in,
    played,
    score,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("has_account", "counts"), [(True, True), (False, False)])
def test_result_confirmed_by_a_guest_counts_in_its_league_but_not_on_the_site(
    has_account: bool, counts: bool
) -> None:
    ana = account("ana")
    other = account("berta") if has_account else guest("berta")
    league = found_league(ana, visibility=League.Visibility.PUBLIC)
    enter_league(league, other)
    match = open_match(by=ana, at=NOW, players=[ana, other], league=league)
    match = handed_in(match, ana, score(10, 3))
    confirm(match=match, version=match.version, by=other, at=NOW)
    assert Result.objects.get().site is counts
    for visibility in (League.Visibility.PRIVATE, League.Visibility.PUBLIC):
        settings = replace(settings_of(league), visibility=visibility)
        league = change_settings(league=league, settings=settings, by=ana, at=NOW)
    assert Result.objects.get().site is counts


def at_a_table(players: Sequence[Player], options: dict[str, object] | None = None) -> Result:
    """Create a match of these players on a game table of the site."""
    rules = game.normalise(options or {})
    match = record_played_match(
        game=game.KEY,
        rules=rules,
        rules_hash=game.digest(rules),
        players=players,
        content={"score": [60, *(1 for _ in players[1:])]},
        began_at=NOW - HOUR,
        at=NOW,
    )
    return Result.objects.get(match=match)


def test_two_guests_in_two_browsers_do_not_reach_the_leaderboard() -> None:
    """Otherwise three matches against oneself would suffice for a place on the site's
    leaderboard.
    """
    king, pawn, ana = guest("king"), guest("pawn"), account("ana")
    for players in ([king, pawn], [king, ana], [ana, pawn]):
        result = at_a_table(players)
        assert (result.site, result.rated) == (False, True)
    assert Rating.objects.count() == 0
    assert site_leaderboard(game.KEY, fewest=1) == []


def test_guests_in_a_match_with_two_accounts_are_rated_but_not_listed() -> None:
    ana, berta, gus = account("ana"), account("berta"), guest("gus")
    assert at_a_table([gus, ana, berta]).site
    assert Rating.objects.filter(player=gus, league=None).exists()
    board = site_leaderboard(game.KEY, fewest=1)
    assert {line.player for line in board} == {ana, berta}
    assert [line.place for line in board] == [1, 2]
    assert faults() == []


@pytest.mark.parametrize(
    ("options", "counts"), [({}, True), ({"target": 50}, True), ({"target": 1}, False)]
)
def test_tables_with_own_rules_do_not_count_for_the_leaderboard(
    options: dict[str, object], counts: bool
) -> None:
    """Targets of 10 and 50 points are profiles of the game.

    With a target of 1, anybody can win with one card.
    """
    assert at_a_table([account("ana"), account("berta")], options).site is counts


def test_matches_played_as_a_guest_do_not_count_after_merging() -> None:
    ana, gus, eva = account("ana"), guest("gus"), account("eva")
    gus.added_by = ana
    gus.save()
    at_a_table([gus, ana])
    merge_players(absorbed=gus, kept=eva, by=account("root", is_superuser=True), at=NOW)
    assert not Result.objects.get().site
    assert at_a_table([gus, ana]).site, "the name they sat down under once is theirs now"
    assert faults() == []


@pytest.mark.slow
def test_league_that_becomes_public_counts_like_one_that_always_was() -> None:
    """The same rule applies to results confirmed before and after the league became public."""
    ana, berta, gus = account("ana"), account("berta"), guest("gus")
    for visibility in (League.Visibility.PUBLIC, League.Visibility.PRIVATE):
        for rules in (None, {"target": 1}):
            profile = "own" if rules else "plain"
            league = found_league(
                ana, visibility=visibility, profile=profile, rules=rules, name=profile
            )
            for player in (berta, gus):
                enter_league(league, player)
            for pair in ([ana, berta], [gus, ana], [ana, gus]):
                played(league, pair, [10, 3])
            if visibility == League.Visibility.PRIVATE:
                assert not Result.objects.filter(league=league, site=True).exists()
                settings = replace(settings_of(league), visibility=League.Visibility.PUBLIC)
                change_settings(league=league, settings=settings, by=ana, at=NOW)
            counted = Result.objects.filter(league=league, site=True)
            assert counted.count() == (0 if rules else 1)
    assert faults() == []
