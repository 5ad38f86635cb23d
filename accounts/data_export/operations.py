"""Build data exports, immediately or in a task."""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string

from accounts.data_export.registry import ExportFiles, ExportTable, export_parts
from accounts.models import Export
from core.jobs.models import TakenOverError
from core.jobs.parts import PartWriter, read_parts

if TYPE_CHECKING:
    from accounts.models import User

MAX_IMMEDIATE_ROWS: Final = 15_000
# Maximum number of rows of an export that a page builds at once. A worker builds larger exports.
RETENTION: Final = dt.timedelta(days=3)

Clock = Callable[[], dt.datetime]


def estimated_rows(user: User) -> int:
    """Return the approximate number of rows of an export, with one COUNT query per table."""
    return sum(
        part.count(user) if hasattr(part, "count") else part.weigh(user) for part in export_parts
    )


def request_export(user: User, *, total: int, at: dt.datetime) -> Export:
    """Return a new export for a worker to build, or the user's export that is still unfinished."""
    try:
        with transaction.atomic():
            return Export.objects.create(user=user, asked_at=at, total=total)
    except IntegrityError:
        return Export.objects.get(user=user, ended_at=None)


def build_export(number: int, *, clock: Clock) -> bool:
    """Build a queued export.

    Returns False if another worker has claimed the export or it no longer exists.
    """
    export = Export.objects.select_related("user").claim(number, at=clock(), done=0)
    if export is None:
        return False
    try:
        with PartWriter(export.parts, "content") as out:
            done = write_export(
                export.user, out, progress=lambda rows: export.beat(at=clock(), done=rows)
            )
        export.end(at=clock(), done=done, total=done, error="")
    except TakenOverError:
        return False
    return True


def file_parts(export: Export) -> Iterator[bytes]:
    """Yield the content of the export's file in parts."""
    return read_parts(export.parts, "content")


def delete_old_exports(*, at: dt.datetime) -> None:
    """Delete exports that were finished more than three days ago."""
    Export.objects.filter(ended_at__lt=at - RETENTION).delete()


Progress = Callable[[int], None]


class _Encoder(DjangoJSONEncoder):
    """JSON encoder that writes bytes as hexadecimal digits."""

    def default(self, o: object) -> Any:
        if isinstance(o, bytes | memoryview):
            return bytes(o).hex()
        return super().default(o)


_encode = _Encoder(ensure_ascii=False).encode


def write_export(user: User, to: IO[bytes], progress: Progress = lambda rows: None) -> int:
    """Write a user's data as a ZIP file and return the number of rows.

    At most `CHUNK_SIZE` rows are in memory. `progress` is called after every 1,000 rows and after
    every table with the number of rows written. `to` need not be seekable.
    """

    def counting_from(before: int) -> Progress:
        return lambda done: progress(before + done)

    rows = 0
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", render_to_string("accounts/export.txt", {"user": user}))
        for part in export_parts:
            if isinstance(part, ExportFiles):
                for name, content in part.each(user):
                    archive.writestr(name, content)
                rows += part.weigh(user)
            else:
                rows += _table(archive, part, user, counting_from(rows))
            progress(rows)
    return rows


def _table(archive: zipfile.ZipFile, part: ExportTable, user: User, progress: Progress) -> int:
    rows = part.iterate_rows(user)
    first = next(rows, None)
    if first is None:
        return 0
    written = 0
    with archive.open(f"{part.name}.json", "w") as file:
        for written, text in enumerate(_encoded_rows(first, rows), start=1):
            file.write(text.encode())
            if not written % 1000:
                progress(written)
        file.write(b"\n]\n")
    return written


def _encoded_rows(first: dict[str, object], rest: Iterator[dict[str, object]]) -> Iterator[str]:
    yield f"[\n{_encode(first)}"
    for row in rest:
        yield f",\n{_encode(row)}"
