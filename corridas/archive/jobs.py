"""Jobs that write and import season files in a worker, with progress and storage in parts."""

from __future__ import annotations

import datetime as dt
import io
import tempfile
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, Final

from django.db.models import F, Q, QuerySet

from corridas.archive.importer import Home, NotTaken, take_in
from corridas.archive.verification import Report, verify
from corridas.archive.writer import export
from corridas.circuits.queries import free_slug
from corridas.models import Bundle, BundlePart

if TYPE_CHECKING:
    from collections.abc import Iterable

Clock = Callable[[], dt.datetime]
PIECE: Final = 256 * 1024
# A job without a sign of life for this long is started again: a whole job takes seconds
LOST_AFTER: Final = dt.timedelta(minutes=2)
TRIES: Final = 3
IN_MEMORY: Final = 8 * 1024 * 1024
SENTENCES: Final = 50


def lost(way: Bundle.Way, *, at: dt.datetime) -> list[int]:
    waiting = Q(state=Bundle.State.QUEUED, asked_at__lte=at - dt.timedelta(seconds=20))
    rows = Bundle.objects.filter(_abandoned(at) | waiting, way=way)
    return list(rows.values_list("pk", flat=True))


def _abandoned(at: dt.datetime) -> Q:
    return Q(state=Bundle.State.RUNNING, beat_at__lte=at - LOST_AFTER)


def _claimed(key: int, way: Bundle.Way, at: dt.datetime) -> Bundle | None:
    """Claim the job by compare-and-set. Returns None if it is done or another worker has it."""
    free = Q(state=Bundle.State.QUEUED) | _abandoned(at)
    running = {"state": Bundle.State.RUNNING, "beat_at": at, "attempts": F("attempts") + 1}
    if not Bundle.objects.filter(free, pk=key, way=way).update(**running):
        return None
    rows = Bundle.objects.select_related("season__circuit", "season__winter", "asked_by", "circuit")
    return rows.get(pk=key)


def make_file(key: int, *, clock: Clock) -> bool:
    """Write the file that was requested.

    Returns False if another worker has it, and lets errors pass.
    """
    row = _claimed(key, Bundle.Way.OUT, clock())
    if row is None:
        return False
    season = row.season
    assert season is not None
    row.parts.all().delete()
    beat = _Beat(row, clock)
    with _Parts(row) as out:
        head = export(season, out, progress=beat)
        out.flush()
        size = out.size
    edition = season.posted_version
    _end(row, clock(), state=Bundle.State.DONE, head=head, size=size, edition=edition)
    Bundle.objects.filter(season=season, way=Bundle.Way.OUT, pk__lt=row.pk).delete()
    return True


def import_file(key: int, *, clock: Clock) -> bool:
    """Verify an uploaded file and import all of it or nothing. False if another worker has it."""
    row = _claimed(key, Bundle.Way.IN, clock())
    if row is None:
        return False
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as file:
        for piece in pieces(row):
            file.write(piece)
        beat = _Beat(row, clock)
        report = verify(file, progress=lambda done: beat(done, 0))
    try:
        season = take_in(report, _home(row, report), at=clock())
    except NotTaken as error:
        sentences = [str(error), *map(str, error.findings)][:SENTENCES]
        _end(row, clock(), state=Bundle.State.FAILED, head=report.head, findings=sentences)
    else:
        _end(row, clock(), state=Bundle.State.DONE, head=report.head, season=season)
    row.parts.all().delete()
    return True


def _home(row: Bundle, report: Report) -> Home:
    name = " ".join(report.name.split()) or "Temporada"
    return Home(slug=free_slug(name), name=name, owner=row.asked_by, circuit=row.circuit)


def note_breakdown(key: int, sentence: str, *, at: dt.datetime) -> bool:
    """Store why the job failed. Returns whether to try it again."""
    row = Bundle.objects.get(pk=key)
    again = row.attempts < TRIES
    state = Bundle.State.QUEUED if again else Bundle.State.FAILED
    ended = None if again else at
    Bundle.objects.filter(pk=key, state=Bundle.State.RUNNING).update(
        state=state, ended_at=ended, findings=[sentence[:300]]
    )
    if not again:
        row.parts.all().delete()
    return again


def pieces(row: Bundle) -> Iterator[bytes]:
    numbers = row.parts.order_by("number").values_list("number", flat=True)
    for number in list(numbers):
        yield bytes(row.parts.values_list("data", flat=True).get(number=number))


def store_file(row: Bundle, given: Iterable[bytes]) -> int:
    """Store a file in parts. Returns its size in bytes."""
    with _Parts(row) as out:
        for piece in given:
            out.write(piece)
        out.flush()
        return out.size


def _end(row: Bundle, at: dt.datetime, **fields: Any) -> None:
    Bundle.objects.filter(pk=row.pk).update(ended_at=at, **fields)


class _Beat:
    """Saves the progress in the row, at most once a second."""

    def __init__(self, row: Bundle, clock: Clock) -> None:
        self._rows: QuerySet[Bundle] = Bundle.objects.filter(pk=row.pk)
        self._clock, self._last = clock, clock() - dt.timedelta(days=1)

    def __call__(self, done: int, total: int) -> None:
        at = self._clock()
        if at - self._last >= dt.timedelta(seconds=1):
            self._last = at
            self._rows.update(done=done, total=total, beat_at=at)


class _Parts(io.RawIOBase, IO[bytes]):
    """A file that stores its bytes in rows, one part at a time. It cannot seek."""

    def __init__(self, row: Bundle) -> None:
        self._row, self._number, self.size = row, 0, 0
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._held += data
        self.size += len(data)
        while len(self._held) >= PIECE:
            self._keep(PIECE)
        return len(data)

    def flush(self) -> None:
        """Store the rest. Zip files flush after every member, so a part may be short."""
        if self._held and not self.closed:
            self._keep(len(self._held))

    def _keep(self, length: int) -> None:
        piece = bytes(self._held[:length])
        del self._held[:length]
        BundlePart.objects.create(bundle=self._row, number=self._number, data=piece)
        self._number += 1
