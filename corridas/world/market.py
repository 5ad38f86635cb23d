"""The matadors of a season as input for contracts: bookings, form, injuries and appearances."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import attrgetter
from typing import NamedTuple, Protocol

from corridas.engine import MatadorCard
from corridas.world.contracts import AvailableMatador, Engagement
from corridas.world.form import push, value

# A matador with a lower rating counts as young. Small plazas prefer young matadors.
YOUNG_BELOW = 55
_DATE = attrgetter("date")


class CurrentCard(NamedTuple):
    """The newest card of a matador and the letters of his form. `pk` is the key of the card."""

    pk: int
    matador_id: int
    form: str
    card: MatadorCard


class RestPeriod(Protocol):
    """A period in which an injured matador cannot fight; both days are included."""

    @property
    def matador_id(self) -> int:
        """Primary key of the matador."""

    @property
    def since(self) -> dt.date:
        """Day of the injury."""

    @property
    def until(self) -> dt.date:
        """Last day on which the matador cannot fight."""


class Market:
    """The matadors who can be contracted, with their bookings, injuries and form.

    `cards` are by matador; a matador without a card has retired. `begins` holds the day of a coming
    alternativa (the ceremony that makes him a matador), by matador. While a season is simulated,
    `book`, `release` and `apply_injuries` keep the market up to date.
    """

    def __init__(
        self, cards: Mapping[int, CurrentCard], appearances: Mapping[int, int] | None = None
    ) -> None:
        self.cards = cards
        self._forms = {key: printed.form for key, printed in cards.items()}
        self._engagements: dict[int, list[Engagement]] = defaultdict(list)
        # Keys of announced corridas, by matador and day.
        self._corridas: dict[tuple[int, dt.date], int] = {}
        self._rests: dict[int, list[tuple[dt.date, dt.date]]] = defaultdict(list)
        self._appearances: dict[int, int] = defaultdict(int, appearances or {})
        self.begins: dict[int, dt.date] = {}

    def book(
        self,
        matadors: Iterable[int],
        engagement: Engagement,
        *,
        corrida: int | None = None,
        counted: bool = False,
    ) -> None:
        """Book matadors for a corrida.

        `corrida` is the key of an announced corrida, so that `struck_off` can find it. `counted`
        says that the corrida is already included in their number of appearances.
        """
        for key in matadors:
            booked = self._engagements[key]
            booked.append(engagement)
            if len(booked) > 1 and booked[-2].date > engagement.date:
                booked.sort()
            if corrida is not None:
                self._corridas[key, engagement.date] = corrida
            self._appearances[key] += not counted

    def release(self, matadors: Iterable[int], day: dt.date) -> None:
        """Cancel all bookings of these matadors on a day."""
        for key in matadors:
            kept = [other for other in self._engagements[key] if other.date != day]
            self._engagements[key] = kept
            self._corridas.pop((key, day), None)
            self._appearances[key] -= 1

    def begin(self, matador: int, day: dt.date) -> None:
        """Exclude a matador from contracts before the day of his alternativa."""
        self.begins[matador] = day

    def rest(self, matador: int, since: dt.date, until: dt.date) -> None:
        self._rests[matador].append((since, until))

    def apply_injuries(self, injuries: Iterable[RestPeriod], letters: Mapping[int, str]) -> None:
        """Apply the effects of a corrida: injuries, and new form letters by matador."""
        for injury in injuries:
            self.rest(injury.matador_id, injury.since, injury.until)
            self._corridas.pop((injury.matador_id, injury.since), None)  # the corrida is over
        for matador, heard in letters.items():
            self._forms[matador] = reduce(push, heard, self._forms.get(matador, ""))

    def form(self, matador: int) -> str:
        return self._forms[matador]

    def struck_off(self, since: dt.date) -> list[int]:
        """Return the announced corridas since a day that include an injured or retired matador.

        Each corrida is listed once.
        """
        gone = [matador for matador in self._engagements if matador not in self.cards]
        keys = [
            self._corridas[matador, engagement.date]
            for matador in (*self._rests, *gone)
            for engagement in self._engagements[matador]
            if engagement.date >= since
            and (matador, engagement.date) in self._corridas
            and self.is_resting(matador, engagement.date)
        ]
        return list(dict.fromkeys(keys))

    def is_resting(self, matador: int, day: dt.date) -> bool:
        return matador not in self.cards or self._rests_until(matador, day) is not None

    def _rests_until(self, matador: int, day: dt.date) -> dt.date | None:
        if matador not in self._rests:
            return None
        rests = (until for since, until in self._rests[matador] if since <= day <= until)
        return max(rests, default=None)

    def candidates(self, day: dt.date) -> list[AvailableMatador]:
        candidates = []
        begins, engagements, rests = self.begins, self._engagements, self._rests
        forms, appearances = self._forms, self._appearances
        for key, printed in self.cards.items():
            if key in begins and day < begins[key]:
                continue
            rating, booked = printed.card.rating, engagements[key]
            # Most matadors have no booking after this day, and a search in their bookings would be
            # the slowest step.
            ahead = bool(booked) and booked[-1].date > day
            after = bisect_right(booked, day, key=_DATE) if ahead else len(booked)
            candidates.append(
                AvailableMatador(
                    key,
                    rating,
                    value(forms[key]),
                    rating < YOUNG_BELOW,
                    booked[after - 1] if after else None,
                    booked[after] if ahead else None,
                    self._rests_until(key, day) if key in rests else None,
                    appearances[key],
                )
            )
        return candidates
