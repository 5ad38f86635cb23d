"""The judge of a season: three lines and a mark.

Lines are in hundredths and limited to -200 to 100, so that nobody wins with one thing only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corridas.world.box_office import tables
from corridas.world.box_office.pars import Pars
from corridas.world.box_office.rounding import limited, rounded


@dataclass(frozen=True, slots=True)
class Afternoon:
    """A counted afternoon.

    `house` and `usual` are the house and the usual house of the day, in thousandths of the seats.
    `seen` and `asked` are in hundredths of a point per bull, `kept` in duros.
    """

    house: int
    usual: int
    seen: int
    asked: int
    kept: int


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a season: `houses` (taquilla), `cards` (afición) and `money` (cuentas)."""

    houses: int
    cards: int
    money: int

    @property
    def total(self) -> int:
        return self.houses + self.cards + self.money

    @property
    def mark(self) -> int:
        """The town's mark in tenths, 0 to 100."""
        return limited(tables.USUAL_MARK + rounded(self.total, 6), 0, tables.HIGHEST_MARK)


def judge(afternoons: Sequence[Afternoon], pars: Pars, full_house: int) -> Lines:
    """Return the lines of these afternoons. Without afternoons they are 0."""
    held = len(afternoons)
    if not held:
        return Lines(0, 0, 0)
    over = sum(each.house - each.usual for each in afternoons)
    shown = sum(each.seen - each.asked for each in afternoons) - held * pars.seen
    kept = sum(each.kept for each in afternoons)
    beyond = 1_000 * kept - tables.USUAL_PROFIT * held * full_house
    return Lines(
        houses=_line(over, tables.HOUSE_UNIT * held),
        cards=_line(shown, held * pars.unit),
        money=_line(beyond, tables.MONEY_UNIT * held * full_house),
    )


def _line(over: int, unit: int) -> int:
    return limited(rounded(100 * over, unit), tables.LOWEST_LINE, tables.HIGHEST_LINE)
