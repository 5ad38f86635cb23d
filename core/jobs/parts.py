"""Files that jobs store in the database, since worker and web server may be on two machines."""

from __future__ import annotations

import io
from collections.abc import Iterator
from types import TracebackType
from typing import IO, Any, Final

from django.db import transaction
from django.db.models import Manager

from core.jobs.models import Job

PART_SIZE: Final = 256 * 1024


def read_parts(parts: Manager[Any], column: str) -> Iterator[bytes]:
    """Yield a file part by part, with a short query for each part, because clients may be slow."""
    for number in list(parts.order_by("number").values_list("number", flat=True)):
        yield bytes(parts.values_list(column, flat=True).get(number=number))


class PartWriter(io.RawIOBase, IO[bytes]):
    """Writable file without seek that stores its content in rows.

    `parts` is the related manager of the rows, which have a `number` and the bytes in `column`.
    Parts from an earlier attempt are deleted first. The context manager stores the last part at the
    end, unless there was an exception. Methods raise `TakenOverError` once another worker has the
    job. Otherwise parts of both workers would end up in one file.
    """

    def __init__(self, parts: Manager[Any], column: str) -> None:
        super().__init__()
        self._parts, self._column = parts, column
        # A related manager knows the object whose rows it manages.
        self._job: Job = parts.instance  # type: ignore[attr-defined]
        self._held, self._number, self.size = bytearray(), 0, 0
        with transaction.atomic():
            self._job.hold()
            parts.all().delete()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        before = len(self._held)
        self._held += data
        taken = len(self._held) - before
        self.size += taken
        while len(self._held) >= PART_SIZE:
            self._store(PART_SIZE)
        return taken

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        if exc_type is None and self._held:
            self._store(len(self._held))
        self.close()

    def _store(self, length: int) -> None:
        piece = {self._column: bytes(self._held[:length])}
        with transaction.atomic():
            self._job.hold()
            self._parts.create(number=self._number, **piece)
        del self._held[:length]
        self._number += 1
