"""The trust of a plaza's owner, and when he dismisses a promoter."""

from __future__ import annotations

from dataclasses import dataclass

from corridas.world.box_office import tables
from corridas.world.box_office.judge import Lines
from corridas.world.box_office.rounding import rounded


@dataclass(frozen=True, slots=True)
class Trust:
    """Trust by line of the judge, in hundredths; at most 100."""

    houses: int = 0
    cards: int = 0
    money: int = 0

    @property
    def total(self) -> int:
        return self.houses + self.cards + self.money

    def after(self, season: Lines) -> Trust:
        """Return the trust after a season with these lines."""
        return Trust(
            _moved(self.houses, season.houses),
            _moved(self.cards, season.cards),
            _moved(self.money, season.money),
        )


def _moved(old: int, line: int) -> int:
    moved = rounded(tables.OLD_TRUST * old, 100) + rounded(tables.NEW_TRUST * line, 100)
    return min(tables.MOST_TRUST, moved)


def is_dismissed(trust: Trust, season: int) -> bool:
    """Return whether a promoter is dismissed at the end of a season.

    `season` is its number within the concession. Nobody is dismissed after the first one.
    """
    return season > 1 and trust.total < tables.DISMISSED_BELOW


def ends_term(season: int) -> bool:
    """Return whether a term ends with this season of a concession."""
    return season % tables.TERM == 0


def is_renewed(trust: Trust) -> bool:
    """Return whether a concession is renewed at the end of a term."""
    return trust.total >= tables.RENEWED_FROM
