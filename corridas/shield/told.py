"""How far totals are told to a person who has not watched all that they add up."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from corridas.models import Corrida
from corridas.queries.shield import EVERY, earliest_hidden

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, kw_only=True)
class Told:
    """Up to and with the day `until`, for on the next one `unwatched` was fought.

    Both are None where everything may be told.
    """

    unwatched: Corrida | None = None

    @property
    def until(self) -> dt.date | None:
        """The last day whose results are told."""
        return self.unwatched.date - dt.timedelta(days=1) if self.unwatched else None

    def up_to(self, asked: dt.date | None) -> tuple[Told, dt.date | None]:
        """This and the last day to tell, where no more than up to `asked` is wanted."""
        if self.until is None or (asked is not None and asked <= self.until):
            return Told(), asked
        return self, self.until

    @property
    def mark(self) -> tuple[int, dt.date] | None:
        """What a page that is kept depends on."""
        return (self.unwatched.pk, self.unwatched.date) if self.unwatched else None


def told_to(user: User | None, at: dt.datetime, circuit: str, among: Q = EVERY) -> Told:
    """How far totals of a circuit, or of `among` its corridas, are told; one query.

    `user` is None for who has no shield, or wants to see all for now.
    """
    if user is None:
        return Told()
    return Told(unwatched=earliest_hidden(user, at, circuit=circuit, among=among))
