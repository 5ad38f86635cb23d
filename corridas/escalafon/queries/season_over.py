"""Data for the page about the end of a season: champion, best fight, earlier seasons."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any, Final, NamedTuple

from django.db.models import Case, F, OuterRef, Subquery, Sum, Value, When

from corridas.calendar import feria_ends
from corridas.engine import Deck, Ending, Trophy
from corridas.escalafon.queries import awards, ranking
from corridas.escalafon.queries.chances import Expectation, expectations
from corridas.escalafon.queries.ranking import MatadorNames, Ranking, SeasonResults, Standing
from corridas.models import Escalafon, Lidia, Puesto, Season
from corridas.simulation.rows import engine_deck
from corridas.stage.decision import drawn_number, number_places
from corridas.world.ranking import COLUMNS, rank_key

# Number of seasons that are compared, including the season that is over.
COMPARED: Final = 6
# Number of leaders whose ears are compared with the expected ones.
LEADERS: Final = 3
# Number of ears with which a matador's corrida counts as a triumph.
TRIUMPHANT: Final = 2


class LeadChanges(NamedTuple):
    """Changes of the first rank during a season.

    `longest` is the key of the matador who was first on most days, `days` is their number, and
    `since` is the day from which the champion stayed first.
    """

    changes: int
    longest: int
    days: int
    since: dt.date


@dataclass(frozen=True, kw_only=True)
class SeasonFigures:
    """Figures of a season that are compared with those of other seasons, or their mean."""

    year: int
    rate: float
    triumphs: float
    indultos: float
    injuries: float
    changes: float


class BestFight(NamedTuple):
    """The best fight of a season, with the two cards that decided it.

    `indulto` contains the bounds of the INDULTO range (bull spared) on the matador's card. `places`
    are the places of the two cards in the deck, empty if the cards of a corrida at a real table
    were not recorded. `drawn` is the number they made.
    """

    lidia: Any
    spared: bool
    indulto: tuple[str, str]
    places: tuple[int, ...]
    drawn: int
    deck: Deck


@dataclass(frozen=True, kw_only=True)
class SeasonOver:
    """Data of a finished season.

    `ferias` are the triumph awards of its ferias by date, and `given` the awards of the season.
    `expected` are the ears that the leaders could expect, by key of the matador.
    """

    ranking: Ranking
    lead: LeadChanges | None
    ferias: list[awards.GivenAward]
    given: list[awards.GivenAward]
    moment: BestFight | None
    seasons: list[SeasonFigures]
    mean: SeasonFigures | None
    expected: dict[int, Expectation]

    @property
    def lines(self) -> list[Standing]:
        return self.ranking.lines


def season_over(season: Season) -> SeasonOver:
    """Return the data of a finished season. Ten queries, whatever the number of seasons."""
    earlier = Season.objects.filter(circuit=season.circuit_id, year__lte=season.year)
    years = dict(earlier.order_by("-year").values_list("pk", "year")[:COMPARED])
    courses = ranking.courses_of(list(years))
    counters = _counters(list(years))
    counts = counters[season.pk]
    people = ranking.people_by_id(
        {*counts, *(who.matador for course in courses.values() for who in course.paseillos)}
    )
    leads = {pk: lead_of(course, people) for pk, course in courses.items()}
    course = courses[season.pk]
    seasons = _compared(years, counters, courses, leads)
    marks = ranking.milestones(course.days, feria_ends(season))
    lines = ranking.ranked(counts, people)
    return SeasonOver(
        ranking=Ranking(course, course, lines, people, marks),
        lead=leads[season.pk],
        ferias=awards.feria_triumphs(season),
        given=awards.of_season(season),
        moment=moment_of(season),
        seasons=seasons,
        mean=_mean(seasons[1:]),
        expected=expectations(season, [line.pk for line in lines[:LEADERS]]),
    )


def lead_of(course: SeasonResults, people: Mapping[int, MatadorNames]) -> LeadChanges | None:
    """Return how the first rank changed in a season, or None before the first corrida."""
    leaders = _leaders(course, people)
    if not leaders:
        return None
    held: Counter[int] = Counter({leaders[-1][1]: 1})
    since = leaders[0][0]
    changes = 0
    for (day, leader), (next_day, following) in pairwise(leaders):
        held[leader] += (next_day - day).days
        if leader != following:
            changes, since = changes + 1, next_day
    longest, days = held.most_common(1)[0]
    return LeadChanges(changes, longest, days, since)


def _leaders(
    course: SeasonResults, people: Mapping[int, MatadorNames]
) -> list[tuple[dt.date, int]]:
    """Return the matador who was first at the end of each day with a corrida (Ruling I-17)."""
    tally = ranking.Counts()
    paseillos, finishes = defaultdict(list), defaultdict(list)
    for paseillo in course.paseillos:
        paseillos[paseillo.day].append(paseillo)
    for finish in course.finishes:
        finishes[finish.day].append(finish)
    by_day = {
        day: SeasonResults(tuple(paseillos[day]), tuple(finishes[day])) for day in sorted(paseillos)
    }
    leaders = []
    for day, part in by_day.items():
        tally.add(part)
        most = max(row["corridas"] for row in tally.counts.values())
        first = (pk for pk, row in tally.counts.items() if row["corridas"] == most)

        def rank(pk: int) -> tuple[int | str, ...]:
            return rank_key(tally.counts[pk], people[pk].full_name, people[pk].slug)

        leaders.append((day, min(first, key=rank)))
    return leaders


_SUMMED: Final = (*COLUMNS, "injuries")


def _counters(seasons: Sequence[int]) -> dict[int, dict[int, Counter[str]]]:
    """Return the counters of each matador, by season and key. One query."""
    rows: Any = (
        Escalafon.objects.filter(season__in=seasons)
        .values_list("season_id", "matador_id")
        .annotate(**{f"all_{name}": Sum(name) for name in _SUMMED})
    )
    counters: dict[int, dict[int, Counter[str]]] = {season: {} for season in seasons}
    for season, matador, *counts in rows:
        counters[season][matador] = Counter(dict(zip(_SUMMED, counts, strict=True)))
    return counters


def _compared(
    years: Mapping[int, int],
    counters: Mapping[int, Mapping[int, Counter[str]]],
    courses: Mapping[int, SeasonResults],
    leads: Mapping[int, LeadChanges | None],
) -> list[SeasonFigures]:
    compared = []
    for pk, year in years.items():
        counts, lead = sum(counters[pk].values(), Counter[str]()), leads[pk]
        compared.append(
            SeasonFigures(
                year=year,
                rate=counts["ears"] / counts["bulls"] if counts["bulls"] else 0.0,
                triumphs=_triumphs(courses[pk]),
                indultos=counts["indultos"],
                injuries=counts["injuries"],
                changes=lead.changes if lead else 0,
            )
        )
    return compared


def _triumphs(course: SeasonResults) -> int:
    ears: Counter[tuple[int, int]] = Counter()
    for finish in course.finishes:
        ears[finish.corrida, finish.matador] += Trophy(finish.trophy).ears
    return sum(count >= TRIUMPHANT for count in ears.values())


def _mean(seasons: Sequence[SeasonFigures]) -> SeasonFigures | None:
    if not seasons:
        return None
    names = ("rate", "triumphs", "indultos", "injuries", "changes")
    return SeasonFigures(
        year=0, **{name: fmean(getattr(line, name) for line in seasons) for name in names}
    )


def moment_of(season: Season) -> BestFight | None:
    """Return the best fight of a season.

    A spared bull comes before a tail, then the trophy and the score decide. Returns None if no
    trophy was won.
    """
    card = Puesto.objects.filter(cartel=OuterRef("corrida"), matador=OuterRef("finisher"))
    spared_first = Case(When(ending=Lidia.Ending.SPARED, then=Value(0)), default=Value(1))
    lidia: Any = (
        Lidia.objects.posted()
        .filter(corrida__season=season, finisher__isnull=False, trophy__gt=0)
        .annotate(indulto=Subquery(card.values("card__indulto")[:1]))
        .select_related("bull__ganaderia", "finisher", "corrida__plaza", "corrida__cartel__deck")
        .order_by(
            spared_first,
            "-trophy",
            F("score").desc(nulls_last=True),
            "corrida__date",
            "corrida",
            "turn",
        )
        .first()
    )
    if lidia is None:
        return None
    spared = lidia.ending == Ending.SPARED.value
    places = number_places(bytes(lidia.draws), spared=spared)
    deck = engine_deck(lidia.corrida.cartel.deck.digest)
    drawn = drawn_number(*(deck.numbers[place] for place in places)) if places else 0
    low, _dash, high = (lidia.indulto or "").partition("-")
    return BestFight(lidia, spared, (low, high or low), places, drawn, deck)
