"""Revalidation calculates all stored games again: in slices, by one worker, continued after
interrupts.
"""

import datetime as dt
from collections.abc import Iterator
from functools import partial

import pytest

from actas import revalidation, tasks
from actas.models import Revalidation
from actas.revalidation import RevalidationItem, RevalidationSource
from fairness import CommitmentDifference

NOW = dt.datetime(2027, 3, 1, 3, tzinfo=dt.UTC)
pytestmark = pytest.mark.django_db


class Clock:
    """A clock that is `step` seconds later at each call."""

    def __init__(self, step: float = 2.0) -> None:
        self.at, self.step = NOW, dt.timedelta(seconds=step)

    def __call__(self) -> dt.datetime:
        self.at += self.step
        return self.at


@pytest.fixture
def checked_games(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Register two kinds of stored games; corrida 3 differs, and round 2 raises an error.

    Returns a list of the games checked so far.
    """
    looked: list[str] = []

    def check(kind: str, key: int) -> list[CommitmentDifference]:
        looked.append(f"{kind} {key}")
        if (kind, key) == ("round", 2):
            raise ValueError("no such move")
        return [CommitmentDifference("lidia/1", 4, 5)] if (kind, key) == ("corrida", 3) else []

    def shelf(kind: str, most: int) -> RevalidationSource:
        def items(_since: dt.date | None, after: int) -> Iterator[RevalidationItem]:
            for key in range(after + 1, most + 1):
                yield RevalidationItem(key, f"{kind} {key}", partial(check, kind, key))

        return RevalidationSource(kind=kind, engine="1", count=lambda _since: most, items=items)

    monkeypatch.setattr(revalidation, "_SOURCES", {})
    revalidation.register_source(shelf("corrida", 5))
    revalidation.register_source(shelf("round", 3))
    return looked


def test_revalidation_counts_differences_and_checks_everything(checked_games: list[str]) -> None:
    row = revalidation.start_revalidation(at=NOW)
    assert not revalidation.resume(row.pk, clock=Clock())
    row.refresh_from_db()
    assert len(checked_games) == 8
    assert (row.looked_at, row.differing) == (
        {"corrida": 5, "round": 3},
        {"corrida": 1, "round": 1},
    )
    assert [found["lines"] for found in row.first] == [
        ["lidia/1: stored 4, calculated 5"],
        ["cannot be played again: ValueError: no such move"],
    ]
    assert row.ended_at
    assert not row.is_clean
    assert (row.engines, row.done, row.total) == ({"corrida": "1", "round": "1"}, 8, 8)
    assert Revalidation.latest() == row


def test_revalidation_in_slices_checks_every_game_once(checked_games: list[str]) -> None:
    row = revalidation.start_revalidation(at=NOW)
    slices, clock = 1, Clock()
    while revalidation.resume(row.pk, clock=clock, most=dt.timedelta(seconds=3)):
        slices += 1
    assert slices > 2
    assert checked_games == [
        *(f"corrida {key}" for key in range(1, 6)),
        "round 1",
        "round 2",
        "round 3",
    ]
    row.refresh_from_db()
    assert row.done == 8


@pytest.mark.usefixtures("checked_games")
def test_worker_that_lost_its_revalidation_stores_nothing_more() -> None:
    row = revalidation.start_revalidation(at=NOW)
    other = NOW + dt.timedelta(hours=1)

    def overtaken(_row: Revalidation) -> None:
        Revalidation.objects.update(beat_at=other)

    assert not revalidation.resume(row.pk, clock=Clock(), progress=overtaken)
    row.refresh_from_db()
    assert (row.done, row.beat_at, row.ended_at) == (1, other, None)


def test_interrupted_revalidation_is_continued_later(checked_games: list[str]) -> None:
    row = revalidation.start_revalidation(at=NOW)

    def interrupt(_row: Revalidation) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        revalidation.resume(row.pk, clock=Clock(), progress=interrupt)
    again = revalidation.start_revalidation(at=NOW)
    assert again == row
    assert again.beat_at is None
    revalidation.resume(row.pk, clock=Clock())
    assert len(checked_games) == 8


@pytest.mark.usefixtures("checked_games")
def test_only_one_revalidation_runs_and_another_start_date_ends_it() -> None:
    first = revalidation.start_revalidation(at=NOW)
    assert revalidation.start_revalidation(at=NOW) == first
    second = revalidation.start_revalidation(at=NOW, since=dt.date(2027, 1, 1))
    first.refresh_from_db()
    assert first.ended_at == NOW
    assert not first.is_clean
    assert second.since == dt.date(2027, 1, 1)


@pytest.mark.usefixtures("checked_games")
def test_nightly_task_completes_the_revalidation(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks, "send", lambda _task, key: sent.append(key))
    tasks.begin_revalidation()
    tasks.revalidate(sent[0])
    latest = Revalidation.latest()
    assert latest
    assert latest.ended_at
    assert latest.pk == sent[0]
    tasks.sweep_revalidations()
    assert len(sent) == 1


def test_latest_revalidation_is_none_before_the_first() -> None:
    assert Revalidation.latest() is None
