"""What those who contract know on a day: who is free, in form, hurt, and how often he appeared."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import attrgetter

from corridas.models import Corrida, Escalafon, Injury, Puesto, Season
from corridas.simulation.records import Printed, latest_cards
from corridas.world.contracts import DAYS_TO_SETTLE, Candidate, Engagement
from corridas.world.form import push, value

YOUNG_BELOW = 55
"""A rating below this has not made his name yet: small rings like to give him a chance."""
_DAY = attrgetter("date")


class Market:
    """The matadors of a season from a day on, with their engagements around and after it.

    It may be kept while one worker runs the season on: `book`, `release` and `hear` keep it as
    the rows would give it.
    """

    def __init__(self, season: Season, since: dt.date) -> None:
        self.cards = latest_cards(season.circuit_id)
        self._forms = {key: printed.form for key, printed in self.cards.items()}
        self._engagements: dict[int, list[Engagement]] = defaultdict(list)
        self._corridas: dict[tuple[int, dt.date], int] = {}
        self._appearances = _appearances(season)
        self._rests = _rests(season, since)
        self._read_engagements(season, since)

    def _read_engagements(self, season: Season, since: dt.date) -> None:
        known = Puesto.objects.filter(
            matador__circuit=season.circuit_id, date__gte=since - dt.timedelta(DAYS_TO_SETTLE)
        )
        fields = (
            "matador_id",
            "date",
            "cartel_id",
            "cartel__corrida__plaza__continent",
            "cartel__corrida__feria_id",
            "cartel__corrida__state",
        )
        rows = known.values_list(*fields).order_by("date")
        for matador, date, corrida, continent, feria, state in rows:
            self._engagements[matador].append(Engagement(date, continent, feria))
            self._corridas[matador, date] = corrida
            self._appearances[matador] += state not in Corrida.OVER

    def hear(self, injuries: Iterable[Injury], letters: Mapping[int, str]) -> None:
        """Take in what an afternoon brought: who is hurt, and the letters of form by matador."""
        for injury in injuries:
            self._rests[injury.matador_id].append((injury.since, injury.until))
            self._corridas.pop((injury.matador_id, injury.since), None)  # it has been fought
        for matador, heard in letters.items():
            self._forms[matador] = reduce(push, heard, self._forms.get(matador, ""))

    def struck(self, since: dt.date) -> list[int]:
        """The corridas from a day on that name a matador who cannot come to theirs, each once."""
        gone = [matador for matador in self._engagements if matador not in self.cards]
        keys = [
            self._corridas[matador, engagement.date]
            for matador in (*self._rests, *gone)
            for engagement in self._engagements[matador]
            if engagement.date >= since
            and (matador, engagement.date) in self._corridas
            and self.rests(matador, engagement.date)
        ]
        return list(dict.fromkeys(keys))

    def rests(self, matador: int, day: dt.date) -> bool:
        """Whether the surgeon keeps him in bed on that day, or he has hung up his suit."""
        return matador not in self.cards or self._rests_until(matador, day) is not None

    def _rests_until(self, matador: int, day: dt.date) -> dt.date | None:
        """The last day of the rest that a day falls into."""
        if matador not in self._rests:
            return None
        rests = (until for since, until in self._rests[matador] if since <= day <= until)
        return max(rests, default=None)

    def candidates(self, day: dt.date) -> list[Candidate]:
        """Every matador as he stands on the day."""
        return [self._candidate(key, printed, day) for key, printed in self.cards.items()]

    def _candidate(self, key: int, printed: Printed, day: dt.date) -> Candidate:
        rating = printed.card.rating
        booked = self._engagements[key]
        after = bisect_right(booked, day, key=_DAY)
        last = booked[after - 1] if after else None
        following = booked[after] if after < len(booked) else None
        return Candidate(
            key,
            rating,
            value(self._forms[key]),
            rating < YOUNG_BELOW,
            last,
            following,
            self._rests_until(key, day),
            self._appearances[key],
        )

    def book(self, matadors: Iterable[int], corrida: Corrida) -> None:
        """They are engaged from now on."""
        engagement = Engagement(corrida.date, corrida.plaza.continent, corrida.feria_id)
        for key in matadors:
            booked = self._engagements[key]
            if booked and booked[-1].date > corrida.date:
                booked.append(engagement)
                booked.sort()
            else:
                booked.append(engagement)
            self._corridas[key, corrida.date] = corrida.pk
            self._appearances[key] += 1

    def release(self, matadors: Iterable[int], corrida: Corrida) -> None:
        """They are free on that day again."""
        for key in matadors:
            kept = [other for other in self._engagements[key] if other.date != corrida.date]
            self._engagements[key] = kept
            self._corridas.pop((key, corrida.date), None)
            self._appearances[key] -= 1


def _appearances(season: Season) -> dict[int, int]:
    posted: dict[int, int] = defaultdict(int)
    rows = Escalafon.objects.filter(season=season)
    for matador, corridas in rows.values_list("matador_id", "corridas"):
        posted[matador] += corridas
    return posted


def _rests(season: Season, since: dt.date) -> dict[int, list[tuple[dt.date, dt.date]]]:
    """First and last day of every rest that lasts to a day or longer, by matador."""
    rests: dict[int, list[tuple[dt.date, dt.date]]] = defaultdict(list)
    known = Injury.objects.filter(matador__circuit=season.circuit_id, until__gte=since)
    for matador, first, last in known.values_list("matador_id", "since", "until"):
        rests[matador].append((first, last))
    return rests
