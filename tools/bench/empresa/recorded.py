"""Seasons of the market alone, recorded so that a promoter's carteles can be put into them."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby
from typing import NamedTuple

from corridas.engine import MatadorCard, Rules
from corridas.world import form
from corridas.world.afternoons import SimulatedCorrida
from corridas.world.box_office import (
    DatedBill,
    OfferedPlaza,
    Pars,
    Ring,
    UsualDay,
    canon,
    rehearsal_seed,
    rehearse,
    standing,
    usual_day,
)
from corridas.world.calendar import PlannedCorrida, dates
from corridas.world.careers.circuit import Circuit
from corridas.world.careers.played import Played
from corridas.world.chances import ScoreCounts
from corridas.world.contracts import (
    DAYS_TO_CROSS,
    AvailableMatador,
    Engagement,
    OpenCorrida,
    standings,
)
from corridas.world.injuries import examine
from corridas.world.market import YOUNG_BELOW, CurrentCard, Market
from corridas.world.roster import Plaza, Roster
from fairness import Seed

# The version of the winter's rules to which the shipped cards belong.
CARDS_VERSION = 3


class Rest(NamedTuple):
    """Days on which a hurt man cannot fight, both included, and the plaza where he was hurt."""

    since: dt.date
    until: dt.date
    plaza: str


class Booking(NamedTuple):
    engagement: Engagement
    plaza: str


@dataclass(slots=True)
class RecordedMan:
    """A matador's season under the market: forms by day, bookings and injuries, by date."""

    key: int
    slug: str
    card: MatadorCard
    begins: dt.date | None
    days: list[dt.date] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    bookings: list[Booking] = field(default_factory=list)
    rests: list[Rest] = field(default_factory=list)

    def form(self, day: dt.date) -> int:
        """Return the value of his form on the morning of a day."""
        return self.values[bisect_left(self.days, day)]


@dataclass(slots=True)
class RecordedSeason:
    """A season that the market played alone, with its pars."""

    year: int
    seed: Seed
    men: list[RecordedMan]
    corridas: dict[tuple[str, dt.date], SimulatedCorrida]
    pars: Mapping[int, Pars]
    plazas: dict[str, list[list[PlannedCorrida]]]
    leader: int

    def standings(self, day: dt.date, known: dt.date) -> dict[int, int]:
        """Return the standing of the men who are matadors on a day, with their form of `known`."""
        men = [man for man in self.men if man.begins is None or man.begins <= day]
        found = standings(tuple([man.card.rating for man in men]))
        return {
            man.key: standing(rated, man.form(known)) for man, rated in zip(men, found, strict=True)
        }

    def offered(self, seats: Mapping[str, Ring]) -> list[OfferedPlaza]:
        return [
            OfferedPlaza(slug, seats[slug].category, seats[slug].seats, sum(map(len, ferias)))
            for slug, ferias in self.plazas.items()
        ]

    def usual(self, ring: Ring, plaza: str) -> dict[dt.date, UsualDay]:
        return {
            corrida.date: usual_day(ring, corrida.date, len(feria))
            for feria in self.plazas[plaza]
            for corrida in feria
        }

    def canon(self, ring: Ring, plaza: str) -> int:
        return canon(list(self.usual(ring, plaza).values()), self.pars[ring.category])

    def candidates(
        self,
        day: dt.date,
        known: dt.date,
        plaza: str,
        own: Mapping[int, Sequence[Engagement]],
    ) -> list[AvailableMatador]:
        """Return the men as the market would see them in a window that ends on `known`.

        Their corridas in this plaza are replaced by those for which its promoter has signed them
        (`own`), and injuries of later days are left out.
        """
        return [
            self._candidate(man, day, known, plaza, own.get(man.key, ()))
            for man in self.men
            if man.begins is None or man.begins <= day
        ]

    def _candidate(
        self,
        man: RecordedMan,
        day: dt.date,
        known: dt.date,
        plaza: str,
        own: Sequence[Engagement],
    ) -> AvailableMatador:
        others = [booked.engagement for booked in man.bookings if booked.plaza != plaza]
        others = sorted((*others, *own), key=lambda each: each.date)
        before = [each for each in others if each.date <= day]
        return AvailableMatador(
            man.key,
            man.card.rating,
            man.form(known),
            man.card.rating < YOUNG_BELOW,
            before[-1] if before else None,
            others[len(before)] if len(before) < len(others) else None,
            rest_of(man.rests, day, known, plaza),
            len(before),
        )


def rest_of(rests: Sequence[Rest], day: dt.date, known: dt.date, plaza: str) -> dt.date | None:
    """Return until when a man cannot fight, as known on a day; None if he can fight on `day`."""
    until = [
        rest.until
        for rest in rests
        if rest.since <= known and rest.since < day <= rest.until and rest.plaza != plaza
    ]
    return max(until, default=None)


