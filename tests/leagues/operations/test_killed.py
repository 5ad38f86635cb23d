"""If a process is killed during an operation, the operation has changed everything or nothing."""

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.core import serializers

from leagues.fixtures.operations import draw_round_robin
from leagues.league.operations import change_settings, settings_of
from leagues.matches.operations.corrections import correct_match, dispute_match
from leagues.matches.operations.matches import confirm, hand_in
from leagues.members.operations.membership import FixtureHandling, withdraw
from leagues.members.operations.merging import merge_players
from leagues.models import Fixture, Match, Place, Result
from tests.databases import opened
from tests.leagues import world
from tests.leagues.world import NOW
from tests.scratch import dies_before

LATER = NOW + dt.timedelta(days=1)
TELLING = 16  # maximum number of statements after the commit, for events and notices
DEATHS = 9  # number of kills of each operation, spread over its statements


def all_rows() -> str:
    """Return all rows of the leagues as text, without the random keys."""
    models: list[Any] = list(apps.get_app_config("leagues").get_models())
    rows = [row for model in models for row in model.objects.order_by("pk")]
    return re.sub(r'"key": "[^"]*"', "", str(serializers.serialize("json", rows)))


def done_whole(url: str, work: Callable[[], None]) -> tuple[int, str]:
    """Return the number of statements of the complete work, and the resulting rows."""
    statements = [0]

    def count(*_: object) -> None:
        statements[0] += 1

    with opened(url) as connection:
        connection.ensure_connection()
        connection.connection.set_trace_callback(count)
        work()
        connection.connection.set_trace_callback(None)
        return statements[0], all_rows()


def _confirm() -> None:
    match = world.waiting_matches()[0]
    confirm(match=match, version=match.version, by=world.called("beto"), at=LATER)


def _correct() -> None:
    match = Result.objects.order_by("pk")[0].match
    correct_match(
        match=match, version=match.version, by=world.called("office"), at=LATER,
        content=world.score(1, 13), reason="Swapped.",
    )  # fmt: skip


def _dispute() -> None:
    match = Result.objects.order_by("pk")[1].match
    dispute_match(
        match=match, version=match.version, by=world.called("carla"), at=LATER, reason="No."
    )


def _merge() -> None:
    merge_players(
        absorbed=world.called("dora"),
        kept=world.called("carla"),
        by=world.called("office"),
        at=LATER,
    )


def _hand_in() -> None:
    match = world.waiting_matches()[0]
    hand_in(
        match=match, version=match.version, by=world.called("ana"), at=LATER,
        content=world.score(10, 9),
    )  # fmt: skip


def _go_private() -> None:
    league = world.shared_league()
    settings = settings_of(league)
    change_settings(
        league=league, settings=world.changed_settings(settings, visibility="private"),
        by=world.called("office"), at=LATER,
    )  # fmt: skip


def _draw() -> None:
    league = world.shared_league()
    draw_round_robin(league=league, by=world.called("office"), at=LATER)


def _withdraw() -> None:
    league = world.shared_league()
    withdraw(
        league=league, player=world.called("ana"), by=world.called("office"), at=LATER,
        handling=FixtureHandling.FORFEIT,
    )  # fmt: skip


def _as_round_robin() -> None:
    world.shared_league().__class__.objects.update(format="round_robin")


def _drawn() -> None:
    _as_round_robin()
    _draw()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prepare", "work"),
    [
        (lambda: None, _confirm),
        (lambda: None, _correct),
        (lambda: None, _dispute),
        (lambda: None, _merge),
        (lambda: None, _hand_in),
        (lambda: None, _go_private),
        (_as_round_robin, _draw),
        (_drawn, _withdraw),
    ],
    ids=["confirm", "correct", "dispute", "merge", "hand in", "go private", "draw", "withdraw"],
)
def test_killed_operation_leaves_no_partial_changes(
    copies: Callable[[], str], prepare: Callable[[], None], work: Callable[[], None]
) -> None:
    url = copies()
    with opened(url):
        prepare()
        before = all_rows()
    whole = copies()
    with opened(whole):
        prepare()
    statements, after = done_whole(whole, work)
    assert after != before
    for statement in sorted({*range(2, statements, max(1, statements // DEATHS)), statements - 1}):
        assert dies_before(url, statement, work), statement
        with opened(url):
            there = all_rows()
            assert there in (before, after), f"killed before statement {statement}"
            if there == after:  # after the commit, only events and notifications follow
                assert statement > statements - TELLING
                break
    with opened(whole):
        assert world.faults() == []


def test_withdrawal_forfeits_all_open_fixtures_of_the_player(copies: Callable[[], str]) -> None:
    with opened(copies()):
        _drawn()
        _withdraw()
        mine = Fixture.objects.filter(seats__player=world.called("ana"))
        assert {fixture.state for fixture in mine} == {Fixture.State.FORFEITED}
        lost = Place.objects.filter(
            player=world.called("ana"), result__match__origin=Match.Origin.FORFEIT
        )
        assert {place.place for place in lost} == {2}
        assert len(lost) == 3
