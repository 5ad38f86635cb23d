"""The job that copies a circuit in a worker, and removes copies that were deleted or failed."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final

from django.db import IntegrityError, connection, transaction
from django.db.models import F

from accounts.models import User
from core.jobs.models import TakenOverError
from core.names.fields import with_keys
from corridas import notifications
from corridas.circuit_queries import free_slug, may_be_seen
from corridas.circuits.copying import check_budget
from corridas.circuits.staging import (
    PARTS,
    Staged,
    Table,
    insert_rows,
    reserve_keys,
    stage,
    unchecked_references,
)
from corridas.errors import OperationError
from corridas.models import (
    Bull,
    Cartel,
    Circuit,
    CircuitCopy,
    Corrida,
    Lidia,
    Matador,
    Run,
    Season,
    Winter,
)
from corridas.search_index import rows_beside_corridas
from corridas.simulation.rows import stake_of
from corridas.simulation.schedule import promise_again, promise_winter_again
from corridas.sql import is_postgres
from fairness import Seed, commitment
from search import index

Clock = Callable[[], dt.datetime]
SeedFactory = Callable[[], Seed]
TRIES: Final = 3
# If no worker has started a job after this time, its message counts as lost.
PATIENCE: Final = dt.timedelta(seconds=20)
# Number of rows in the first transaction of each table. The next ones depend on how long it took.
INSERTED_FIRST: Final = 1000
# Maximum number of rows that one transaction updates. The next constant is the maximum number of
# rows that it adds to the search index.
UPDATED_AT_ONCE: Final = 10
INDEXED_AT_ONCE: Final = 1000
# Time for which a user can read why a copy failed.
REMEMBERED: Final = dt.timedelta(days=30)


class Batches:
    """Runs short transactions for many rows, so that other writers never wait long.

    `size` is the number of rows for the next transaction. Before the first rows of another table,
    set `size` to a low number, because they may take longer.

    SQLite has a single write lock. A connection that waits for it polls at intervals of at most 25
    ms during the first 128 ms, and less often later. With a pause of 26 ms after less than 100 ms
    of writing, every waiting connection gets the lock within about 130 ms. During the pause a
    checkpoint moves pages from the write-ahead log into the database, which needs no write lock.

    On PostgreSQL a transaction only delays changes to the job itself, such as its cancellation.
    """

    # Durations in seconds: of a transaction, of writing before a pause, and of a pause.
    DURATION: Final = {"sqlite": 0.04, "postgresql": 0.15}
    WRITING: Final = 0.06
    PAUSE: Final = 0.026
    MAX_SIZE: Final = 20_000

    def __init__(self) -> None:
        self.size = 1
        self._last_pause = time.monotonic()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block in a transaction and adapt `size` to the time it took."""
        began = time.monotonic()
        with transaction.atomic():
            yield
        ended = time.monotonic()
        growth = min(2.0, self.DURATION[connection.vendor] / max(ended - began, 1e-6))
        self.size = max(1, min(self.MAX_SIZE, int(self.size * growth)))
        # Within an outer transaction the lock is not released, so a pause would be useless.
        outermost = not is_postgres() and not connection.in_atomic_block
        if outermost and ended - self._last_pause >= self.WRITING:
            self._pause(ended)

    def _pause(self, began: float) -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
        time.sleep(max(0.0, began + self.PAUSE - time.monotonic()))
        self._last_pause = time.monotonic()


