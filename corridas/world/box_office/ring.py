"""What a plaza and the days of a calendar mean for money and houses."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from corridas.world.box_office import tables
from corridas.world.calendar import SATURDAY


@dataclass(frozen=True, slots=True)
class Ring:
    """A plaza as the box office sees it: its `category` (1 to 3) and its number of `seats`."""

    category: int
    seats: int

    @classmethod
    def of(cls, category: int, seats: int | None) -> Ring:
        """Return a plaza; unknown seats are those that are usual in its category."""
        return cls(category, seats or tables.USUAL_SEATS[category])

    @property
    def ticket(self) -> int:
        """The normal price of a ticket, in duros."""
        return tables.TICKET[self.category]

    @property
    def full_house(self) -> int:
        """The income of a sold-out afternoon at the normal price, in duros."""
        return self.seats * self.ticket


def day_factor(day: dt.date) -> int:
    """Return how many people come on this weekday, in thousandths. Friday is a weekday."""
    return tables.WEEKEND if day.weekday() >= SATURDAY else tables.WEEKDAY


def rain_odds(day: dt.date) -> int:
    """Return the probability of rain on this day, in per cent."""
    return tables.RAIN_IN_SUMMER if day.month in tables.SUMMER else tables.RAIN
