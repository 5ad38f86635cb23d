"""Replaying the whole archive with the current engines, in slices that can be resumed.

Applications register a `RevalidationSource` for each kind. Only counts and the first differences
stay in memory.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db import transaction

from actas.models import Revalidation
from fairness import Difference
from jobs.models import TakenOverError

log = logging.getLogger(__name__)

TIME_SLICE: Final = dt.timedelta(seconds=60)
# A worker returns to the queue after this time, well below the broker's visibility timeout.
SAVE_INTERVAL: Final = dt.timedelta(seconds=1)
MAX_DIFFERENCES: Final = 50
MAX_LINES: Final = 10
MAX_LENGTH: Final = 300

Clock = Callable[[], dt.datetime]
Progress = Callable[[Revalidation], object]


class RevalidationItem(NamedTuple):
    """Something to check: its key, its description and the function that checks it."""

    key: int
    subject: str
    check: Callable[[], Sequence[Difference]]


@dataclass(frozen=True, kw_only=True)
class RevalidationSource:
    """One kind of thing that can be replayed.

    `engine` is the engine's version. `count` and `items` take the day from which on things
    ended (None: all). `items` also takes the key to continue after and yields items in the
    order of their keys.
    """

    kind: str
    engine: str
    count: Callable[[dt.date | None], int]
    items: Callable[[dt.date | None, int], Iterable[RevalidationItem]]


_SOURCES: dict[str, RevalidationSource] = {}


def register_source(shelf: RevalidationSource) -> None:
    """Register a kind. Raises ValueError for a duplicate."""
    if _SOURCES.setdefault(shelf.kind, shelf) is not shelf:
        raise ValueError(f"The kind {shelf.kind!r} is registered already.")


def sources() -> tuple[RevalidationSource, ...]:
    return tuple(_SOURCES.values())


@transaction.atomic
def start(*, at: dt.datetime, since: dt.date | None = None) -> Revalidation:
    """Return the unfinished revalidation or a new one.

    An unfinished one with another `since` is given up.
    """
    left = Revalidation.objects.select_for_update().filter(ended_at=None).first()
    if left is not None and left.since == since:
        return left
    if left is not None:
        left.ended_at, left.error = at, "given up for another"
        left.save(update_fields=["ended_at", "error"])
    return Revalidation.objects.create(
        begun_at=at,
        since=since,
        engines={shelf.kind: shelf.engine for shelf in sources()},
        looked_at={shelf.kind: 0 for shelf in sources()},
        totals={shelf.kind: shelf.count(since) for shelf in sources()},
    )


def resume(
    key: int, *, clock: Clock, most: dt.timedelta | None = TIME_SLICE, told: Progress | None = None
) -> bool:
    """Continue for at most `most` and return True if work is left for another call.

    Returns False also if it is over or another worker has it. `told` is called after every
    saved step.
    """
    row = Revalidation.objects.claim(key, at=clock())
    if row is None:
        return False
    work = _Work(row, clock, most, told)
    try:
        try:
            done = all(work.through(shelf) for shelf in sources())
        except (KeyboardInterrupt, SystemExit):
            with suppress(TakenOverError):
                work.rest()
            raise
        if done:
            work.end()
        else:
            work.rest()
    except TakenOverError:
        return False
    return not done


class _Work:
    """One worker's share of a revalidation. Its methods raise `TakenOverError`."""

    def __init__(
        self, row: Revalidation, clock: Clock, most: dt.timedelta | None, told: Progress | None
    ) -> None:
        self._row, self._clock, self._told = row, clock, told
        self._until = row.beat_at + most if most and row.beat_at else None
        self._looked, self._differing = Counter(row.looked_at), Counter(row.differing)

    def through(self, shelf: RevalidationSource) -> bool:
        """Check the rest of a source. Returns False if time is up."""
        row = self._row
        for item in _remaining_items(shelf, row):
            self._look(shelf.kind, item)
            now = self._clock()
            if row.beat_at and now - row.beat_at < SAVE_INTERVAL:
                continue
            row.beat(at=now, **self._progress())
            self._tell()
            if self._until and now >= self._until:
                return False
        return True

    def _look(self, kind: str, item: RevalidationItem) -> None:
        found = check_item(item)
        self._looked[kind] += 1
        self._row.places[kind] = item.key
        if found:
            self._differing[kind] += 1
            if len(self._row.first) < MAX_DIFFERENCES:
                told = {"kind": kind, "key": item.key, "subject": item.subject, "lines": found}
                self._row.first.append(told)

    def rest(self) -> None:
        """Leave the rest to another call."""
        self._row.release(**self._progress())
        self._tell()

    def end(self) -> None:
        at = self._clock()
        self._row.end(at=at, beat_at=at, **self._progress())
        self._tell()

    def _progress(self) -> dict[str, Any]:
        row = self._row
        row.looked_at, row.differing = dict(self._looked), dict(self._differing)
        return {name: getattr(row, name) for name in _SAVED_FIELDS}

    def _tell(self) -> None:
        if self._told:
            self._told(self._row)


_SAVED_FIELDS: Final = ("looked_at", "differing", "places", "first")


def _remaining_items(shelf: RevalidationSource, row: Revalidation) -> Iterator[RevalidationItem]:
    return iter(shelf.items(row.since, row.places.get(shelf.kind, 0)))


def check_item(item: RevalidationItem) -> list[str]:
    """Return the differences as lines. An item that cannot be replayed differs, too."""
    try:
        found = item.check()
    except Exception as error:  # whatever an engine makes of rows that were tampered with
        log.exception("%s cannot be played again", item.subject)
        return [f"cannot be played again: {type(error).__name__}: {error}"[:MAX_LENGTH]]
    return [_line(difference) for difference in found[:MAX_LINES]]


def _line(difference: Difference) -> str:
    name, claimed, derived = difference
    return f"{name}: {claimed!r} is kept, {derived!r} follows"[:MAX_LENGTH]
