"""Building data exports, immediately or in a task."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string

from accounts.data_export.registry import ExportFiles, ExportTable, export_parts
from accounts.models import Export, ExportPart

if TYPE_CHECKING:
    from accounts.models import User

MAX_IMMEDIATE_ROWS: Final = 15_000
"""Rows up to which a copy is made while its owner waits."""
PART_BYTES: Final = 512 * 1024
"""Bytes of one part in the database."""
RETENTION: Final = dt.timedelta(days=3)
STALE_AFTER: Final = dt.timedelta(minutes=10)

Clock = Callable[[], dt.datetime]


def estimated_rows(user: User) -> int:
    """About how many rows a copy would hold; a count for every table."""
    return sum(
        part.count(user) if hasattr(part, "count") else part.weigh(user) for part in export_parts
    )


def request_export(user: User, *, total: int, at: dt.datetime) -> Export:
    """A copy to be made by a worker; the one under way, where there is one."""
    try:
        with transaction.atomic():
            return Export.objects.create(user=user, asked_at=at, total=total)
    except IntegrityError:
        return Export.objects.get(user=user, ended_at=None)


def build_export(number: int, *, clock: Clock) -> bool:
    """Make one that nobody has begun; False where somebody else has, or it is gone."""
    if not Export.objects.filter(pk=number, begun_at=None).update(begun_at=clock()):
        return False
    export = Export.objects.select_related("user").get(pk=number)
    pieces = _PartWriter(export)
    done = write_export(export.user, pieces, told=lambda rows: _save_progress(number, rows))
    pieces.close()
    finish_export(number, at=clock(), done=done)
    return True


def _save_progress(number: int, rows: int) -> None:
    Export.objects.filter(pk=number).update(done=rows)


def finish_export(
    number: int, *, at: dt.datetime, done: int | None = None, error: str = ""
) -> None:
    """Mark it as ready, or as broken down for this reason."""
    changes: dict[str, object] = {"ended_at": at, "error": error[:300]}
    if done is not None:
        changes |= {"done": done, "total": done}
    Export.objects.filter(pk=number).update(**changes)


def file_parts(export: Export) -> Iterator[bytes]:
    """The file, piece by piece."""
    numbers = export.parts.order_by("number").values_list("content", flat=True)
    return (bytes(content) for content in numbers.iterator(chunk_size=4))


def reset_lost_exports(*, at: dt.datetime) -> list[int]:
    """Copies that nobody has begun, or whose worker has died: they are begun anew."""
    stuck = Export.objects.filter(ended_at=None, begun_at__lt=at - STALE_AFTER)
    for number in stuck.values_list("pk", flat=True):
        ExportPart.objects.filter(export=number).delete()
        Export.objects.filter(pk=number).update(begun_at=None, done=0)
    waiting = Export.objects.filter(ended_at=None, begun_at=None)
    return list(waiting.order_by("pk").values_list("pk", flat=True)[:20])


def delete_old_exports(*, at: dt.datetime) -> None:
    """Drop copies that had been ready for three days."""
    Export.objects.filter(ended_at__lt=at - RETENTION).delete()


class _PartWriter(io.RawIOBase):
    """A file that only grows, kept in the database a piece at a time."""

    def __init__(self, export: Export) -> None:
        super().__init__()
        self._export, self._held, self._number = export, bytearray(), 0

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        """Take bytes in; whatever makes a piece is stored."""
        taken = bytes(data)  # type: ignore[call-overload]  # whatever has bytes
        self._held += taken
        while len(self._held) >= PART_BYTES:
            self._store(PART_BYTES)
        return len(taken)

    def close(self) -> None:
        """Store what is left."""
        if not self.closed and self._held:
            self._store(len(self._held))
        super().close()

    def _store(self, size: int) -> None:
        ExportPart.objects.create(
            export=self._export, number=self._number, content=bytes(self._held[:size])
        )
        del self._held[:size]
        self._number += 1


Progress = Callable[[int], None]


class _Encoder(DjangoJSONEncoder):
    """Bytes go out as hexadecimal digits."""

    def default(self, o: Any) -> Any:
        if isinstance(o, bytes | memoryview):
            return bytes(o).hex()
        return super().default(o)


_encode = _Encoder(ensure_ascii=False).encode


def write_export(
    user: User, to: IO[bytes] | io.RawIOBase, told: Progress = lambda rows: None
) -> int:
    """Write a person's copy; returns the rows in it.

    Never more than a chunk of rows is in memory. `told` hears how many rows are written, now and
    then. `to` need not be able to go back.
    """
    rows = 0
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", render_to_string("accounts/export.txt", {"user": user}))
        for part in export_parts:
            if isinstance(part, ExportFiles):
                rows += _files(archive, part, user)
            else:
                rows += _table(archive, part, user, lambda done, before=rows: told(before + done))  # type: ignore[misc]  # a default holds the number of the moment
            told(rows)
    return rows


def _files(archive: zipfile.ZipFile, part: ExportFiles, user: User) -> int:
    for name, content in part.each(user):
        archive.writestr(name, content)
    return part.weigh(user)


def _table(archive: zipfile.ZipFile, part: ExportTable, user: User, told: Progress) -> int:
    """One table; left away where it has no row."""
    rows = part.each(user)
    first = next(rows, None)
    if first is None:
        return 0
    written = 0
    with archive.open(f"{part.name}.json", "w") as file:
        for written, text in enumerate(_encoded_rows(first, rows), start=1):
            file.write(text.encode())
            if not written % 1000:
                told(written)
        file.write(b"\n]\n")
    return written


def _encoded_rows(first: dict[str, Any], rest: Iterator[dict[str, Any]]) -> Iterator[str]:
    yield f"[\n{_encode(first)}"
    for row in rest:
        yield f",\n{_encode(row)}"
