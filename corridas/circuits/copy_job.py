"""The worker's part of copying a circuit, and the removal of copies that nobody keeps."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import F

from core.jobs.models import TakenOverError
from corridas import notifications
from corridas.circuit_queries import free_slug, may_be_seen
from corridas.circuits.copying import check_budget
from corridas.circuits.staging import (
    PARTS,
    Staged,
    Table,
    Target,
    allot_keys,
    insert_rows,
    staged,
)
from corridas.circuits.turns import Turns
from corridas.errors import OperationError
from corridas.models import Bull, Cartel, Circuit, CircuitCopy, Corrida, Lidia, Run, Season, Winter
from corridas.search_index import CORRIDA, rows_beside_corridas
from corridas.simulation.rows import stake_of
from corridas.simulation.schedule import promise_again, promise_winter_again
from fairness import Seed, commitment
from search import index
from search.sql import copy_entries

Clock = Callable[[], dt.datetime]
Fresh = Callable[[], Seed]
TRIES: Final = 3
# A message that was not taken for this long counts as lost.
PATIENCE: Final = dt.timedelta(seconds=20)
INDEXED_AT_ONCE: Final = 1000


class _RefusedError(Exception):
    """The copy cannot be made."""

    def __init__(self, reason: CircuitCopy.Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def lost_copies(*, at: dt.datetime) -> list[int]:
    """Return copies that no worker makes."""
    return CircuitCopy.objects.filter(asked_at__lte=at - PATIENCE).sweep(at=at)


def leftover_copies(*, at: dt.datetime) -> list[int]:
    """Return copies with rows that are to be removed."""
    return list(CircuitCopy.objects.leftover(at=at).order_by("pk").values_list("pk", flat=True))


def make_copy(key: int, *, clock: Clock, fresh: Fresh) -> bool:
    """Copy everything that is posted. False if another worker has the job, or it was cancelled.

    What has not been played to its end is announced again with chance of its own: neither a seed
    nor a card of the original can be learned from the copy. Notices, files, fixtures at tables and
    the log of changes stay behind.
    """
    rows = CircuitCopy.objects.select_related("source", "asked_by", "circuit")
    job = rows.claim(
        key, at=clock(), state=CircuitCopy.State.RUNNING, attempts=F("attempts") + 1, done=0
    )
    if job is None:
        return False
    try:
        _start_again(job, clock)
        source = _source(job)
        with staged(source) as waiting:
            copy = _reserve(job, source, waiting, clock())
            _insert(job, copy, waiting, clock)
            _point_inside(copy, waiting)
            _index(job, source, copy, waiting, clock)
        _reseal(job, copy, fresh, clock)
        _publish(job, copy, clock())
    except _RefusedError as refusal:
        fail(job.pk, refusal.reason, at=clock())
    except TakenOverError:
        remove_copy(key, clock=clock)
        return False
    return True


def fail(key: int, reason: CircuitCopy.Reason, *, at: dt.datetime) -> None:
    """End a copy that cannot be made, and notify the user."""
    with transaction.atomic():
        unfinished = CircuitCopy.objects.filter(CircuitCopy.UNFINISHED, pk=key)
        state = CircuitCopy.State.FAILED
        if unfinished.update(state=state, reason=reason, ended_at=at, beat_at=None):
            notifications.copy_failed(CircuitCopy.objects.get(pk=key), at=at)


def note_breakdown(key: int, *, at: dt.datetime) -> bool:
    """Give a copy up after several errors. Return whether to try it again."""
    job = CircuitCopy.objects.get(pk=key)
    if job.attempts < TRIES:
        running = CircuitCopy.objects.filter(pk=key, state=CircuitCopy.State.RUNNING)
        return bool(running.update(state=CircuitCopy.State.QUEUED, beat_at=None))
    fail(key, CircuitCopy.Reason.BROKEN, at=at)
    return False


def _start_again(job: CircuitCopy, clock: Clock) -> None:
    """Remove what a worker that has died had written."""
    if job.attempts > TRIES:
        # Workers were killed again and again, so none could say why.
        raise _RefusedError(CircuitCopy.Reason.BROKEN)
    if job.circuit is not None:
        remove_rows(job.circuit, lambda: job.beat(at=clock()))
        job.circuit = None


def _source(job: CircuitCopy) -> Circuit:
    source, by = job.source, job.asked_by
    if source is None or source.incomplete or source.archived_at or by is None:
        raise _RefusedError(CircuitCopy.Reason.GONE)
    if not Circuit.objects.filter(may_be_seen(by), pk=source.pk).exists():
        raise _RefusedError(CircuitCopy.Reason.HIDDEN)
    return source


@transaction.atomic
def _reserve(job: CircuitCopy, source: Circuit, waiting: Staged, at: dt.datetime) -> Circuit:
    """Create the circuit that nobody sees yet, and allot its keys."""
    by = job.asked_by
    assert by is not None
    # The user's row is locked so that two copies cannot both take what is left of the budget.
    type(by).objects.select_for_update().get(pk=by.pk)
    job.beat(at=at)
    try:
        check_budget(by, waiting.total)
    except OperationError as error:
        raise _RefusedError(CircuitCopy.Reason.BUDGET) from error
    copy = Circuit.everything.create(
        # `slugify` never returns such a slug, so no circuit has it.
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
        # Commitments of what is copied contain the name of the original.
        promised_as=source.promised_name,
        founded_at=at,
    )
    job.beat(at=at, circuit=copy, total=waiting.total, lidias=waiting.counts[Lidia])
    allot_keys(waiting)
    return copy


def _insert(job: CircuitCopy, copy: Circuit, waiting: Staged, clock: Clock) -> None:
    """Insert all rows in short transactions."""
    assert job.asked_by_id is not None
    to, done, turns = Target(copy.pk, job.asked_by_id), 0, Turns(first=1000)
    for model, count in waiting.counts.items():
        after = 0
        while after < count:
            until = min(count, after + turns.size)
            done += until - after
            with turns.turn():
                job.beat(at=clock(), done=done)
                insert_rows(model, waiting, to, after=after, until=until)
            after = until


@transaction.atomic
def _point_inside(copy: Circuit, waiting: Staged) -> None:
    """Let runs name their last corridas, and the news of winters the spared bulls, of the copy."""
    last = waiting.last_corridas()
    runs = [Run(pk=run, last_id=corrida) for run, corrida in last.items()]
    Run.objects.bulk_update(runs, ["last"], batch_size=50)
    winters = list(Winter.objects.filter(season__circuit=copy))
    named = [item["bull"] for winter in winters for item in winter.news if "bull" in item]
    bulls = waiting.new_keys(Bull, named)
    for winter in winters:
        winter.news = [
            item | {"bull": bulls[item["bull"]]} if "bull" in item else item for item in winter.news
        ]
    Winter.objects.bulk_update(winters, ["news"], batch_size=50)


def _reseal(job: CircuitCopy, copy: Circuit, fresh: Fresh, clock: Clock) -> None:
    """Give new chance to all that is still to come.

    The seed of a season under way tells contracts and recoveries in advance, so that of the
    original stays secret. The injuries that it has decided are copied.
    """
    turns = Turns(first=1)
    pending = Corrida.objects.filter(season__circuit=copy).exclude(state__in=Corrida.OVER)
    seasons = Season.objects.filter(circuit=copy, winter__done_at=None).select_related("circuit")
    for season in seasons:
        with turns.turn():
            job.beat(at=clock())
            if pending.filter(season=season).exists():
                promise_again(season, fresh())
            promise_winter_again(season, fresh())
    corridas = pending.filter(cartel__isnull=False).select_related(
        "season__circuit", "plaza", "cartel__deck"
    )
    for corrida in corridas:
        with turns.turn():
            job.beat(at=clock())
            seed = fresh().value
            sealed = commitment(seed, stake_of(corrida))
            Cartel.objects.filter(pk=corrida.pk).update(seed=seed, commitment=sealed)


def _index(job: CircuitCopy, source: Circuit, copy: Circuit, waiting: Staged, clock: Clock) -> None:
    """Index it for the search, which shows nothing of a circuit that is incomplete."""
    turns = Turns(first=INDEXED_AT_ONCE)
    # Corridas are found by the same words as the originals.
    for after, until in waiting.key_ranges(Corrida, INDEXED_AT_ONCE):
        with turns.turn():
            job.beat(at=clock())
            copy_entries(
                CORRIDA,
                waiting.keys(Corrida),
                source=source.pk,
                target=copy.pk,
                after=after,
                until=until,
            )
    rows = rows_beside_corridas(copy.pk)
    while some := list(islice(rows, INDEXED_AT_ONCE)):
        with turns.turn():
            job.beat(at=clock())
            index.add(some)


def _publish(job: CircuitCopy, copy: Circuit, at: dt.datetime) -> None:
    """Give the copy to its owner, with everything at once."""
    for last_try in (False, False, True):
        try:
            with transaction.atomic():
                copy.slug = free_slug(job.name, crowded=last_try)
                copy.owner = job.asked_by
                copy.incomplete, copy.archived_at = False, None
                copy.save(update_fields=["slug", "owner", "incomplete", "archived_at"])
                job.end(at=at, state=CircuitCopy.State.DONE, beat_at=None)
                notifications.circuit_copied(job, at=at)
                return
        except IntegrityError:
            # Somebody has taken the slug since it was found free.
            if last_try:
                raise


def remove_copy(key: int, *, clock: Clock) -> bool:
    """Remove the rows of a copy that failed, was cancelled or deleted. False if there is none."""
    at = clock()
    if not CircuitCopy.objects.leftover(at=at).filter(pk=key).update(beat_at=at):
        return False
    job = CircuitCopy.objects.select_related("circuit").get(pk=key)
    assert job.circuit is not None

    def beat() -> None:
        CircuitCopy.objects.filter(pk=key).update(beat_at=clock())

    remove_rows(job.circuit, beat)
    return True


def remove_rows(circuit: Circuit, beat: Callable[[], Any]) -> None:
    """Remove a circuit and all its rows in short transactions, children before parents."""
    for model in reversed(list(PARTS)):
        turns = Turns(first=20)
        while keys := _some_keys(model, circuit, turns.size):
            with turns.turn():
                beat()
                model._base_manager.filter(pk__in=keys).delete()
    with transaction.atomic():
        beat()
        index.remove_scope(circuit.pk)
        circuit.delete()


def _some_keys(model: Table, circuit: Circuit, most: int) -> list[Any]:
    path, _only = PARTS[model]
    rows = model._base_manager.filter(**{path: circuit}).order_by()
    return list(rows.values_list("pk", flat=True)[:most])
