"""Rating tasks and commands: lost recounts are found, stored ratings are compared and repaired."""

import datetime as dt
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from leagues import tasks
from leagues.models import Match, Pool, Rating, RatingStep, Recount
from leagues.ratings import calculation, pools, recounts
from tests.leagues import world
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> list[Pool]:
    """Create a public league with three results, which count in two rating pools."""
    office = world.account("office")
    league = world.found_league(office, visibility="public")
    ana = world.account("ana")
    world.enter_league(league, ana)
    for minute in range(3):
        world.played(league, [office, ana], [10, minute], at=NOW + dt.timedelta(minutes=minute))
    return list(Pool.objects.order_by("pk"))


def rebuild(**options: object) -> str:
    out = StringIO()
    call_command("rebuild", "ratings", stdout=out, **options)
    return out.getvalue()


@pytest.mark.slow
def test_command_compares_and_repairs_ratings(club: list[Pool]) -> None:
    assert rebuild(check=True).count("agrees") == 2
    Rating.objects.filter(league=None).update(mu=1.0)
    RatingStep.objects.exclude(league=None).first().delete()  # type: ignore[union-attr]
    with pytest.raises(CommandError, match="differ"):
        rebuild(check=True)
    assert world.faults(), "a check repairs nothing"
    assert "differ" in rebuild()
    assert rebuild(check=True).count("agrees") == 2
    assert world.faults() == []


@pytest.mark.usefixtures("club")
def test_command_compares_ratings_of_a_single_league() -> None:
    Rating.objects.filter(league=None).update(mu=1.0)
    assert rebuild(check=True, league="thursday").count("agrees") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("valkey")
def test_recount_is_done_by_the_task(club: list[Pool]) -> None:
    Rating.objects.all().delete()
    for pool in club:
        tasks.recount_ratings(pools.request_recount(pool, at=NOW).pk)
    assert world.faults() == []
    assert Recount.objects.filter(error="", ended_at=None).count() == 0


def test_sweep_finds_lost_recounts_and_makes_results_final(
    club: list[Pool], monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, held = (pools.request_recount(pool, at=NOW) for pool in club)
    Recount.objects.filter(pk=held.pk).update(begun_at=timezone.now())
    sent: list[int] = []
    monkeypatch.setattr(recounts, "enqueue", lambda _name, key: sent.append(key))
    tasks.sweep_results()
    assert sent == [lost.pk]
    assert set(Match.objects.values_list("state", flat=True)) == {"final"}


def test_failed_recount_stores_its_error_and_can_be_repeated(
    club: list[Pool], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = pools.request_recount(club[0], at=NOW)
    assert pools.request_recount(club[0], at=NOW) == asked, "one at a time"

    def breaks(pool: Pool) -> None:
        raise MemoryError("too many")

    with monkeypatch.context() as broken:
        broken.setattr(pools, "outcomes_of", breaks)
        tasks.recount_ratings(asked.pk)
    asked.refresh_from_db()
    assert asked.error == "MemoryError: too many"
    club[0].refresh_from_db()
    assert club[0].stale
    again = pools.request_recount(club[0], at=NOW)
    assert again != asked
    assert pools.run_recount(again.pk, clock=lambda: NOW)
    assert world.faults() == []


def test_pool_that_changes_during_a_recount_is_counted_again(
    club: list[Pool], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = pools.request_recount(club[0], at=NOW)
    counted = calculation.recount_ratings
    rounds: list[int] = []

    def meanwhile(*given: Any, **named: Any) -> object:
        rounds.append(1)
        if len(rounds) < 3:
            Pool.objects.filter(pk=club[0].pk).update(version=1000 + len(rounds))
        return counted(*given, **named)

    monkeypatch.setattr(calculation, "recount_ratings", meanwhile)
    assert pools.run_recount(asked.pk, clock=lambda: NOW)
    assert len(rounds) == 3
    monkeypatch.undo()
    assert world.faults() == []
