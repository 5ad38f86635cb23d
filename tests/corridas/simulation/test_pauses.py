"""A circuit that is always on air pauses before its winter and before the next season's first
contracts.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from accounts.models import User
from corridas import notifications
from corridas.models import Cartel, Circuit, Corrida, Run, Season, Winter
from corridas.season.operations import open_next_season
from corridas.season.pauses import WaitsFor, begin_season, next_winter, note_end_seen
from corridas.simulation.pause_queries import season_end
from corridas.simulation.sweep import evenings_due, next_for_the_sand
from tests.corridas.simulation import world
from tests.corridas.simulation.world import NOW
from tests.databases import opened
from tests.scratch import at_once, seeds

TICK = dt.timedelta(microseconds=1)
HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(hours=24)
FRESH = seeds("pauses")


def over_since_now() -> Season:
    """Return a season of two corridas that ended at `NOW`, in a circuit that is always on air."""
    season = world.brief()
    world.play_season(season)
    Circuit.objects.filter(pk=season.circuit_id).update(
        always_on_air=True, calendar=[list(entry) for entry in world.BRIEF]
    )
    return world.brief()


@pytest.fixture
def over(rows: str) -> Season:
    return over_since_now()


def sweep(at: dt.datetime) -> list[int]:
    return next_for_the_sand(at=at, fresh=FRESH, on_winter=notifications.winter_over)


def wintered(season: Season) -> bool:
    return Winter.objects.get(season=season).done_at is not None


def run_of(season: Season, by: User | None) -> Run:
    """Store that a run of this director ended the season."""
    Run.objects.filter(season=season).update(asked_by=by)
    return Run.objects.get(season=season)


def test_winter_starts_an_hour_after_the_season_ended_by_itself(over: Season) -> None:
    sweep(NOW + HOUR - TICK)
    assert not wintered(over)
    assert next_winter(over, NOW + HOUR - TICK).waits_for == WaitsFor.CLOCK
    assert next_winter(over, NOW).until == NOW + HOUR
    assert next_winter(over, NOW + HOUR).waits_for == WaitsFor.NOW
    sweep(NOW + HOUR)
    assert wintered(over)
    assert over.circuit.seasons.count() == 2


def test_winter_waits_a_day_for_the_director_whose_run_ended_the_season(over: Season) -> None:
    ana = User.objects.create_user("ana")
    run_of(over, ana)
    sweep(NOW + HOUR)
    sweep(NOW + DAY - TICK)
    assert not wintered(over)
    coming = next_winter(over, NOW + HOUR)
    assert (coming.waits_for, coming.until) == (WaitsFor.DIRECTOR, NOW + DAY)
    sweep(NOW + DAY)
    assert wintered(over)


@pytest.mark.slow
def test_winter_starts_once_the_director_has_seen_the_end_of_the_season(
    over: Season,
) -> None:
    ana, bea = User.objects.create_user("ana"), User.objects.create_superuser("bea")
    run_of(over, ana)
    soon = NOW + dt.timedelta(minutes=5)
    assert not note_end_seen(season=over, by=bea.pk, at=soon)
    assert not note_end_seen(season=over, by=None, at=soon)
    sweep(soon)
    assert not wintered(over)
    assert note_end_seen(season=over, by=ana.pk, at=soon)
    assert next_winter(over, soon).waits_for == WaitsFor.NOW
    assert not note_end_seen(season=over, by=ana.pk, at=soon + TICK), "once"
    assert Winter.objects.get(season=over).end_seen_at == soon
    sweep(soon)
    assert wintered(over)


def test_winter_does_not_wait_for_a_deleted_director(over: Season) -> None:
    ana = User.objects.create_user("ana")
    run_of(over, ana)
    ana.delete()
    sweep(NOW + HOUR)
    assert wintered(over)


@pytest.mark.slow
def test_winter_waits_an_hour_if_a_corrida_was_posted_after_the_run(over: Season) -> None:
    """The last corrida was fought at a real table, or was on air."""
    run_of(over, User.objects.create_user("ana"))
    later = NOW + dt.timedelta(minutes=20)
    last = over.corridas.order_by("-date")[0]
    Corrida.objects.filter(pk=last.pk).update(posted_at=later)
    assert season_end(over) == (later, None, None)
    sweep(later + HOUR - TICK)
    assert not wintered(over)
    sweep(later + HOUR)
    assert wintered(over)


def test_winter_of_a_season_that_ended_long_ago_starts_at_once(over: Season) -> None:
    """Data of earlier versions do not contain who has seen the end of the season."""
    run_of(over, User.objects.create_user("ana"))
    sweep(NOW + dt.timedelta(days=300))
    assert wintered(over)


def test_season_without_a_winter_row_waits_an_hour(over: Season) -> None:
    """Data of the first versions have no winter row, so nothing can note who has seen the end."""
    run_of(over, User.objects.create_user("ana"))
    Winter.objects.filter(season=over).delete()
    sweep(NOW + HOUR - TICK)
    assert over.circuit.seasons.count() == 1
    sweep(NOW + HOUR)
    assert over.circuit.seasons.count() == 2


@pytest.mark.slow
def test_season_without_corridas_ends_an_hour_after_its_previous_winter(
    over: Season,
) -> None:
    sweep(NOW + HOUR)
    empty = over.circuit.seasons.get(year=over.year + 1)
    empty.corridas.all().delete()
    sweep(NOW + 2 * HOUR - TICK)
    assert not wintered(empty)
    sweep(NOW + 2 * HOUR)
    assert wintered(empty)


def test_director_can_start_the_winter_at_any_time(over: Season) -> None:
    run_of(over, User.objects.create_user("ana"))
    following = open_next_season(circuit=over.circuit, at=NOW, year=over.year)
    assert following.year == over.year + 1
    again = open_next_season(circuit=over.circuit, at=NOW, year=over.year)
    assert again == following
    assert over.circuit.seasons.count() == 2


@pytest.mark.slow
def test_two_workers_and_a_director_play_one_winter(shared: str) -> None:
    """None of them hires matadors for the season after the winter."""
    due = NOW + HOUR
    with opened(shared):
        season = over_since_now()

    def start() -> int:
        return open_next_season(circuit=season.circuit, at=due, year=season.year).year

    assert at_once(shared, lambda: sweep(due), lambda: sweep(due), start, start) == [
        *([], []),
        *[season.year + 1] * 2,
    ]
    with opened(shared):
        assert season.circuit.seasons.count() == 2
        assert not Cartel.objects.filter(corrida__season__year=season.year + 1).exists()


@pytest.mark.parametrize(
    ("fields", "waits_for"),
    [
        ({"always_on_air": False}, WaitsFor.START),
        ({"frozen_at": NOW}, WaitsFor.RESTS),
        ({"archived_at": NOW}, WaitsFor.RESTS),
    ],
)
def test_circuit_that_does_not_continue_by_itself_says_why(
    over: Season, fields: dict[str, Any], waits_for: WaitsFor
) -> None:
    Circuit.objects.filter(pk=over.circuit_id).update(**fields)
    season = Season.objects.select_related("circuit").get(pk=over.pk)
    assert next_winter(season, NOW + DAY).waits_for == waits_for
    sweep(NOW + DAY)
    assert not wintered(over)


def test_last_season_allowed_in_a_circuit_says_so(over: Season, settings: Any) -> None:
    settings.SEASONS_A_CIRCUIT = 1
    over.circuit.owner = User.objects.create_user("ana")
    assert next_winter(over, NOW + DAY).waits_for == WaitsFor.FULL


# The first contracts of a season


@pytest.fixture
def new(over: Season) -> Season:
    """Return the season after the winter, which was played an hour after `NOW`."""
    sweep(NOW + HOUR)
    return Season.objects.select_related("circuit").get(year=over.year + 1, circuit=over.circuit)


WINTER = NOW + HOUR


def carteles(season: Season) -> int:
    return Cartel.objects.filter(corrida__season=season, set_by_hand=False).count()


def test_first_contracts_are_made_an_hour_after_the_winter(new: Season) -> None:
    assert sweep(WINTER + TICK) == []
    assert sweep(WINTER + HOUR - TICK) == []
    assert carteles(new) == 0
    (queued,) = sweep(WINTER + HOUR)
    assert Corrida.objects.get(pk=queued).season == new
    assert carteles(new) == 2


def test_first_contracts_are_made_once_a_director_begins_the_season(new: Season) -> None:
    soon = WINTER + dt.timedelta(minutes=3)
    begin_season(season=new, at=soon)
    begin_season(season=new, at=soon + HOUR)
    (begun,) = Winter.objects.exclude(begun_at=None)
    assert (begun.season.year, begun.begun_at) == (new.year - 1, soon)
    assert len(sweep(soon)) == 1
    assert carteles(new) == 2


def test_season_that_has_begun_does_not_wait_for_contracts(new: Season) -> None:
    """The director has played the first corrida, so its matadors are already hired."""
    first = new.corridas.order_by("date")[0]
    Corrida.objects.filter(pk=first.pk).update(state=Corrida.State.POSTED)
    assert len(sweep(WINTER + TICK)) == 1


def test_first_season_of_a_circuit_does_not_wait_for_contracts(over: Season) -> None:
    Corrida.objects.filter(season=over).update(state=Corrida.State.ANNOUNCED)
    assert len(sweep(NOW)) == 1


def test_daily_broadcast_does_not_wait_for_the_pause_before_first_contracts(new: Season) -> None:
    Circuit.objects.filter(pk=new.circuit_id).update(
        always_on_air=False, evening=WINTER.time(), zone="UTC"
    )
    queued = evenings_due(at=WINTER, fresh=FRESH, on_winter=notifications.winter_over)
    assert Corrida.objects.get(pk=queued[0]).season == new


def test_daily_broadcast_waits_for_the_director_whose_run_ended_the_season(over: Season) -> None:
    run_of(over, User.objects.create_user("ana"))
    Circuit.objects.filter(pk=over.circuit_id).update(
        always_on_air=False, evening=NOW.time(), zone="UTC"
    )
    season = Season.objects.select_related("circuit").get(pk=over.pk)
    assert next_winter(season, NOW + TICK).waits_for == WaitsFor.DIRECTOR
    assert next_winter(season, NOW + DAY).waits_for == WaitsFor.EVENING
    early = evenings_due(at=NOW + TICK, fresh=FRESH, on_winter=notifications.winter_over)
    assert (early, wintered(over)) == ([], False)
    due = evenings_due(at=NOW + DAY, fresh=FRESH, on_winter=notifications.winter_over)
    assert (len(due), wintered(over)) == (1, True)
