"""Matches that were played on the site are final at once. The referee's rejection means a bug."""

import datetime as dt
from typing import Any

import pytest

from leagues.exceptions import OperationError
from leagues.matches.operations.corrections import dispute_match
from leagues.matches.operations.matches import open_match
from leagues.models import Match, Player, Rating, Result
from leagues.results import finalise_due, record_played_match
from tests.leagues import game, world
from tests.leagues.world import HOUR, NOW

pytestmark = pytest.mark.django_db
RULES = game.normalise({})


def record(players: list[Player], content: object, **fields: Any) -> Match:
    return record_played_match(
        game=game.KEY, rules=RULES, rules_hash=game.digest(RULES), players=players,
        content=content, began_at=NOW - HOUR, at=NOW, **fields,
    )  # fmt: skip


def people() -> list[Player]:
    return [world.account("ana"), world.account("beto")]


def test_match_played_on_the_site_is_final_and_rated() -> None:
    match = record(people(), {"hands": [[13, 1]]})
    assert (match.state, match.origin) == ("final", "here")
    assert match.sheet is not None
    assert (match.sheet.points, match.sheet.places, match.sheet.evidence) == (
        [12, 0],
        [1, 2],
        "log",
    )
    assert Rating.objects.filter(league=None, game=game.KEY).count() == 2
    assert world.faults() == []


def test_unrated_table_changes_no_ratings() -> None:
    record(people(), {"hands": [[13, 1]]}, rated=False)
    assert Result.objects.count() == 1
    assert Rating.objects.count() == 0


@pytest.mark.parametrize("sheet", [{"hands": [[13, 13]]}, {"hands": [[5, 1]]}, {}, None])
def test_recording_raises_an_error_if_the_referee_rejects_the_scoresheet(sheet: object) -> None:
    with pytest.raises(ValueError, match="rejected"):
        record(people(), sheet)
    assert Match.objects.count() == 0


def test_match_played_on_the_site_voids_the_draft_of_its_fixture() -> None:
    league = world.round_robin(world.account("office"), ["ana", "beto"])
    fixture = league.rounds.get().fixtures.select_related("round__league").get()
    players = [seat.player for seat in fixture.seats.select_related("player")]
    draft = open_match(fixture=fixture, by=players[0], at=NOW)
    match = record(players, {"hands": [[13, 1]]}, league=league, fixture=fixture)
    draft.refresh_from_db()
    fixture.refresh_from_db()
    assert (draft.state, draft.fixture) == ("void", None)
    assert (fixture.state, match.fixture) == ("played", fixture)
    beside = record(players, {"hands": [[1, 13]]}, league=league, fixture=fixture)
    assert beside.fixture is None, "the fixture has its match"
    assert world.faults() == []


def test_confirmed_result_becomes_final_after_the_hours_to_object() -> None:
    office = world.account("office")
    league = world.found_league(office, hours_to_object=24)
    ana = world.account("ana")
    world.enter_league(league, ana)
    short = world.played(league, [office, ana], [10, 2])
    friends = world.played(None, [office, ana], [10, 2])
    assert finalise_due(at=NOW + 23 * HOUR) == 0
    assert finalise_due(at=NOW + 24 * HOUR) == 1
    assert finalise_due(at=NOW + dt.timedelta(hours=72)) == 1
    short.refresh_from_db()
    friends.refresh_from_db()
    assert {short.state, friends.state} == {"final"}
    with pytest.raises(OperationError, match="final"):
        dispute_match(match=short, version=short.version, by=ana, at=NOW, reason="Late.")
