"""Rounds drawn, fixtures played, postponed, forfeited; what a correction does to later ones."""

import datetime as dt
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leagues.exceptions import OperationError
from leagues.exchange.operations import records_of
from leagues.fixtures.operations import (
    draw_next_swiss,
    forfeit_fixture,
    postpone_fixture,
    preview_swiss,
    restore_fixture,
    undraw,
    void_fixture,
)
from leagues.fixtures.queries import fixture_line, rounds_of
from leagues.league.operations import close_league, reopen_league
from leagues.matches.operations.corrections import preview_correction, void_match
from leagues.matches.operations.matches import confirm, open_match
from leagues.members_read.queries import members_of
from leagues.models import Fixture, League, Match, Player, Rating
from leagues.standings.queries import standings_basis
from tests.leagues.operations import world
from tests.leagues.operations.world import HOUR, NOW, first_fixture, play, seated

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def robin(office: Player) -> League:
    """A round robin of four, drawn: three rounds of two."""
    return world.round_robin(office, ["ana", "beto", "carla", "dora"])


def test_everybody_meets_everybody_once(robin: League) -> None:
    pairs = [
        tuple(sorted(one.pk for one in seated(fixture)))
        for fixture in Fixture.objects.filter(round__league=robin)
    ]
    assert len(pairs) == len(set(pairs)) == 6
    rounds = list(robin.rounds.values_list("number", "deadline"))
    assert rounds == [(n, NOW + n * 7 * DAY) for n in (1, 2, 3)]
    assert all(fixture.reasons for fixture in Fixture.objects.all())


def test_a_fixture_is_played_once(robin: League) -> None:
    fixture = first_fixture(robin)
    match = play(fixture, 10, 7)
    fixture.refresh_from_db()
    assert fixture.state == "played"
    assert open_match(fixture=fixture, by=seated(fixture)[0], at=NOW) == match
    assert Match.objects.count() == 1


def test_postponed_overdue_void_and_back(robin: League, office: Player) -> None:
    fixture = first_fixture(robin)
    later = fixture.deadline + 10 * DAY
    assert fixture_line(fixture.pk).overdue(fixture.deadline + HOUR)
    with pytest.raises(OperationError, match="past"):
        postpone_fixture(fixture=fixture, by=office, at=later, deadline=later - DAY)
    postpone_fixture(fixture=fixture, by=office, at=NOW, deadline=later, note=" ana is  ill ")
    fixture.refresh_from_db()
    assert (fixture.state, fixture.note) == ("postponed", "ana is ill")
    assert not fixture_line(fixture.pk).overdue(later - HOUR)
    void_fixture(fixture=fixture, by=office, reason="No hall.")
    with pytest.raises(OperationError, match=r"This fixture can’t be played\. Its state is “"):
        open_match(fixture=fixture, by=office, at=NOW)
    restored = restore_fixture(fixture=fixture, by=office, at=later + DAY)
    assert (restored.state, restored.deadline) == ("open", later + 8 * DAY)


def test_a_forfeit_counts_in_the_standings_and_rates_nobody(robin: League, office: Player) -> None:
    fixture = first_fixture(robin)
    winner, loser = seated(fixture)
    match = forfeit_fixture(fixture=fixture, seats=[1], by=office, at=NOW, note="did not come")
    rows = {row.player: row for row in standings_basis(robin).rows()}
    assert (rows[winner.pk].won, rows[loser.pk].lost) == (1, 1)
    assert Rating.objects.count() == 0
    assert fixture.seats.get(number=1).forfeits
    void_match(match=match, version=match.version, by=office, at=NOW, reason="He had come.")
    fixture.refresh_from_db()
    assert fixture.state == "open"
    assert not fixture.seats.get(number=1).forfeits
    assert play(fixture, 3, 10).state == "confirmed"
    assert world.faults() == []


def test_all_cannot_forfeit(robin: League, office: Player) -> None:
    for seats in ([0, 1], [], [2]):
        with pytest.raises(OperationError) as refused:
            forfeit_fixture(fixture=first_fixture(robin), seats=seats, by=office, at=NOW)
        assert refused.value.field == "seats"
    assert Match.objects.count() == 0


def test_a_draw_is_taken_back_until_something_was_handed_in(robin: League, office: Player) -> None:
    open_match(fixture=first_fixture(robin), by=seated(first_fixture(robin))[0], at=NOW)
    assert undraw(league=robin, by=office, at=NOW) == 3
    assert [(match.state, match.fixture) for match in Match.objects.all()] == [("void", None)]
    other = world.round_robin(office, ["ana", "beto", "carla"])
    play(first_fixture(other), 10, 3)
    with pytest.raises(
        OperationError,
        match="A match of this draw already has a result, so the draw can’t be undone",
    ):
        undraw(league=other, by=office, at=NOW)


