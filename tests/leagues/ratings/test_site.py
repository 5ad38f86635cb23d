"""What the site's own rating counts."""

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
def test_a_guests_word_settles_a_league_and_no_leaderboard(has_account: bool, counts: bool) -> None:
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
    """A match of these that the site saw played."""
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


def test_whoever_is_two_guests_in_two_browsers_climbs_no_leaderboard() -> None:
    """Three matches against oneself were enough for a place on the site's board."""
    king, pawn, ana = guest("king"), guest("pawn"), account("ana")
    for players in ([king, pawn], [king, ana], [ana, pawn]):
        result = at_a_table(players)
        assert (result.site, result.rated) == (False, True)
    assert Rating.objects.count() == 0
    assert site_leaderboard(game.KEY, fewest=1) == []


def test_guests_are_rated_beside_two_accounts_and_not_listed() -> None:
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
def test_a_tables_own_rules_move_no_leaderboard(options: dict[str, object], counts: bool) -> None:
    """To 10 and to 50 are profiles of the game; to 1 anybody wins with one card."""
    assert at_a_table([account("ana"), account("berta")], options).site is counts


def test_who_was_a_guest_brings_nothing_onto_the_board_by_an_account() -> None:
    ana, gus, eva = account("ana"), guest("gus"), account("eva")
    gus.added_by = ana
    gus.save()
    at_a_table([gus, ana])
    merge_players(absorbed=gus, kept=eva, by=account("root", is_superuser=True), at=NOW)
    assert not Result.objects.get().site
    assert at_a_table([gus, ana]).site, "the name they sat down under once is theirs now"
    assert faults() == []


@pytest.mark.slow
def test_a_league_that_opens_counts_what_it_would_have_counted() -> None:
    """One rule for what is confirmed now and for what was before the league became public."""
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
