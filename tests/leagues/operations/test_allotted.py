"""Concurrent transactions that have read the same state: each number or place is given once.

The helper `at_once` makes the transactions wait for each other between reading and writing. On
PostgreSQL they are separate transactions.
"""

import datetime as dt
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from leagues.exceptions import OperationError
from leagues.exchange.formats import read_csv, write_csv
from leagues.exchange.operations import import_results, records_of
from leagues.fixtures.operations import draw_next_swiss, draw_round_robin
from leagues.matches.operations.corrections import correct_match
from leagues.matches.operations.matches import open_match
from leagues.members.operations.membership import add_guest
from leagues.models import (
    Delivery,
    Fixture,
    League,
    Match,
    Player,
    Pool,
    Recount,
    Round,
    Webhook,
)
from leagues.players import new_player
from leagues.ratings.pools import request_recount
from leagues.results import record_played_match
from leagues.webhooks.operations import CheckedAddress, add_checked, deliver_again
from tests.databases import opened
from tests.leagues import game, world
from tests.leagues.world import NOW
from tests.scratch import HESITATION, at_once
from tests.waiting import PATIENCE

LATER = NOW + dt.timedelta(days=1)


def kinds(came: list[Any]) -> list[str]:
    return sorted(type(answer).__name__ for answer in came)


def sound(url: str) -> None:
    with opened(url):
        assert world.faults() == []


def swiss() -> League:
    league = world.found_league(
        world.called("office"), format="swiss", plays=False, rounds_planned=3, name="Swiss"
    )
    for name in ("ana", "beto", "carla"):
        world.enter_league(league, world.called(name))
    return league


def undrawn() -> League:
    league = world.found_league(
        world.called("office"), format="round_robin", plays=False, name="Robin"
    )
    for name in ("ana", "beto", "carla"):
        world.enter_league(league, world.called(name))
    return league


def of_fixture(url: str) -> tuple[Fixture, list[Player]]:
    with opened(url):
        fixture = world.first_fixture(
            world.round_robin(world.called("office"), ["ana", "beto", "carla"])
        )
        return fixture, world.seated(fixture)


@pytest.mark.slow
def test_concurrent_players_of_one_name_get_different_slugs(shared: str) -> None:
    def enter() -> Player:
        return new_player(name="Gil", at=LATER)

    came = at_once(shared, enter, enter, enter, reading=r'slug" (LIKE|::text)')
    assert kinds(came) == ["Player"] * 3, came
    assert len({player.slug for player in came}) == 3


def test_concurrent_leagues_of_one_name_get_different_slugs(shared: str) -> None:
    def found() -> League:
        return world.found_league(world.called("ana"), visibility="public", name="Alba")

    came = at_once(shared, found, found, reading='"leagues_player"')
    assert kinds(came) == ["League", "League"], came
    assert {league.slug.partition("-")[0] for league in came} == {"alba"}
    assert len({league.slug for league in came}) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("league", "draw", "rounds"),
    [(swiss, draw_next_swiss, 1), (undrawn, draw_round_robin, 3)],
    ids=["swiss", "round robin"],
)
def test_concurrent_draws_create_a_round_once(
    league: Callable[[], League], draw: Callable[..., object], rounds: int, shared: str
) -> None:
    with opened(shared):
        drawn, office = league(), world.called("office")

    def click() -> object:
        return draw(league=drawn, by=office, at=LATER)

    came = at_once(shared, click, click, reading="leagues_round")
    assert sum(isinstance(answer, OperationError) for answer in came) == 1, came
    with opened(shared):
        numbers = Round.objects.filter(league=drawn).order_by("number").values_list("number")
        assert [number for (number,) in numbers] == list(range(1, rounds + 1))


@pytest.mark.slow
def test_concurrent_corrections_create_one_version(shared: str) -> None:
    with opened(shared):
        match, office = Match.objects.filter(state="confirmed")[0], world.called("office")

    def correct(points: int) -> Match:
        return correct_match(
            match=match, version=match.version, by=office, at=LATER,
            content=world.score(points, 20), reason="Miscounted.",
        )  # fmt: skip

    came = at_once(
        shared, lambda: correct(1), lambda: correct(2), reading='FROM "leagues_sheet"|leagues_match'
    )
    assert kinds(came) == ["Match", "StaleMatch"], came
    with opened(shared):
        assert list(match.sheets.order_by("number").values_list("number", flat=True)) == [1, 2]
    sound(shared)


