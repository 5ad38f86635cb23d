"""Counters of finished fights: ears, tails, time warnings and so on (Ruling I-17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Protocol

from corridas.engine.events import Ending
from corridas.engine.matador import Trophy

COUNTERS: Final = (
    "bulls",
    "ears",
    "tails",
    "two_ears",
    "vueltas",
    "indultos",
    "avisos",
    "three_avisos",
)


class Finished(Protocol):
    """A finished fight: the engine's result, or a database row with the same columns."""

    @property
    def ending(self) -> Ending | str:
        """How the fight ended, as an `Ending` or its value."""

    @property
    def trophy(self) -> int | None:
        """Number of the trophy, 1 to 3; 0 or None if there was none."""

    @property
    def vuelta(self) -> bool | None:
        """Whether the matador made a lap of honour."""

    @property
    def avisos(self) -> int:
        """Number of time warnings, 0 to 3."""


class Tally(Counter[str]):
    """The sum of each counter of `COUNTERS` over several fights. Missing counters are 0."""

    def add(self, lidia: Finished) -> None:
        """Add the counters of one fight."""
        self.update(counts_of(lidia))


def counts_of(lidia: Finished) -> Mapping[str, int]:
    """Return the counters of one fight, in the order of `COUNTERS`.

    `bulls` is 1. `ears` is 0 to 2; a tail counts as two ears and as one of the `tails`. `two_ears`
    is 1 for two ears or more. A third aviso (time warning) is counted in `avisos` and also as
    `three_avisos`.
    """
    return _counts(lidia.ending, lidia.trophy or 0, bool(lidia.vuelta), lidia.avisos)


def totals(lidias: Iterable[Finished]) -> dict[str, int]:
    """Return the sum of each counter of `COUNTERS` over many fights.

    This is faster than adding them one by one to a `Tally`.
    """
    rows = [
        _values(each.ending, each.trophy or 0, bool(each.vuelta), each.avisos) for each in lidias
    ]
    return dict(zip(COUNTERS, map(sum, zip(_NOTHING, *rows, strict=True)), strict=True))


_NOTHING: Final = (0,) * len(COUNTERS)


@cache  # a few dozen combinations, requested several times per lidia of a season
def _counts(ending: Ending | str, trophy: int, vuelta: bool, avisos: int) -> Mapping[str, int]:
    values = _values(ending, trophy, vuelta, avisos)
    return MappingProxyType(dict(zip(COUNTERS, values, strict=True)))


@cache
def _values(ending: Ending | str, trophy: int, vuelta: bool, avisos: int) -> tuple[int, ...]:
    ending, trophy = Ending(ending), Trophy(trophy)
    return (
        1,
        trophy.ears,
        int(trophy is Trophy.RABO),
        int(trophy >= Trophy.DOS_OREJAS),
        int(vuelta),
        int(ending is Ending.SPARED),
        avisos,
        int(ending is Ending.THREE_AVISOS),
    )
