"""Corridas whose broadcast is over are posted together; an error of one does not affect the
others.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any

import pytest
from celery import Task
from django.db import OperationalError
from psycopg.errors import DiskFull
from redis import Redis

from core import jobs
from corridas import tasks
from corridas.models import Corrida, Run, Season
from corridas.simulation.play import TRIES, play_on_air
from corridas.simulation.post import post as post_all
from corridas.simulation.post import post_due
from corridas.world.deeds import PlayedCorrida
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults
from tests.corridas.simulation.world import NOW

pytestmark = pytest.mark.usefixtures("rows")
END = NOW + dt.timedelta(hours=1)


def on_air(season: Season) -> list[int]:
    keys = world.queue_all(season)
    for key in keys:
        play_on_air(key, at=NOW)
    return keys


@pytest.mark.slow
def test_due_corridas_of_a_season_are_posted_in_one_transaction() -> None:
    keys = on_air(world.wild()) + on_air(world.calm())
    assert sorted(post_due(at=END)) == sorted(keys)
    for season in (world.wild(), world.calm()):
        assert season.posted_version == 1
        assert faults(season) == []
    assert post_due(at=END) == []


def test_full_disk_does_not_mark_corridas_as_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = on_air(world.calm())
    tried: list[int] = []

    def post(
        season: Season, played: Sequence[PlayedCorrida], *, at: dt.datetime, run: Run | None
    ) -> None:
        tried.append(len(played))
        raise OperationalError("could not extend file") from DiskFull()

    with monkeypatch.context() as full:
        full.setattr("corridas.simulation.post.post", post)
        with pytest.raises(OperationalError):
            post_due(at=END)
    assert len(tried) == 1
    assert sorted(post_due(at=END)) == sorted(keys)


@pytest.mark.slow
def test_corrida_that_cannot_be_posted_does_not_delay_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = on_air(world.wild())
    spoilt = keys[-1]  # form is updated in this order

    def post(
        season: Season, played: Sequence[PlayedCorrida], *, at: dt.datetime, run: Run | None
    ) -> None:
        if any(one.pk == spoilt for one in played):
            raise ValueError("spoilt")
        post_all(season, played, at=at, run=run)

    monkeypatch.setattr("corridas.simulation.post.post", post)
    assert sorted(post_due(at=END)) == sorted(set(keys) - {spoilt})
    assert Corrida.objects.get(pk=spoilt).state == Corrida.State.ON_AIR
    assert faults(world.wild()) == []
    monkeypatch.undo()
    assert post_due(at=END) == [spoilt]
    assert faults(world.wild()) == []


def test_unreachable_database_does_not_count_as_an_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    key = world.queue_all(world.calm())[0]

    def away(corrida_id: int, *, at: dt.datetime) -> bool:
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr("corridas.tasks.play_on_air", away)
    monkeypatch.setattr(jobs, "RETRY_DELAY", 0)
    for _ in range(TRIES + 1):
        with pytest.raises(OperationalError):
            tasks.play_corrida(key)
    waits = Corrida.objects.get(pk=key)
    assert (waits.state, waits.attempts, waits.error) == (Corrida.State.QUEUED, 0, "")


@pytest.fixture
def sent(valkey: str, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the keys of tasks sent to a queue that no worker reads."""
    keys: list[int] = []

    def note(task: Task[Any, Any], key: int) -> bool:
        keys.append(key)
        return jobs.send(task, key)

    monkeypatch.setattr(tasks, "send", note)
    return keys


def again(*keys: int, after: float = 0) -> None:
    tasks.send_again(tasks.play_corrida, keys, at=NOW + dt.timedelta(seconds=after))


@pytest.mark.slow
def test_tasks_waiting_in_a_long_queue_are_not_sent_again(sent: list[int]) -> None:
    assert tasks.backlog(tasks.play_corrida) == 0
    tasks.play_corrida.delay(1)
    tasks.play_corrida.delay(2)
    assert tasks.backlog(tasks.play_corrida) == 2
    for second in range(2 * tasks.SENT_TTL):
        again(1, 2, after=second)
    assert sent == []


@pytest.mark.slow
def test_only_lost_tasks_are_sent_again(sent: list[int]) -> None:
    tasks.play_corrida.delay(3)
    for second in range(2 * tasks.SENT_TTL):
        again(1, 2, 3, after=second)
    assert sent == [1, 2]
    assert tasks.backlog(tasks.play_corrida) == 3


def test_tasks_sent_first_are_considered_lost_first(sent: list[int], valkey: str) -> None:
    tasks.play_corrida.delay(2)
    tasks.play_corrida.delay(3)
    again(1, 2, 3)
    with Redis.from_url(valkey) as broker:
        broker.rpop("live")  # a worker took one, and was killed
        again(1, 2, 3, after=1)
        assert sent == [1, 2]
        broker.delete("live")
    again(1, 2, 3, after=2)
    assert sent == [1, 2, 3], "the others were sent just now"
    again(1, 2, 3, after=1 + tasks.AGAIN_AFTER)
    assert sent == [1, 2, 3, 1, 2]
