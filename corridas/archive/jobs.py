"""Jobs that write and import season files in a worker. Progress and files are stored in rows."""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F

from core.jobs.models import TakenOverError
from core.jobs.parts import PartWriter, read_parts
from core.names.text import shorten
from corridas.archive.importer import Home, NotTaken, take_in
from corridas.archive.verification import verify
from corridas.archive.writer import export
from corridas.circuits.operations import MAX_NAME_LENGTH, check_circuits, check_seasons
from corridas.errors import OperationError
from corridas.models import Bundle, Circuit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accounts.models import User

Clock = Callable[[], dt.datetime]
# If no worker has started a job after this time, its message counts as lost.
PATIENCE: Final = dt.timedelta(seconds=20)
SAVE_INTERVAL: Final = dt.timedelta(seconds=1)
TRIES: Final = 3
IN_MEMORY: Final = 8 * 1024 * 1024
SENTENCES: Final = 50


def lost(way: Bundle.Way, *, at: dt.datetime) -> list[int]:
    return Bundle.objects.filter(way=way, asked_at__lte=at - PATIENCE).sweep(at=at)


def _claim(key: int, way: Bundle.Way, at: dt.datetime) -> Bundle | None:
    rows = Bundle.objects.select_related("season__circuit", "season__winter", "asked_by", "circuit")
    return rows.filter(way=way).claim(
        key, at=at, state=Bundle.State.RUNNING, attempts=F("attempts") + 1
    )


def make_file(key: int, *, clock: Clock) -> bool:
    """Write the requested season file. Return False if another worker has the job."""
    row = _claim(key, Bundle.Way.OUT, clock())
    if row is None:
        return False
    season = row.season
    assert season is not None
    try:
        with PartWriter(row.parts, "data") as out:
            head = export(season, out, progress=_progress(row, clock))
        row.end(
            at=clock(),
            state=Bundle.State.DONE,
            head=head,
            size=out.size,
            edition=season.posted_version,
        )
    except TakenOverError:
        return False
    Bundle.objects.filter(season=season, way=Bundle.Way.OUT, pk__lt=row.pk).delete()
    return True


def import_file(key: int, *, clock: Clock) -> bool:
    """Verify an uploaded season file and import all of it, or nothing.

    Return False if another worker has the job.
    """
    row = _claim(key, Bundle.Way.IN, clock())
    if row is None:
        return False
    try:
        _import(row, clock)
    except TakenOverError:
        return False
    row.parts.all().delete()
    return True


def _import(row: Bundle, clock: Clock) -> None:
    beat = _progress(row, clock)
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as file:
        for piece in pieces(row):
            file.write(piece)
        report = verify(file, progress=lambda done: beat(done, 0))
    try:
        with transaction.atomic():
            check_room(row.asked_by, row.circuit)
            name = shorten(report.name, MAX_NAME_LENGTH) or "Temporada"
            home = Home(name=name, owner=row.asked_by, circuit=row.circuit)
            season = take_in(report, home, at=clock())
            row.end(at=clock(), state=Bundle.State.DONE, head=report.head, season=season)
    except NotTaken as error:
        sentences = [str(error), *map(str, error.findings)][:SENTENCES]
    except OperationError as error:
        sentences = [str(error)]
    else:
        return
    row.end(at=clock(), state=Bundle.State.FAILED, head=report.head, findings=sentences)


def check_room(by: User | None, circuit: Circuit | None) -> None:
    """Raise `OperationError` if one more season or circuit would be too many.

    With `circuit` its number of seasons is checked, otherwise the user's number of circuits. Call
    it within a transaction: the counted rows stay locked until the transaction ends.
    """
    if circuit is not None:
        check_seasons(Circuit.objects.select_for_update(of=("self",)).get(pk=circuit.pk))
    elif by is not None:
        check_circuits(by)


def note_breakdown(key: int, sentence: str, *, at: dt.datetime, lasting: bool = False) -> bool:
    """Store why a job failed. Return whether to try it again.

    A lasting error is never tried again.
    """
    row = Bundle.objects.get(pk=key)
    again = row.attempts < TRIES and not lasting
    running = Bundle.objects.filter(pk=key, state=Bundle.State.RUNNING)
    if again:
        running.update(state=Bundle.State.QUEUED, beat_at=None, findings=[sentence[:300]])
    else:
        running.update(state=Bundle.State.FAILED, ended_at=at, findings=[sentence[:300]])
        row.parts.all().delete()
    return again


def pieces(row: Bundle) -> Iterator[bytes]:
    return read_parts(row.parts, "data")


def store_file(row: Bundle, given: Iterable[bytes]) -> int:
    """Store a file in several rows. Return its size in bytes."""
    with PartWriter(row.parts, "data") as out:
        for piece in given:
            out.write(piece)
    return out.size


def _progress(row: Bundle, clock: Clock) -> Callable[[int, int], None]:
    """Return a callback that saves the progress of a job, at most once a second."""
    last = clock() - SAVE_INTERVAL

    def save(done: int, total: int) -> None:
        nonlocal last
        at = clock()
        if at - last >= SAVE_INTERVAL:
            last = at
            row.beat(at=at, done=done, total=total)

    return save
