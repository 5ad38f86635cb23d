"""Counters of finished lidias (Ruling I-17)."""

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
    """A finished lidia: the engine's result, or a row with the same columns."""

    @property
    def ending(self) -> Ending | str:
        """How the bull left the ring, or its value."""

    @property
    def trophy(self) -> int | None:
        """0 to 3; None or 0 without a trophy."""

    @property
    def vuelta(self) -> bool | None:
        """Whether he made a lap of honour."""

    @property
    def avisos(self) -> int:
        """0 to 3."""


class Tally(Counter[str]):
    """Sums of lidias by `COUNTERS`; a counter without a lidia is 0."""

    def add(self, lidia: Finished) -> None:
        """Count one lidia."""
        self.update(counts_of(lidia))


def counts_of(lidia: Finished) -> Mapping[str, int]:
    """Return the counters of one lidia, by `COUNTERS` and in their order.

    `bulls` is 1. `ears` is 0 to 2; a tail counts as two ears and one of the `tails`. `two_ears` is
    1 for two ears or more. A third aviso counts among the `avisos` and as `three_avisos`.
    """
    return _counts(lidia.ending, lidia.trophy or 0, bool(lidia.vuelta), lidia.avisos)


def totals(lidias: Iterable[Finished]) -> dict[str, int]:
    """Add up lidias by `COUNTERS`, as `Tally` does but many at once."""
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
