"""Replay all finished games with the current engines, in short slices that can be resumed.

Applications register a `RevalidationSource` for each kind of item. Only counts and the first
differences stay in memory.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db import IntegrityError, transaction

from actas.models import Revalidation
from core.jobs.models import TakenOverError
from fairness import CommitmentDifference

log = logging.getLogger(__name__)

# Seconds of work after which a worker puts the rest of a revalidation back into the queue. This is
# well below the visibility timeout of the broker, after which the task would be delivered twice.
TIME_SLICE: Final = dt.timedelta(seconds=60)
SAVE_INTERVAL: Final = dt.timedelta(seconds=1)
MAX_DIFFERENCES: Final = 50
MAX_LINES: Final = 10
MAX_LENGTH: Final = 300

Clock = Callable[[], dt.datetime]
Progress = Callable[[Revalidation], object]


class RevalidationItem(NamedTuple):
    """An item whose stored result is checked by replaying it, such as a corrida.

    `key` is its primary key, `subject` its description and `check` returns its differences.
    """

    key: int
    subject: str
    check: Callable[[], Sequence[CommitmentDifference]]


@dataclass(frozen=True, kw_only=True)
class RevalidationSource:
    """A kind of item that can be replayed, such as corridas.

    `engine` is the version of the game engine. `count` and `items` take a date: only items that
    ended on that day or later count (None for all). `items` also takes the last key checked and
    yields the items after that key, ordered by key.
    """

    kind: str
    engine: str
    count: Callable[[dt.date | None], int]
    items: Callable[[dt.date | None, int], Iterable[RevalidationItem]]


_SOURCES: dict[str, RevalidationSource] = {}


def register_source(source: RevalidationSource) -> None:
    if _SOURCES.setdefault(source.kind, source) is not source:
        raise ValueError(f"The kind {source.kind!r} is registered already.")


def sources() -> tuple[RevalidationSource, ...]:
    return tuple(_SOURCES.values())


def start_revalidation(*, at: dt.datetime, since: dt.date | None = None) -> Revalidation:
    """Return the unfinished revalidation, or start a new one.

    An unfinished revalidation that began with another date (`since`) is ended.
    """
    try:
        return _create_revalidation(at, since)
    except IntegrityError:  # another process has started one at the same moment
        return _create_revalidation(at, since)


@transaction.atomic
def _create_revalidation(at: dt.datetime, since: dt.date | None) -> Revalidation:
    left = Revalidation.objects.select_for_update().filter(ended_at=None).first()
    if left is not None and left.since == since:
        return left
    if left is not None:
        left.ended_at, left.error = at, "given up for another"
        left.save(update_fields=["ended_at", "error"])
    return Revalidation.objects.create(
        begun_at=at,
        since=since,
        engines={source.kind: source.engine for source in sources()},
        looked_at={source.kind: 0 for source in sources()},
        totals={source.kind: source.count(since) for source in sources()},
    )


def resume(
    key: int,
    *,
    clock: Clock,
    most: dt.timedelta | None = TIME_SLICE,
    progress: Progress | None = None,
) -> bool:
    """Continue a revalidation (a replay of finished games) and return True if it is unfinished.

    Works for at most `most`. Returns False also if it has ended or another worker has it.
    `progress` is called after every saved step.
    """
    row = Revalidation.objects.claim(key, at=clock())
    if row is None:
        return False
    work = _Work(row, clock, most, progress)
    try:
        try:
            done = all(work.check_source(source) for source in sources())
        except (KeyboardInterrupt, SystemExit):
            with suppress(TakenOverError):
                work.pause()
            raise
        if done:
            work.end_revalidation()
        else:
            work.pause()
    except TakenOverError:
        return False
    return not done


class _Work:
    """One worker's share of a revalidation.

    Its methods raise `TakenOverError` if another worker has taken over.
    """

    def __init__(
        self, row: Revalidation, clock: Clock, most: dt.timedelta | None, progress: Progress | None
    ) -> None:
        self._row, self._clock, self._on_progress = row, clock, progress
        self._until = row.beat_at + most if most and row.beat_at else None
        self._looked, self._differing = Counter(row.looked_at), Counter(row.differing)

    def check_source(self, source: RevalidationSource) -> bool:
        """Check the remaining items of a source, such as corridas.

        Returns False if the time for this slice of work is up.
        """
        row = self._row
        for item in source.items(row.since, row.places.get(source.kind, 0)):
            self._check_item(source.kind, item)
            now = self._clock()
            if row.beat_at and now - row.beat_at < SAVE_INTERVAL:
                continue
            row.beat(at=now, **self._collect_progress())
            self._report_progress()
            if self._until and now >= self._until:
                return False
        return True

    def _check_item(self, kind: str, item: RevalidationItem) -> None:
        differences = check_item(item)
        self._looked[kind] += 1
        self._row.places[kind] = item.key
        if differences:
            self._differing[kind] += 1
            if len(self._row.first) < MAX_DIFFERENCES:
                failure = {
                    "kind": kind,
                    "key": item.key,
                    "subject": item.subject,
                    "lines": differences,
                }
                self._row.first.append(failure)

    def pause(self) -> None:
        self._row.release(**self._collect_progress())
        self._report_progress()

    def end_revalidation(self) -> None:
        at = self._clock()
        self._row.end(at=at, beat_at=at, **self._collect_progress())
        self._report_progress()

    def _collect_progress(self) -> dict[str, object]:
        row = self._row
        row.looked_at, row.differing = dict(self._looked), dict(self._differing)
        return {name: getattr(row, name) for name in _SAVED_FIELDS}

    def _report_progress(self) -> None:
        if self._on_progress:
            self._on_progress(self._row)


_SAVED_FIELDS: Final = ("looked_at", "differing", "places", "first")


def check_item(item: RevalidationItem) -> list[str]:
    """Replay an item and return its differences as lines of text.

    If the replay fails, the error is returned as a difference.
    """
    try:
        differences = item.check()
    except Exception as error:  # rows that were tampered with may raise anything
        log.exception("%s cannot be played again", item.subject)
        return [f"cannot be played again: {type(error).__name__}: {error}"[:MAX_LENGTH]]
    return [
        f"{name}: stored {claimed!r}, calculated {derived!r}"[:MAX_LENGTH]
        for name, claimed, derived in differences[:MAX_LINES]
    ]
