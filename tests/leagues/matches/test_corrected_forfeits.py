"""A corrected forfeit becomes a played match, and a restored forfeit becomes a forfeit again."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from leagues.draws import past_of
from leagues.fixtures.operations import forfeit_fixture
from leagues.matches.operations.corrections import (
    correct_match,
    dispute_match,
    preview_correction,
    restore_version,
    void_match,
)
from leagues.matches.operations.matches import confirm, hand_in
from leagues.models import Fixture, FixtureSeat, League, Match, Player
from leagues.standings.queries import standings_basis
from leagues.standings.tallies import RulesVersion
from tests.leagues import world
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db
migration = import_module("leagues.migrations.0016_final_standings")


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def league(office: Player) -> League:
    return world.round_robin(office, ["ana", "beto", "carla", "dora"])


@pytest.fixture
def match(league: League, office: Player) -> Match:
    """Create a match that the first player forfeited by not coming."""
    fixture = world.first_fixture(league)
    return forfeit_fixture(fixture=fixture, seats=[0], by=office, at=NOW)


def corrected(match: Match, office: Player) -> Match:
    return correct_match(
        match=match, version=match.version, content=world.score(10, 4), by=office, at=NOW,
        reason="She came.",
    )  # fmt: skip


def forfeit_state(match: Match) -> tuple[str, str, list[bool], bool, bool]:
    """Return origin, fixture state, forfeiting seats, and whether the match is rated and
    a forfeit.
    """
    match.refresh_from_db()
    fixture = Fixture.objects.get(match=match)
    seats = list(fixture.seats.order_by("number").values_list("forfeits", flat=True))
    placings = standings_basis(League.objects.get()).placings
    placing = next(placing for placing in placings if placing.match == match.pk)
    return match.origin, fixture.state, seats, match.result.rated, placing.forfeit


FORFEITED = ("forfeit", "forfeited", [True, False], False, True)
PLAYED = ("table", "played", [False, False], True, False)


@pytest.mark.slow
def test_corrected_forfeit_is_a_played_match(match: Match, league: League, office: Player) -> None:
    one, other = match.seats.order_by("number").values_list("player", flat=True)
    assert forfeit_state(match) == FORFEITED
    assert past_of(league, below=2).met[min(one, other), max(one, other)] == 0
    seen = preview_correction(match=match, content=world.score(10, 4), by=office)
    match = corrected(match, office)
    assert forfeit_state(match) == PLAYED
    assert {change.player.pk for change in seen.ratings} == {one, other}
    past = past_of(league, below=2)
    assert past.met[min(one, other), max(one, other)] == 1
    assert past.sat[one, 0] == 1


@pytest.mark.slow
def test_disputed_forfeit_entered_again_is_a_played_match(
    match: Match, league: League, office: Player
) -> None:
    one, other = (seat.player for seat in match.seats.order_by("number"))
    match = dispute_match(match=match, version=match.version, by=one, at=NOW, reason="I was there.")
    match = hand_in(match=match, version=match.version, by=one, at=NOW, content=world.score(10, 4))
    confirm(match=match, version=match.version, by=other, at=NOW)
    assert forfeit_state(match) == PLAYED
    assert past_of(league, below=2).met[min(one.pk, other.pk), max(one.pk, other.pk)] == 1


@pytest.mark.slow
def test_restored_version_of_a_forfeit_is_a_forfeit(match: Match, office: Player) -> None:
    match = corrected(match, office)
    match.refresh_from_db()
    restore_version(
        match=match, version=match.version, number=1, by=office, at=NOW, reason="No, not she."
    )
    assert forfeit_state(match) == FORFEITED


def test_restored_void_forfeit_names_the_absent_player_again(match: Match, office: Player) -> None:
    void_match(match=match, version=match.version, by=office, at=NOW, reason="The wrong day.")
    match.refresh_from_db()
    assert not FixtureSeat.objects.filter(forfeits=True).exists()
    restore_version(
        match=match, version=match.version, number=1, by=office, at=NOW, reason="It was right."
    )
    assert forfeit_state(match) == FORFEITED


@pytest.mark.parametrize(
    ("rules", "repaired"), [(RulesVersion.FIRST, True), (RulesVersion.FINAL, False)]
)
def test_forfeits_corrected_in_earlier_versions_are_repaired_unless_standings_are_final(
    match: Match, league: League, office: Player, rules: RulesVersion, repaired: bool
) -> None:
    corrected(match, office)
    Match.objects.update(origin="forfeit")
    Fixture.objects.filter(match=match).update(state="forfeited")
    FixtureSeat.objects.filter(fixture__match=match, number=0).update(forfeits=True)
    other = Fixture.objects.filter(round__league=league, state="open")[0]
    untouched = forfeit_fixture(fixture=other, seats=[1], by=office, at=NOW)
    League.objects.update(standings_rules=rules)
    migration.mend_corrected_forfeits(apps, None)
    match.refresh_from_db()
    untouched.refresh_from_db()
    fixture = Fixture.objects.get(match=match)
    gone = fixture.seats.filter(forfeits=True).exists()
    expected = ("table", "played", False) if repaired else ("forfeit", "forfeited", True)
    assert (match.origin, fixture.state, gone) == expected
    assert untouched.origin == "forfeit"
