"""Making a copy: at once where it is small, by a worker and with progress where it is not."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction

from accounts.exports.parts import parts
from accounts.exports.writing import write
from accounts.models import Export, ExportPart

if TYPE_CHECKING:
    from accounts.models import User

AT_ONCE: Final = 15_000
"""Rows up to which a copy is made while its owner waits."""
PIECE: Final = 512 * 1024
"""Bytes of one part in the database."""
KEPT_FOR: Final = dt.timedelta(days=3)
LOST_AFTER: Final = dt.timedelta(minutes=10)

Clock = Callable[[], dt.datetime]


def weight(user: User) -> int:
    """About how many rows a copy would hold; a count for every table."""
    return sum(part.count(user) if hasattr(part, "count") else part.weigh(user) for part in parts)


def ask(user: User, *, total: int, at: dt.datetime) -> Export:
    """A copy to be made by a worker; the one under way, where there is one."""
    try:
        with transaction.atomic():
            return Export.objects.create(user=user, asked_at=at, total=total)
    except IntegrityError:
        return Export.objects.get(user=user, ended_at=None)


def make(number: int, *, clock: Clock) -> bool:
    """Make one that nobody has begun; False where somebody else has, or it is gone."""
    if not Export.objects.filter(pk=number, begun_at=None).update(begun_at=clock()):
        return False
    export = Export.objects.select_related("user").get(pk=number)
    pieces = _Pieces(export)
    done = write(export.user, pieces, told=lambda rows: _tell(number, rows))
    pieces.close()
    finish(number, at=clock(), done=done)
    return True


def _tell(number: int, rows: int) -> None:
    Export.objects.filter(pk=number).update(done=rows)


def finish(number: int, *, at: dt.datetime, done: int | None = None, error: str = "") -> None:
    """Mark it as ready, or as broken down for this reason."""
    changes: dict[str, object] = {"ended_at": at, "error": error[:300]}
    if done is not None:
        changes |= {"done": done, "total": done}
    Export.objects.filter(pk=number).update(**changes)


def file_of(export: Export) -> Iterator[bytes]:
    """The file, piece by piece."""
    numbers = export.parts.order_by("number").values_list("content", flat=True)
    return (bytes(content) for content in numbers.iterator(chunk_size=4))


def lost(*, at: dt.datetime) -> list[int]:
    """Copies that nobody has begun, or whose worker has died: they are begun anew."""
    stuck = Export.objects.filter(ended_at=None, begun_at__lt=at - LOST_AFTER)
    for number in stuck.values_list("pk", flat=True):
        ExportPart.objects.filter(export=number).delete()
        Export.objects.filter(pk=number).update(begun_at=None, done=0)
    waiting = Export.objects.filter(ended_at=None, begun_at=None)
    return list(waiting.order_by("pk").values_list("pk", flat=True)[:20])


def forget_old(*, at: dt.datetime) -> None:
    """Drop copies that had been ready for three days."""
    Export.objects.filter(ended_at__lt=at - KEPT_FOR).delete()


class _Pieces(io.RawIOBase):
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
        while len(self._held) >= PIECE:
            self._store(PIECE)
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