@pytest.mark.slow
def test_match_of_a_fixture_is_opened_while_its_table_ends(shared: str) -> None:
    """The table has found the fixture free when another player opens its match."""
    fixture, players = of_fixture(shared)
    league = fixture.round.league
    seen, opened_too = threading.Event(), threading.Event()

    def end() -> Match:
        def hesitate(run: Callable[..., Any], sql: str, *arguments: Any) -> Any:
            came = run(sql, *arguments)
            if 'AS "a" FROM "leagues_match"' in sql and not seen.is_set():
                seen.set()
                opened_too.wait(HESITATION)
            return came

        with connection.execute_wrapper(hesitate), transaction.atomic():
            return record_played_match(
                game=game.KEY, rules=league.rules, rules_hash=league.rules_hash, players=players,
                content=world.score(10, 4), began_at=NOW, at=LATER, league=league, fixture=fixture,
            )  # fmt: skip

    def open_it() -> Match:
        assert seen.wait(PATIENCE)
        match = open_match(fixture=fixture, by=players[0], at=LATER)
        opened_too.set()
        return match

    came = at_once(shared, end, open_it)
    assert kinds(came) == ["Match", "Match"], came
    with opened(shared):
        assert [match.state for match in Match.objects.filter(fixture=fixture)] == ["final"]
        fixture.refresh_from_db()
        assert fixture.state == Fixture.State.PLAYED
    sound(shared)


@pytest.mark.slow
def test_concurrent_guests_of_one_name_are_added_once(shared: str) -> None:
    with opened(shared):
        league, office = world.shared_league(), world.called("office")

    def add() -> object:
        return add_guest(league=league, name="Gil", by=office, at=LATER)

    came = at_once(shared, add, add, reading='FROM "leagues_member"')
    assert kinds(came) == ["Member", "OperationError"], came


@pytest.mark.slow
def test_concurrent_imports_of_a_file_add_its_matches_once(shared: str) -> None:
    with opened(shared):
        office = world.called("office")
        data = write_csv(records_of(world.shared_league()))
        other = world.found_league(office, plays=False, name="Other")
    reading = read_csv(data, game=game.KEY)

    def bring() -> object:
        return import_results(league=other, reading=reading, by=office, at=LATER)

    came = at_once(shared, bring, bring, reading='FROM "leagues_match"')
    assert kinds(came) == ["ImportResult", "OperationError"], came
    with opened(shared):
        assert other.matches.count() == 3
        assert Player.objects.filter(name="ana", memberships__league=other).count() == 1


@pytest.fixture
def one_webhook(settings: Any) -> None:
    settings.WEBHOOKS_A_LEAGUE = 1


@pytest.mark.slow
@pytest.mark.usefixtures("one_webhook")
def test_concurrent_webhooks_do_not_exceed_the_limit(shared: str) -> None:
    with opened(shared):
        league, office = world.shared_league(), world.called("office")

    def add(name: str) -> Webhook:
        address = CheckedAddress(f"https://example.org/{name}")
        return add_checked(league=league, address=address, wanted=(), by=office, at=LATER)

    came = at_once(shared, lambda: add("a"), lambda: add("b"), reading="leagues_webhook")
    assert kinds(came) == ["OperationError", "Webhook"], came


@pytest.mark.slow
def test_concurrent_repeated_deliveries_get_different_attempt_numbers(shared: str) -> None:
    with opened(shared):
        league, office = world.shared_league(), world.called("office")
        address = CheckedAddress("https://example.org/")
        hook = add_checked(league=league, address=address, wanted=(), by=office, at=NOW)
        first = Delivery.objects.create(
            webhook=hook, identifier="evt_1", event=1, kind="league.opened", cause="event",
            attempt=1, state="delivered", at=NOW,
        )  # fmt: skip

    def again() -> Delivery:
        return deliver_again(league=league, key=hook.pk, delivery=first.pk, by=office, at=LATER)

    came = at_once(shared, again, again, reading="leagues_delivery")
    assert sorted(delivery.attempt for delivery in came) == [2, 3], came


@pytest.mark.slow
def test_concurrent_requests_create_one_recount_of_a_pool(shared: str) -> None:
    with opened(shared):
        pool = Pool.objects.get(league=world.shared_league())

    def ask() -> Recount:
        return request_recount(pool, at=LATER)

    came = at_once(shared, ask, ask, reading='FROM "leagues_recount"')
    assert kinds(came) == ["Recount", "Recount"], came
    assert len({row.pk for row in came}) == 1
