"""A day of a kept board once it is scored: who arrived where, and what else was gained."""

from __future__ import annotations

from dataclasses import dataclass

from eltoro.engine.kept.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDay:
    """One day, as far as a sheet of arrivals tells it.

    `destinations`: d1 to d5, as indexes into the rules'. `arrived`: by seat, runners at d1 to d5.
    `gained`: points by cards, by seat. `dice`: by seat, the faces of the dice that yesterday's
    destinations granted. `points`: all points of the day by seat. `aside`: the runners
    that a card led aside, and where to (`a1>molino`).
    """

    destinations: tuple[int, ...]
    arrived: tuple[tuple[int, ...], ...]
    gained: tuple[int, ...]
    dice: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    """A die on the board that was rolled again or turned, at a space (its index).

    `before`, `after`: its faces. `trampled`: that was the end of it for the day.
    """

    what: str
    before: int
    after: int
    space: int
    trampled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What an entry came to: the entry with all that the site drew and rolled for it.

    `entries`: the first is the one recorded, filled in; the site added the others. `day` from 1,
    `step` from 0, as it was made. `rolled`: dice on the board that changed.
    """

    entries: tuple[Entry, ...]
    day: int
    step: int
    rolled: tuple[Rolled, ...] = ()
