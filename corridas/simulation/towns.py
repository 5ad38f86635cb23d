"""The towns of a circuit while corridas are played: their mood, and what they remember.

A town knows the afternoons in its plaza whose results are posted. An afternoon of a later date does
not count, even if it was posted earlier.
"""

from __future__ import annotations

import datetime as dt
from bisect import insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from corridas.engine import EARS, Crowd, Ending
from corridas.world.box_office import (
    AfternoonHere,
    fresh,
    half_points,
    memory,
    mood_after_winter,
    seen,
    tables,
)
from corridas.world.box_office.seen import THREE_AVISOS
from corridas.world.deeds import PlayedLidia

_DAY = attrgetter("day")
_THREE_AVISOS = Ending.THREE_AVISOS.value


class Afternoon(NamedTuple):
    """A posted corrida as its town remembers it.

    `feria` is a slug, empty outside ferias. `men` are those who fought in a feria. `triumphs` and
    `failures` are matadors. `mood` is that after the corrida, None if the season has no pars.
    """

    day: dt.date
    feria: str
    men: Collection[int]
    triumphs: Collection[int]
    failures: Collection[int]
    mood: int | None


def deeds(lidias: Iterable[PlayedLidia]) -> tuple[set[int], set[int]]:
    """Return the matadors with a triumph, and those with a failure, in one corrida."""
    ears: dict[int, int] = defaultdict(int)
    failures = set()
    for lidia in lidias:
        man = lidia.finisher_id
        if man is None:
            continue
        if lidia.trophy:
            ears[man] += EARS[lidia.trophy]
        elif lidia.crowd == Crowd.BRONCA or lidia.ending == _THREE_AVISOS:
            failures.add(man)
    return {man for man, cut in ears.items() if cut >= tables.TRIUMPH_EARS}, failures


def shown_by(lidias: Iterable[PlayedLidia]) -> int:
    """Return what a town saw of these bulls, in hundredths of a point per bull."""
    return seen(
        [_points(each.ending, each.trophy, each.crowd, bool(each.vuelta)) for each in lidias]
    )


@lru_cache(maxsize=128)
def _points(ending: str, trophy: int | None, crowd: int | None, lap: bool) -> int | None:
    if ending == Ending.BROKEN_OFF.value:
        return None
    if ending == _THREE_AVISOS:
        return THREE_AVISOS
    return half_points(trophy, crowd, lap=lap, spared=ending == Ending.SPARED.value)


class Town:
    """The public of one plaza."""

    def __init__(self) -> None:
        self._afternoons: list[Afternoon] = []
        self._deeds: dict[int, list[tuple[dt.date, AfternoonHere]]] = defaultdict(list)

    def add(self, afternoon: Afternoon) -> None:
        """Add an afternoon whose results are posted."""
        insort(self._afternoons, afternoon, key=_DAY)
        day, year = afternoon.day, afternoon.day.year
        for man in {*afternoon.triumphs, *afternoon.failures}:
            ears = tables.TRIUMPH_EARS if man in afternoon.triumphs else 0
            here = AfternoonHere(year, ears, man in afternoon.failures)
            self._deeds[man].append((day, here))

    def mood(self, day: dt.date) -> int:
        """Return the mood on the morning of a day.

        It is forgotten after as many winters as the town's memory of matadors.
        """
        for afternoon in reversed(self._afternoons):
            winters = day.year - afternoon.day.year
            if winters > tables.REMEMBERED_SEASONS:
                break
            if afternoon.day < day and afternoon.mood is not None:
                mood = afternoon.mood
                for _ in range(winters):
                    mood = mood_after_winter(mood)
                return mood
        return tables.MOOD

    def memory(self, man: int, day: dt.date) -> int:
        """Return what the town's memory adds to a matador's standing on a day."""
        if man not in self._deeds:
            return 0
        return memory([here for held, here in self._deeds[man] if held < day], day.year)

    def freshness(self, men: Sequence[int], day: dt.date, feria: str) -> list[int]:
        """Return how much of his draw each matador has left on a day of a feria, in per cent."""
        held = self._of_feria(feria, day)
        if not held:
            return [fresh(0)] * len(men)
        return [
            fresh(
                sum([man in afternoon.men for afternoon in held]),
                triumphed=any(man in afternoon.triumphs for afternoon in held),
            )
            for man in men
        ]

    def _of_feria(self, feria: str, day: dt.date) -> list[Afternoon]:
        held: list[Afternoon] = []
        if not feria:
            return held
        for afternoon in reversed(self._afternoons):
            if afternoon.day.year < day.year:
                break
            if afternoon.feria == feria and afternoon.day < day:
                held.append(afternoon)
        return held
