"""What a signing was worth, and whether somebody better was free for that money."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corridas.world.box_office import tables
from corridas.world.box_office.pars import Pars
from corridas.world.box_office.rounding import rounded


@dataclass(frozen=True, slots=True)
class Signing:
    """A matador in an afternoon: `fee` in duros, and what his bulls showed, in hundredths of a
    point per bull.
    """

    matador: str
    fee: int
    seen: int


@dataclass(frozen=True, slots=True)
class Prospect:
    """A matador whom one may sign: `fee` in duros, and what a bull of his is expected to show, in
    hundredths of a point. `matador` is his slug.
    """

    matador: str
    fee: int
    expected: int


def worth(signing: Signing, pars: Pars, full_house: int) -> int:
    """Return what a signing was worth in hundredths: by his bulls and by his fee."""
    by_bulls = rounded(100 * (signing.seen - pars.seen), 3 * pars.unit)
    saved = pars.fee * full_house - 3_000 * signing.fee
    return by_bulls + rounded(100 * saved, 3 * tables.MONEY_UNIT * full_house)


def dearest_mistake(signings: Sequence[Signing], pars: Pars, full_house: int) -> Signing:
    """Return the signing that was worth least; of equal ones the dearer, then the first."""
    return min(signings, key=lambda each: (worth(each, pars, full_house), -each.fee))


def best_find(signings: Sequence[Signing], pars: Pars, full_house: int) -> Signing:
    """Return the signing that was worth most; of equal ones the dearer, then the first."""
    return max(signings, key=lambda each: (worth(each, pars, full_house), each.fee))


def weakest(cartel: Sequence[Prospect]) -> Prospect:
    """Return the man who is expected to show least; of equal ones the dearer, then by slug."""
    return min(cartel, key=lambda man: (man.expected, -man.fee, man.matador))


def best_free_man(cartel: Sequence[Prospect], free: Iterable[Prospect]) -> Prospect | None:
    """Return the man who should have been signed instead of the weakest of a cartel.

    `free` are the men in neither cartel who were free and fit for the last open window. The result
    is at most as dear as the weakest and expected to show more, or None if there is nobody. Of
    equal men it is the cheaper one, then the first by slug.
    """
    last = weakest(cartel)
    better = [man for man in free if man.fee <= last.fee and man.expected > last.expected]
    return min(better, key=lambda man: (-man.expected, man.fee, man.matador), default=None)