def is_free(man: RecordedMan, day: dt.date, continent: str, plaza: str) -> bool:
    """Return whether a man's corridas in other plazas leave him free for a day."""
    crossing = dt.timedelta(days=DAYS_TO_CROSS)
    return all(
        other != day if where == continent else abs(other - day) >= crossing
        for (other, where, _), at in man.bookings
        if at != plaza
    )


class RecordingCircuit(Circuit):
    """A circuit in memory that keeps what happened in its latest season."""

    def __init__(self, roster: Roster, rules: Rules, year: int, seed: Seed) -> None:
        super().__init__(roster, rules, year, seed, version=CARDS_VERSION)
        self._afternoons: list[SimulatedCorrida] = []
        self._season_seed = seed
        self.rings = {plaza.slug: Ring.of(plaza.category, plaza.seats) for plaza in roster.plazas}

    def record(self, year: int, counts: ScoreCounts) -> tuple[RecordedSeason, Played]:
        """Play a season with its winter, and return what happened."""
        self._afternoons = []
        active = sorted(slug for slug, life in self.lives.items() if life.state == "active")
        begins = {news.slug: news.date for news in self.alternativas}
        letters = {slug: self.lives[slug].letters for slug in active}
        men = [
            RecordedMan(key, slug, self.lives[slug].card, begins.get(slug))
            for key, slug in enumerate(active)
        ]
        pars = self._rehearse(year, men, letters, counts)
        played = self.play(year)
        self._follow(men, letters)
        season = RecordedSeason(
            year,
            self._season_seed,
            men,
            {(each.plaza.slug, each.corrida.date): each for each in self._afternoons},
            pars,
            _ferias(self.roster, year),
            played.lead,
        )
        return season, played

    def _send_bulls(self, afternoon: SimulatedCorrida, seed: Seed) -> None:
        self._afternoons.append(afternoon)
        self._season_seed = seed
        super()._send_bulls(afternoon, seed)

    def _rehearse(
        self,
        year: int,
        men: Sequence[RecordedMan],
        letters: Mapping[str, str],
        counts: ScoreCounts,
    ) -> dict[int, Pars]:
        market = Market(
            {man.key: CurrentCard(man.key, man.key, letters[man.slug], man.card) for man in men}
        )
        for man in men:
            if man.begins is not None:
                market.begin(man.key, man.begins)
        rows = {(entry.feria, entry.plaza): key for key, entry in enumerate(self.roster.ferias, 1)}
        calendar = []
        for place, held in enumerate(dates(self.roster.ferias, year)):
            plaza = self.plazas[held.plaza]
            feria = rows[held.feria, held.plaza]
            bill = OpenCorrida(place, plaza.category, plaza.continent, feria)
            calendar.append(DatedBill(held.date, bill))
        digest = "".join(man.slug for man in men)
        return rehearse(market, calendar, counts, rehearsal_seed(year, digest))

    def _follow(self, men: Sequence[RecordedMan], letters: Mapping[str, str]) -> None:
        """Write the bookings, injuries and forms of the season into the men."""
        rows = {(entry.feria, entry.plaza): key for key, entry in enumerate(self.roster.ferias, 1)}
        forms = dict(letters)
        for man in men:
            man.values.append(form.value(forms[man.slug]))
        for afternoon in self._afternoons:
            corrida, plaza = afternoon.corrida, afternoon.plaza
            feria = rows[corrida.feria, corrida.plaza]
            engagement = Engagement(corrida.date, plaza.continent, feria)
            for each in afternoon.order:
                men[each.key].bookings.append(Booking(engagement, plaza.slug))
            heard: dict[int, str] = defaultdict(str)
            for result in afternoon.results:
                for place in result.injured:
                    man = men[afternoon.order[place].key]
                    man.rests.append(self.wound(man.slug, corrida.date, plaza))
                if result.finisher is not None:
                    key = afternoon.order[result.finisher].key
                    heard[key] += form.outcome(result.ending, result.trophy, result.crowd)
            for key, text in heard.items():
                man = men[key]
                forms[man.slug] = reduce(form.push, text, forms[man.slug])
                man.days.append(corrida.date)
                man.values.append(form.value(forms[man.slug]))

    def wound(self, slug: str, day: dt.date, plaza: Plaza) -> Rest:
        return wound(self._season_seed, slug, day, plaza.slug)


def wound(seed: Seed, slug: str, day: dt.date, plaza: str) -> Rest:
    examined = examine(seed.chance(f"parte/{day.isoformat()}/{slug}"))
    return Rest(day, examined.last_day(day), plaza)


def _ferias(roster: Roster, year: int) -> dict[str, list[list[PlannedCorrida]]]:
    """Return the ferias of every plaza with their days."""
    held = sorted(dates(roster.ferias, year), key=lambda each: (each.plaza, each.feria, each.date))
    found: dict[str, list[list[PlannedCorrida]]] = defaultdict(list)
    for (plaza, _), days in groupby(held, key=lambda each: (each.plaza, each.feria)):
        found[plaza].append(list(days))
    return dict(found)
