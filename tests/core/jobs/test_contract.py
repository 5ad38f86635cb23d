"""Rules for every kind of background job: one worker claims it, sends heartbeats and may be
replaced.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from accounts.data_export.operations import build_export, request_export
from accounts.models import Export, User
from actas.models import Revalidation
from actas.revalidation import resume, start_revalidation
from core.jobs.models import Job, TakenOverError
from core.jobs.parts import PART_SIZE, PartWriter, read_parts
from corridas.archive import jobs as season_files
from corridas.models import Bundle, Circuit, Deck, Run, Season
from leagues.models import Recount
from leagues.ratings.pools import run_recount
from tests.databases import opened
from tests.scratch import at_once

NOW = dt.datetime(2027, 3, 1, 3, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)
TICK = dt.timedelta(microseconds=1)


@dataclass(frozen=True)
class JobKind:
    """A kind of job: the function that requests it, its worker, and columns for progress and
    outcome.
    """

    name: str
    request: Callable[[], Job]
    work: Callable[..., bool] | None
    progress: dict[str, Any]
    outcome: dict[str, Any]


def export() -> Job:
    user = User.objects.create_user(f"user-{User.objects.count()}")
    return Export.objects.create(user=user, asked_at=NOW)


def recount() -> Job:
    return Recount.objects.create(game="matador", asked_at=NOW)


def revalidation() -> Job:
    return Revalidation.objects.create(begun_at=NOW)


def bundle(way: Bundle.Way) -> Callable[[], Job]:
    return lambda: Bundle.objects.create(way=way, asked_at=NOW)


def run() -> Job:
    deck, _ = Deck.objects.get_or_create(digest="d" * 64, defaults={"name": "Deck", "cards": ""})
    circuit, _ = Circuit.objects.get_or_create(slug="ours", defaults={"name": "Ours", "deck": deck})
    season = Season.objects.create(
        circuit=circuit, year=2027 + Season.objects.count(), seed=bytes(32), commitment=bytes(32)
    )
    return Run.objects.create(season=season, until=dt.date(2027, 12, 31), asked_at=NOW)


DONE = {"done": 3}
KINDS = [
    JobKind("export", export, build_export, DONE, {"error": ""}),
    JobKind("recount", recount, run_recount, DONE, {"error": ""}),
    JobKind("revalidation", revalidation, resume, {"looked_at": {"rounds": 3}}, {"error": ""}),
    JobKind("file", bundle(Bundle.Way.OUT), season_files.make_file, DONE, {"state": "done"}),
    JobKind("import", bundle(Bundle.Way.IN), season_files.import_file, DONE, {"state": "failed"}),
    JobKind("run", run, None, DONE, {"state": "stopped"}),  # workers claim its chunks instead
]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
every_worker = pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if kind.work], ids=lambda kind: kind.name
)

tried_once = pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if "error" in kind.outcome], ids=lambda kind: kind.name
)


def claim(job: Job, at: dt.datetime = NOW) -> Any:
    return type(job).objects.claim(job.pk, at=at)


def claimed(job: Job, at: dt.datetime = NOW) -> Any:
    mine = claim(job, at)
    assert mine is not None
    return mine


def sweep(job: Job, at: dt.datetime = NOW) -> list[int]:
    return type(job).objects.sweep(at=at)


def columns(job: Job) -> dict[str, Any]:
    row = type(job).objects.get(pk=job.pk)
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.mark.django_db
@every_kind
def test_job_can_be_claimed_once(kind: JobKind) -> None:
    job = kind.request()
    mine = claimed(job)
    assert (mine.pk, getattr(mine, mine.CLAIM_FIELD)) == (job.pk, NOW)
    assert claim(job) is None
    assert claim(job, NOW + job.LOST_AFTER - TICK) is None


@every_kind
def test_of_concurrent_workers_only_one_claims_a_job(kind: JobKind, shared: str) -> None:
    with opened(shared):
        job = kind.request()
    came = at_once(shared, *[lambda: claim(job)] * 3)
    assert [one for one in came if isinstance(one, Exception)] == []
    assert sum(one is not None for one in came) == 1


@pytest.mark.django_db
@every_kind
def test_sweep_returns_waiting_jobs_and_jobs_of_dead_workers(kind: JobKind) -> None:
    first = kind.request()
    others = [] if kind.name == "revalidation" else [kind.request().pk]  # only one can run
    assert sweep(first) == [first.pk, *others], "oldest first"
    claimed(first)
    assert sweep(first, NOW + first.LOST_AFTER - TICK) == others
    assert sweep(first, NOW + first.LOST_AFTER) == [first.pk, *others]
    assert claim(first, NOW + first.LOST_AFTER) is not None


@pytest.mark.django_db
@every_kind
def test_heartbeat_extends_the_claim_of_a_worker(kind: JobKind) -> None:
    mine = claimed(kind.request())
    later = NOW + mine.LOST_AFTER - SECOND
    mine.beat(at=later, **kind.progress)
    row = columns(mine)
    assert {name: row[name] for name in kind.progress} == kind.progress
    if mine.CLAIM_FIELD == "begun_at":  # heartbeats do not change the start
        assert row["begun_at"] == NOW
        assert sweep(mine, NOW + mine.LOST_AFTER) == [mine.pk]
        return
    assert row["beat_at"] == later
    assert sweep(mine, later + mine.LOST_AFTER - TICK) == []
    assert sweep(mine, later + mine.LOST_AFTER) == [mine.pk]


@pytest.mark.django_db
@every_kind
def test_job_ends_after_several_heartbeats(kind: JobKind) -> None:
    mine = claimed(kind.request())
    for seconds in range(1, 4):
        mine.beat(at=NOW + seconds * SECOND, **kind.progress)
    mine.end(at=NOW + 4 * SECOND, **kind.outcome)
    row = columns(mine)
    assert row["ended_at"] == NOW + 4 * SECOND
    assert {name: row[name] for name in kind.outcome} == kind.outcome


@pytest.mark.django_db
@every_kind
def test_finished_job_is_neither_swept_nor_claimed(kind: JobKind) -> None:
    mine = claimed(kind.request())
    mine.end(at=NOW, **kind.outcome)
    much_later = NOW + 9 * mine.LOST_AFTER
    assert sweep(mine, much_later) == []
    assert claim(mine, much_later) is None


@pytest.mark.django_db
@every_kind
def test_released_job_can_be_claimed_at_once(kind: JobKind) -> None:
    mine = claimed(kind.request())
    mine.release(**kind.progress)
    assert columns(mine)[mine.CLAIM_FIELD] is None
    assert sweep(mine) == [mine.pk]
    assert claim(mine) is not None


@pytest.mark.django_db
@every_kind
def test_worker_that_was_replaced_cannot_save_to_its_job(kind: JobKind) -> None:
    slow = claimed(kind.request())
    later = NOW + slow.LOST_AFTER
    other = claimed(slow, later)
    before = columns(slow)
    with pytest.raises(TakenOverError):
        slow.beat(at=later, **kind.progress)
    with pytest.raises(TakenOverError):
        slow.release(**kind.progress)
    with pytest.raises(TakenOverError):
        slow.end(at=later, **kind.outcome)
    assert columns(slow) == before
    other.beat(at=later, **kind.progress)
    other.end(at=later, **kind.outcome)


@pytest.mark.django_db
@every_kind
def test_worker_of_a_cancelled_job_cannot_save_to_it(kind: JobKind) -> None:
    mine = claimed(kind.request())
    type(mine).objects.filter(pk=mine.pk).update(ended_at=NOW, **kind.outcome)
    before = columns(mine)
    with pytest.raises(TakenOverError):
        mine.beat(at=NOW + SECOND, **kind.progress)
    with pytest.raises(TakenOverError):
        mine.end(at=NOW + SECOND, **kind.outcome)
    assert columns(mine) == before


@pytest.mark.django_db
@every_kind
def test_deleted_job_cannot_be_claimed(kind: JobKind) -> None:
    job = kind.request()
    mine = claimed(job)
    type(job).objects.filter(pk=job.pk).delete()
    assert claim(mine, NOW + mine.LOST_AFTER) is None
    with pytest.raises(TakenOverError):
        mine.beat(at=NOW, **kind.progress)


@pytest.mark.django_db
@tried_once
def test_failed_job_stores_its_first_error(kind: JobKind) -> None:
    job = kind.request()
    claimed(job)
    type(job).objects.fail(job.pk, "x" * 400, at=NOW)
    row = columns(job)
    assert (row["ended_at"], row["error"]) == (NOW, "x" * 300)
    type(job).objects.fail(job.pk, "again", at=NOW + SECOND)
    assert columns(job) == row, "the first error counts"


@pytest.mark.django_db
@every_worker
def test_worker_does_nothing_if_another_worker_holds_the_job(kind: JobKind) -> None:
    assert kind.work
    job = kind.request()
    claimed(job)
    if isinstance(job, Bundle):
        Bundle.objects.filter(pk=job.pk).update(state=Bundle.State.RUNNING)
    before = columns(job)
    almost = NOW + job.LOST_AFTER - TICK
    assert not kind.work(job.pk, clock=lambda: almost)
    assert columns(job) == before


@pytest.mark.django_db
@every_worker
def test_worker_does_nothing_for_a_finished_or_deleted_job(kind: JobKind) -> None:
    assert kind.work
    job = kind.request()
    claimed(job).end(at=NOW, **kind.outcome)
    before = columns(job)
    later = NOW + 9 * job.LOST_AFTER
    assert not kind.work(job.pk, clock=lambda: later)
    assert columns(job) == before
    type(job).objects.filter(pk=job.pk).delete()
    assert not kind.work(job.pk, clock=lambda: later)


@pytest.mark.django_db
@pytest.mark.parametrize("way", Bundle.Way)
def test_season_file_counts_as_lost_only_after_a_time(way: Bundle.Way) -> None:
    job = bundle(way)()
    almost = NOW + season_files.PATIENCE - TICK
    assert season_files.lost(way, at=almost) == []
    assert season_files.lost(way, at=NOW + season_files.PATIENCE) == [job.pk]
    other = next(each for each in Bundle.Way if each != way)
    assert season_files.lost(other, at=NOW + season_files.PATIENCE) == []


@pytest.mark.slow
def test_of_two_workers_of_one_job_only_the_second_stores_the_file(shared: str) -> None:
    """The first worker was believed dead, but is still writing."""
    with opened(shared):
        job = export()
        slow = claimed(job)

    def write(mine: Any, letter: bytes) -> None:
        with PartWriter(mine.parts, "content") as out:
            for _ in range(3):
                out.write(letter * PART_SIZE)

    came = at_once(
        shared,
        lambda: write(slow, b"a"),
        lambda: write(claimed(job, NOW + job.LOST_AFTER), b"b"),
        reading='INSERT INTO "accounts_exportpart"',
    )
    assert came[1] is None, came
    assert came[0] is None or isinstance(came[0], TakenOverError)
    with opened(shared):
        assert b"".join(read_parts(slow.parts, "content")) == b"b" * 3 * PART_SIZE


@pytest.mark.slow
def test_concurrent_starts_create_a_single_revalidation(shared: str) -> None:
    came = at_once(
        shared,
        lambda: start_revalidation(at=NOW),
        lambda: start_revalidation(at=NOW),
        reading='FROM "actas_revalidation"',
    )
    assert [type(one) for one in came] == [Revalidation, Revalidation], came
    assert came[0].pk == came[1].pk


def test_concurrent_requests_create_a_single_data_export(shared: str) -> None:
    with opened(shared):
        user = User.objects.create_user("ana")

    def ask() -> Export:
        return request_export(user, total=1, at=NOW)

    came = at_once(shared, ask, ask)
    assert [type(one) for one in came] == [Export, Export], came
    assert came[0].pk == came[1].pk