def swiss_of(office: Player, names: str, **fields: object) -> League:
    league = world.found(office, plays=False, format="swiss", **fields)
    for name in names.split():
        world.enter(league, world.account(name))
    return league


def test_swiss_is_kept_as_it_was_shown(office: Player) -> None:
    league = swiss_of(office, "a b c d e", rounds_planned=2)
    shown = preview_swiss(league=league)
    assert not league.rounds.exists()
    kept = draw_next_swiss(league=league, by=office, at=NOW, edition=shown.edition)
    drawn = [[one.pk for one in seated(fixture)] for fixture in kept.fixtures.all()]
    assert drawn == [list(pairing.seats) for pairing in shown.pairings]
    assert [bye["player"] for bye in kept.byes] == [bye.player for bye in shown.byes]
    assert len(kept.byes) == 1
    with pytest.raises(OperationError, match="fixtures of the last round do not have"):
        draw_next_swiss(league=league, by=office, at=NOW)
    for fixture in kept.fixtures.all():
        play(fixture, 10, 4)
    stale = preview_swiss(league=league)
    match = Match.objects.all()[0]
    void_match(match=match, version=match.version, by=office, at=NOW, reason="Oops.")
    with pytest.raises(OperationError, match="Check the draw again"):
        draw_next_swiss(league=league, by=office, at=NOW, edition=stale.edition)
    fixture = kept.fixtures.get(state="open")
    play(fixture, 4, 10)
    second = draw_next_swiss(league=league, by=office, at=NOW)
    met = {frozenset(pair) for pair in drawn}
    again = [frozenset(one.pk for one in seated(f)) for f in second.fixtures.all()]
    assert not met & set(again), "nobody meets twice while it can be helped"
    assert second.byes[0]["player"] != kept.byes[0]["player"]


def test_a_correction_tells_which_later_pairings_it_would_have_changed(office: Player) -> None:
    league = swiss_of(office, "a b c d")
    one = draw_next_swiss(league=league, by=office, at=NOW)
    matches = [play(fixture, 10, 4) for fixture in one.fixtures.all()]
    two = draw_next_swiss(league=league, by=office, at=NOW)
    play(two.fixtures.all()[0], 10, 4)
    same = preview_correction(match=matches[0], content=world.score(10, 5), by=office)
    assert same.pairings == ()
    turned = preview_correction(match=matches[0], content=world.score(4, 10), by=office)
    assert len(turned.pairings) == 2
    assert {change.round for change in turned.pairings} == {2}
    assert sorted(change.played for change in turned.pairings) == [False, True]
    for change in turned.pairings:
        assert set(change.instead) != set(change.players)
        assert change.players[0] in change.instead


def test_a_closed_league_stands_still(robin: League, office: Player) -> None:
    fixture = first_fixture(robin)
    people = seated(fixture)
    match = open_match(fixture=fixture, by=people[0], at=NOW)
    match = world.handed_in(match, people[0], world.score(10, 2))
    with pytest.raises(OperationError, match="awaiting confirmation"):
        close_league(league=robin, by=office, at=NOW)
    confirm(match=match, version=match.version, by=people[1], at=NOW)
    close_league(league=robin, by=office, at=NOW)
    states = Fixture.objects.values_list("state", flat=True)
    assert sorted(states) == ["played", *["void"] * 5]
    with pytest.raises(OperationError, match="closed"):
        world.enter(robin, world.account("late"))
    assert reopen_league(league=robin, by=office, at=NOW).closed_at is None


READS: list[Callable[[League], object]] = [
    standings_basis,
    members_of,
    records_of,
    rounds_of,
]


@pytest.mark.parametrize("read", READS)
def test_reading_takes_as_many_queries_for_many_rows_as_for_few(
    office: Player, read: Callable[[League], object]
) -> None:
    def asked(league: League) -> int:
        with CaptureQueriesContext(connection) as caught:
            read(league)
        return len(caught)

    small = world.round_robin(office, ["a", "b", "c"], cut=1)
    play(first_fixture(small), 10, 4)
    large = world.round_robin(office, ["a", "b", "c", "d", "e"], cut=2)
    for fixture in Fixture.objects.filter(round__league=large)[:4]:
        play(fixture, 10, 4)
    assert asked(small) == asked(large) <= 6