class _RefusedError(Exception):
    """A circuit cannot be copied; the error has the reason."""

    def __init__(self, reason: CircuitCopy.Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def lost_copies(*, at: dt.datetime) -> list[int]:
    """Return unfinished copies of circuits that no worker is working on."""
    return CircuitCopy.objects.filter(asked_at__lte=at - PATIENCE).sweep(at=at)


def forget_copies(*, at: dt.datetime) -> None:
    """Delete requests for copies that ended long ago and have no circuit any more."""
    CircuitCopy.objects.filter(circuit=None, ended_at__lte=at - REMEMBERED).delete()


def leftover_copies(*, at: dt.datetime) -> list[int]:
    """Return copies of circuits whose rows must be removed."""
    return list(CircuitCopy.objects.leftover(at=at).order_by("pk").values_list("pk", flat=True))


def make_copy(key: int, *, clock: Clock, fresh: SeedFactory) -> bool:
    """Copy all posted data of a circuit into a new circuit.

    Return False if another worker has the job or it was cancelled. Corridas that are not over are
    announced again with new seeds, so the copy reveals no seed and no card of the original.
    Notifications, files, corridas at real tables and the history of changes are not copied.
    """
    rows = CircuitCopy.objects.select_related("source", "asked_by", "circuit")
    job = rows.claim(
        key, at=clock(), state=CircuitCopy.State.RUNNING, attempts=F("attempts") + 1, done=0
    )
    if job is None:
        return False
    try:
        _remove_earlier_attempt(job, clock)
        batches = Batches()
        with stage(_source(job)) as staged:
            copy = _create_circuit(job, staged, clock())
            _insert_rows(job, copy, staged, batches, clock)
            _update_references(job, copy, staged, batches, clock)
            _index(job, copy, staged, batches, clock)
        _draw_new_seeds(job, copy, fresh, batches, clock)
        _publish(job, copy, clock())
    except _RefusedError as refusal:
        fail(job.pk, refusal.reason, at=clock())
    except TakenOverError:
        remove_copy(key, clock=clock)
        return False
    return True


def fail(key: int, reason: CircuitCopy.Reason, *, at: dt.datetime) -> None:
    """Mark the copy of a circuit as failed and notify the user."""
    with transaction.atomic():
        unfinished = CircuitCopy.objects.filter(CircuitCopy.UNFINISHED, pk=key)
        state = CircuitCopy.State.FAILED
        if unfinished.update(state=state, reason=reason, ended_at=at, beat_at=None):
            notifications.copy_failed(CircuitCopy.objects.get(pk=key), at=at)


def note_breakdown(key: int, *, at: dt.datetime, lasting: bool = False) -> bool:
    """Handle an error of a copy job. Return whether to try again.

    After a lasting error, or after several errors, the copy is marked as failed.
    """
    job = CircuitCopy.objects.get(pk=key)
    if job.attempts < TRIES and not lasting:
        running = CircuitCopy.objects.filter(pk=key, state=CircuitCopy.State.RUNNING)
        return bool(running.update(state=CircuitCopy.State.QUEUED, beat_at=None))
    fail(key, CircuitCopy.Reason.BROKEN, at=at)
    return False


def _remove_earlier_attempt(job: CircuitCopy, clock: Clock) -> None:
    """Remove rows that a worker wrote before it was killed."""
    if job.attempts > TRIES:
        # The workers of all earlier attempts were killed before they could report an error.
        raise _RefusedError(CircuitCopy.Reason.BROKEN)
    if job.circuit is not None:
        remove_rows(job.circuit, lambda: job.beat(at=clock()))
        job.circuit = None


def _source(job: CircuitCopy) -> Circuit:
    """Return the circuit to copy.

    Raise `_RefusedError` if the user may not see it any more.
    """
    if job.source is None or job.asked_by is None:
        raise _RefusedError(CircuitCopy.Reason.GONE)
    source = Circuit.objects.filter(pk=job.source.pk, archived_at=None).first()
    by = User.objects.filter(pk=job.asked_by.pk, is_active=True).first()
    if source is None or by is None:
        raise _RefusedError(CircuitCopy.Reason.GONE)
    if not Circuit.objects.filter(may_be_seen(by), pk=source.pk).exists():
        raise _RefusedError(CircuitCopy.Reason.HIDDEN)
    return source


@transaction.atomic
def _create_circuit(job: CircuitCopy, staged: Staged, at: dt.datetime) -> Circuit:
    """Create the new circuit, hidden from everybody, and reserve the keys of its rows."""
    # Check again, because the original may have been deleted or hidden in the meantime.
    source, by = _source(job), job.asked_by
    assert by is not None
    # Lock the user's row, so that two copies cannot both use the rest of the user's maximum of
    # rows.
    if not User.objects.select_for_update().filter(pk=by.pk).exists():
        raise _RefusedError(CircuitCopy.Reason.GONE)
    job.beat(at=at)
    try:
        check_budget(by, staged.total)
    except OperationError as error:
        raise _RefusedError(CircuitCopy.Reason.BUDGET) from error
    copy = Circuit.everything.create(
        # A slug that begins with an underscore cannot conflict, because `slugify` never returns
        # one.
        slug=f"_copy-{job.pk}",
        name=job.name,
        owner=None,
        public=False,
        incomplete=True,
        archived_at=at,
        rules=source.rules,
        deck=source.deck,
        pace_ms=source.pace_ms,
        roster=source.roster,
        roster_seed=source.roster_seed,
        calendar=source.calendar,
        zone=source.zone,
        tables_count=source.tables_count,
        cards_version=staged.cards_version,
        # The copied commitments contain the name of the original circuit, so verifying them needs
        # it.
        promised_as=source.promised_name,
        founded_at=at,
    )
    job.beat(at=at, circuit=copy, total=staged.total, lidias=staged.counts[Lidia])
    reserve_keys(staged)
    return copy


def _insert_rows(
    job: CircuitCopy, copy: Circuit, staged: Staged, batches: Batches, clock: Clock
) -> None:
    """Insert the rows of all tables in short transactions."""
    done = 0
    for model, count in staged.counts.items():
        after, batches.size = 0, INSERTED_FIRST
        with unchecked_references(model):
            while after < count:
                until = min(count, after + batches.size)
                done += until - after
                with batches.transaction():
                    job.beat(at=clock(), done=done)
                    insert_rows(model, staged, copy.pk, after=after, until=until)
                after = until


def _update_references(
    job: CircuitCopy, copy: Circuit, staged: Staged, batches: Batches, clock: Clock
) -> None:
    """Set references that could not be set when the rows were inserted.

    These are the last corridas of runs, and primary keys in the records of runs and in the news of
    winters.
    """
    last = staged.last_corridas()
    changes: list[tuple[Table, list[Any], str]] = [
        (Run, [Run(pk=run, last_id=corrida) for run, corrida in last.items()], "last"),
        (Run, _runs_with_new_keys(copy, staged), "fallen"),
        (Winter, _winters_with_new_keys(copy, staged), "news"),
    ]
    for model, rows, field in changes:
        for start in range(0, len(rows), UPDATED_AT_ONCE):
            with batches.transaction():
                job.beat(at=clock())
                some = rows[start : start + UPDATED_AT_ONCE]
                model._default_manager.bulk_update(some, [field])


def _runs_with_new_keys(copy: Circuit, staged: Staged) -> list[Run]:
    """Replace the keys of matadors and corridas in the broken records of runs."""
    runs = list(Run.objects.filter(season__circuit=copy).exclude(fallen=None))
    for column, model in (("matador_id", Matador), ("corrida_id", Corrida)):
        named = [line[column] for run in runs for line in run.fallen or () if line[column]]
        keys = staged.new_keys(model, named)
        for run in runs:
            run.fallen = [line | {column: keys.get(line[column])} for line in run.fallen or ()]
    return runs


def _winters_with_new_keys(copy: Circuit, staged: Staged) -> list[Winter]:
    """Replace the keys of bulls in the news of winters."""
    winters = list(Winter.objects.filter(season__circuit=copy))
    named = [item["bull"] for winter in winters for item in winter.news if "bull" in item]
    bulls = staged.new_keys(Bull, named)
    for winter in winters:
        winter.news = [
            item | {"bull": bulls[item["bull"]]} if "bull" in item else item for item in winter.news
        ]
    return winters


def _draw_new_seeds(
    job: CircuitCopy, copy: Circuit, fresh: SeedFactory, batches: Batches, clock: Clock
) -> None:
    """Draw new seeds for seasons, winters and corridas that are not over.

    The seed of a season decides its future contracts and recoveries, so the copy must not have the
    seed of the original. Injuries that have already happened are copied.
    """
    pending = Corrida.objects.filter(season__circuit=copy).exclude(state__in=Corrida.OVER)
    seasons = Season.objects.filter(circuit=copy, winter__done_at=None).select_related("circuit")
    for season in seasons:
        with batches.transaction():
            job.beat(at=clock())
            if pending.filter(season=season).exists():
                promise_again(season, fresh())
            promise_winter_again(season, fresh())
    corridas = pending.filter(cartel__isnull=False).select_related(
        "season__circuit", "plaza", "cartel__deck"
    )
    for corrida in corridas:
        with batches.transaction():
            job.beat(at=clock())
            seed = fresh().value
            sealed = commitment(seed, stake_of(corrida))
            Cartel.objects.filter(pk=corrida.pk).update(seed=seed, commitment=sealed)


def _index(job: CircuitCopy, copy: Circuit, staged: Staged, batches: Batches, clock: Clock) -> None:
    """Add the new circuit to the search index.

    The index does not show incomplete circuits.
    """
    for after, until in staged.key_ranges(Corrida, INDEXED_AT_ONCE):
        with batches.transaction():
            job.beat(at=clock())
            staged.index_corridas(copy.pk, after=after, until=until)
    rows = rows_beside_corridas(copy.pk)
    while some := list(islice(rows, INDEXED_AT_ONCE)):
        with batches.transaction():
            job.beat(at=clock())
            index.add_rows(some)


def _publish(job: CircuitCopy, copy: Circuit, at: dt.datetime) -> None:
    """Make the new circuit visible to its owner."""
    by, beat = job.asked_by, job.beat_at
    assert by is not None
    for last_try in (False, False, True):
        try:
            with transaction.atomic():
                # The user may have deleted the account in the meantime.
                owner = User.objects.select_for_update().filter(pk=by.pk).first()
                if owner is None:
                    raise _RefusedError(CircuitCopy.Reason.GONE)
                # Read the name again: it changes if the director of the original deletes the
                # account.
                job.hold()
                job.refresh_from_db(fields=["name"])
                copy.name, copy.slug = job.name, free_slug(job.name, crowded=last_try)
                copy.owner = owner
                copy.incomplete, copy.archived_at = False, None
                copy.save(
                    update_fields=with_keys(
                        Circuit, ["name", "slug", "owner", "incomplete", "archived_at"]
                    )
                )
                job.end(at=at, state=CircuitCopy.State.DONE, beat_at=None)
                job.circuit = copy
                notifications.circuit_copied(job, at=at)
                return
        except IntegrityError:
            # Another circuit has taken the slug in the meantime, so try the next free one.
            if last_try:
                raise
            job.beat_at = beat


def remove_copy(key: int, *, clock: Clock) -> bool:
    """Remove the rows of a copy that failed, was cancelled or deleted.

    Return False if there is nothing to remove.
    """
    at = clock()
    if not CircuitCopy.objects.leftover(at=at).filter(pk=key).update(beat_at=at):
        return False
    job = CircuitCopy.objects.select_related("circuit").get(pk=key)
    assert job.circuit is not None

    def beat() -> None:
        CircuitCopy.objects.filter(pk=key).update(beat_at=clock())

    remove_rows(job.circuit, beat)
    return True


def remove_rows(circuit: Circuit, beat: Callable[[], object]) -> None:
    """Remove a circuit and all its rows in short transactions, children before parents."""
    batches = Batches()
    for model in reversed(list(PARTS)):
        batches.size = 1
        while keys := _some_keys(model, circuit, batches.size):
            with batches.transaction():
                beat()
                model._base_manager.filter(pk__in=keys).delete()
    with transaction.atomic():
        beat()
        index.remove_scope(circuit.pk)
        circuit.delete()


def _some_keys(model: Table, circuit: Circuit, most: int) -> list[object]:
    path, _only = PARTS[model]
    rows = model._base_manager.filter(**{path: circuit}).order_by()
    return list(rows.values_list("pk", flat=True)[:most])
