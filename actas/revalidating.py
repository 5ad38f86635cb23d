"""The whole archive played again by the present engines: in slices, resumable, kept as a row.

Games bring what there is to look at: a `Shelf` a kind. Only numbers and the first differences
stay in memory.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Q

from actas.models import Revalidation
from fairness import Difference

log = logging.getLogger(__name__)

LOST_AFTER: Final = dt.timedelta(minutes=5)
"""After so long without a sign of life another goes on with it."""
SLICE: Final = dt.timedelta(seconds=60)
"""So long a worker is at it before it gives the queue a turn; well below a broker's patience."""
NOTED_EVERY: Final = dt.timedelta(seconds=1)
MOST_TOLD: Final = 50
MOST_LINES: Final = 10
LONGEST: Final = 300

Clock = Callable[[], dt.datetime]
Told = Callable[[Revalidation], object]


class Item(NamedTuple):
    """One thing that is over: its key, what it is called, and how it is held to its promise."""

    key: int
    subject: str
    check: Callable[[], Sequence[Difference]]


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """One kind of what is over and can be played again.

    `engine`: the version it is played by; `count` and `items` take a day, from which on things
    ended (None: ever); `items` also the key after which it goes on, and gives them by key.
    """

    kind: str
    engine: str
    count: Callable[[dt.date | None], int]
    items: Callable[[dt.date | None, int], Iterable[Item]]


_SHELVES: dict[str, Shelf] = {}


def register(shelf: Shelf) -> None:
    """Have a kind looked at; ValueError for one that is registered twice."""
    if _SHELVES.setdefault(shelf.kind, shelf) is not shelf:
        raise ValueError(f"The kind {shelf.kind!r} is registered already.")


def shelves() -> tuple[Shelf, ...]:
    """All kinds, in the order of their registration."""
    return tuple(_SHELVES.values())


@transaction.atomic
def begin(*, at: dt.datetime, since: dt.date | None = None) -> Revalidation:
    """The revalidation to work at: the one that is unfinished, or a new one.

    One that is unfinished and looks from another day on is given up for this.
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
        engines={shelf.kind: shelf.engine for shelf in shelves()},
        looked_at={shelf.kind: 0 for shelf in shelves()},
        totals={shelf.kind: shelf.count(since) for shelf in shelves()},
    )


def go_on(
    key: int, *, clock: Clock, most: dt.timedelta | None = SLICE, told: Told | None = None
) -> bool:
    """Look at what is left, for so long at most; whether more is left for somebody to go on with.

    False, too, where it is over or another is at it. `told` hears of every step that is kept.
    """
    row = _claimed(key, at=clock())
    if row is None:
        return False
    work = _Work(row, clock, most, told)
    try:
        done = all(work.through(shelf) for shelf in shelves())
    except (KeyboardInterrupt, SystemExit):
        work.rest()
        raise
    return work.end() if done else work.rest()


def lost(*, at: dt.datetime) -> list[int]:
    """Unfinished ones that nobody is at: the message or the worker was lost."""
    unfinished = Revalidation.objects.filter(_free(at), ended_at=None)
    return list(unfinished.values_list("pk", flat=True))


def note_breakdown(key: int, sentence: str, *, at: dt.datetime) -> None:
    """Write down why it broke off; the next night begins anew."""
    Revalidation.objects.filter(pk=key, ended_at=None).update(ended_at=at, error=sentence[:LONGEST])


def _free(at: dt.datetime) -> Q:
    return Q(beat_at=None) | Q(beat_at__lte=at - LOST_AFTER)


def _claimed(key: int, *, at: dt.datetime) -> Revalidation | None:
    """The row, claimed by compare-and-set; None where it is over or another's."""
    if not Revalidation.objects.filter(_free(at), pk=key, ended_at=None).update(beat_at=at):
        return None
    return Revalidation.objects.get(pk=key)


class _Work:
    """One worker's turn at a revalidation; it stops where another has taken over."""

    def __init__(
        self, row: Revalidation, clock: Clock, most: dt.timedelta | None, told: Told | None
    ) -> None:
        self._row, self._clock, self._told = row, clock, told
        self._until = row.beat_at + most if most and row.beat_at else None
        self._looked, self._differing = Counter(row.looked_at), Counter(row.differing)

    def through(self, shelf: Shelf) -> bool:
        """Look at the rest of a shelf; False where the time is over, or the work another's."""
        row = self._row
        for item in _after(shelf, row):
            self._look(shelf.kind, item)
            now = self._clock()
            if row.beat_at and now - row.beat_at < NOTED_EVERY:
                continue
            if not self._note(now) or (self._until and now >= self._until):
                return False
        return True

    def _look(self, kind: str, item: Item) -> None:
        found = looked(item)
        self._looked[kind] += 1
        self._row.places[kind] = item.key
        if found:
            self._differing[kind] += 1
            if len(self._row.first) < MOST_TOLD:
                told = {"kind": kind, "key": item.key, "subject": item.subject, "lines": found}
                self._row.first.append(told)

    def _note(self, at: dt.datetime, ended: bool = False, beats: bool = True) -> bool:
        """Keep how far it is; False where the row was taken over meanwhile."""
        row = self._row
        row.looked_at, row.differing = dict(self._looked), dict(self._differing)
        values = {name: getattr(row, name) for name in _KEPT}
        values |= {"beat_at": at if beats else None, "ended_at": at if ended else None}
        mine = Revalidation.objects.filter(pk=row.pk, beat_at=row.beat_at, ended_at=None)
        kept = bool(mine.update(**values))
        row.beat_at = values["beat_at"]
        if kept and self._told:
            self._told(row)
        return kept

    def rest(self) -> bool:
        """Leave the rest to whoever comes next; False where another is at it already."""
        return self._note(self._clock(), beats=False)

    def end(self) -> bool:
        """All has been looked at: nothing is left."""
        self._note(self._clock(), ended=True)
        return False


_KEPT: Final = ("looked_at", "differing", "places", "first")


def _after(shelf: Shelf, row: Revalidation) -> Iterator[Item]:
    return iter(shelf.items(row.since, row.places.get(shelf.kind, 0)))


def looked(item: Item) -> list[str]:
    """What differs, in lines; what cannot be played again at all differs too."""
    try:
        found = item.check()
    except Exception as error:  # whatever an engine makes of rows that were tampered with
        log.exception("%s cannot be played again", item.subject)
        return [f"cannot be played again: {type(error).__name__}: {error}"[:LONGEST]]
    return [_line(difference) for difference in found[:MOST_LINES]]


def _line(difference: Difference) -> str:
    name, claimed, derived = difference
    return f"{name}: {claimed!r} is kept, {derived!r} follows"[:LONGEST]
