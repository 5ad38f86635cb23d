"""Queries for the ranking of matadors, the escalafón (Ruling I-17).

Without a date the stored counters are used. For an earlier date, results up to it are counted.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet, Sum

from corridas.calendar import feria_ends
from corridas.engine import Tally
from corridas.models import Corrida, Escalafon, Lidia, Matador, Puesto, Season
from corridas.results import verdict
from corridas.world.names import display_name
from corridas.world.ranking import COLUMNS, Counters, rank_key

CATEGORIES: Final = (1, 2, 3)

OF_LIDIA: Final = (
    "corrida__date",
    "corrida_id",
    "turn",
    "corrida__plaza__category",
    "finisher_id",
    "trophy",
    "vuelta",
    "ending",
    "avisos",
    "crowd",
)
OF_PASEILLO: Final = (
    "cartel__corrida__date",
    "cartel__corrida_id",
    "cartel__corrida__plaza__category",
    "matador_id",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing(Counters):
    """A matador in the ranking: his rank by Ruling I-17 and his counters."""

    place: int
    pk: int
    slug: str
    name: str
    full_name: str
    birthplace: str

    @property
    def rate(self) -> float:
        """Ears per bull, or 0 without a finished bull."""
        return self.ears / self.bulls if self.bulls else 0.0


class MatadorNames(NamedTuple):
    """The names of a matador. `name` is the one on posters: the apodo (nickname) if he has one."""

    slug: str
    name: str
    full_name: str
    birthplace: str


class Paseillo(NamedTuple):
    """An appearance of a matador in a corrida in which at least one bull came out."""

    day: date
    corrida: int
    category: int
    matador: int


class Finish(NamedTuple):
    """The result of a fight that is credited to the matador who finished the bull."""

    day: date
    corrida: int
    turn: int
    category: int
    matador: int
    trophy: int
    vuelta: bool
    ending: str
    avisos: int
    verdict: str


@dataclass(frozen=True)
class SeasonResults:
    """The posted results of a season, ordered by date."""

    paseillos: tuple[Paseillo, ...]
    finishes: tuple[Finish, ...]

    def up_to(self, day: date | None, categories: Collection[int] = CATEGORIES) -> SeasonResults:
        def wanted(event: Paseillo | Finish) -> bool:
            return event.category in categories and (day is None or event.day <= day)

        return SeasonResults(
            tuple(filter(wanted, self.paseillos)), tuple(filter(wanted, self.finishes))
        )

    @property
    def days(self) -> list[date]:
        return sorted({paseillo.day for paseillo in self.paseillos})


@dataclass
class Counts:
    counts: dict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))

    def appear(self, paseillo: Paseillo) -> None:
        self.counts[paseillo.matador]["corridas"] += 1

    def finish(self, bull: Finish) -> None:
        self.counts[bull.matador].add(bull)

    def add(self, course: SeasonResults) -> None:
        for paseillo in course.paseillos:
            self.appear(paseillo)
        for bull in course.finishes:
            self.finish(bull)


def course_of(season: Season) -> SeasonResults:
    return courses_of([season.pk])[season.pk]


def courses_of(seasons: Collection[int]) -> dict[int, SeasonResults]:
    """Return the posted results of seasons by key. Two queries, whatever their number."""
    lidias = Lidia.objects.posted().filter(corrida__season__in=seasons)
    ordered = lidias.order_by("corrida__date", "corrida_id", "turn")
    rows: dict[int, list[tuple[object, ...]]] = defaultdict(list)
    for season, *row in ordered.values_list("corrida__season_id", *OF_LIDIA):
        rows[season].append(tuple(row))
    announced = Puesto.objects.filter(
        cartel__corrida__season__in=seasons, cartel__corrida__state__in=Corrida.OVER
    ).values_list("cartel__corrida__season_id", *OF_PASEILLO)
    paseillos: dict[int, list[Paseillo]] = defaultdict(list)
    opened = {row[1] for season_rows in rows.values() for row in season_rows}
    for season, *row in announced:
        if row[1] in opened:
            paseillos[season].append(Paseillo(*row))
    return {
        season: SeasonResults(tuple(sorted(paseillos[season])), tuple(_finishes(rows[season])))
        for season in seasons
    }


def _finishes(rows: Iterable[tuple[Any, ...]]) -> Iterator[Finish]:
    for day, corrida, turn, category, finisher, trophy, vuelta, ending, avisos, crowd in rows:
        if finisher is None:
            continue
        yield Finish(
            day=day,
            corrida=corrida,
            turn=turn,
            category=category,
            matador=finisher,
            trophy=trophy or 0,
            vuelta=bool(vuelta),
            ending=ending,
            avisos=avisos or 0,
            verdict=verdict(trophy, crowd) or "silencio",
        )


def counted(season: Season, categories: Collection[int] = CATEGORIES) -> dict[int, Counter[str]]:
    rows: Any = (
        Escalafon.objects.filter(season=season, category__in=categories)
        .values("matador_id")
        .annotate(**{f"all_{name}": Sum(name) for name in COLUMNS})
    )
    return {
        row["matador_id"]: Counter({name: row[f"all_{name}"] for name in COLUMNS}) for row in rows
    }


def by_season(
    seasons: QuerySet[Season], until: date | None = None
) -> dict[int, dict[int, Counter[str]]]:
    """Return the counters of each matador in each season, up to and including a day.

    Stored counters are used without a day and for seasons before it. In the season of that day,
    results are counted. At most three queries, whatever the number of seasons.
    """
    whole = seasons if until is None else seasons.filter(year__lt=until.year)
    rows: Any = (
        Escalafon.objects.filter(season__in=whole.order_by().values("pk"))
        .values("season__year", "matador_id")
        .annotate(**{f"all_{name}": Sum(name) for name in COLUMNS})
    )
    counters: dict[int, dict[int, Counter[str]]] = defaultdict(dict)
    for row in rows:
        counts = Counter({name: row[f"all_{name}"] for name in COLUMNS})
        counters[row["season__year"]][row["matador_id"]] = counts
    last = seasons.filter(year=until.year).first() if until else None
    if until and last:
        tally = Counts()
        tally.add(course_of(last).up_to(until))
        counters[last.year] = dict(tally.counts)
    return counters


def people_by_id(numbers: Iterable[int]) -> dict[int, MatadorNames]:
    rows = Matador.objects.filter(pk__in=set(numbers))
    return {
        pk: MatadorNames(slug, display_name(name, apodo, distinction), name, birthplace)
        for pk, slug, apodo, name, birthplace, distinction in rows.values_list(
            "pk", "slug", "apodo", "name", "birthplace", "distinction"
        )
    }


def ranked(counts: Mapping[int, Counter[str]], names: dict[int, MatadorNames]) -> list[Standing]:
    """Return the matadors in the order of Ruling I-17. Those without a corrida are left out."""
    present = [pk for pk, row in counts.items() if row["corridas"]]
    present.sort(key=lambda pk: rank_key(counts[pk], names[pk].full_name, names[pk].slug))
    return [
        _standing(place, pk, names[pk], counts[pk]) for place, pk in enumerate(present, start=1)
    ]


def _standing(place: int, pk: int, person: MatadorNames, row: Counter[str]) -> Standing:
    counts: Any = {name: row[name] for name in COLUMNS}
    return Standing(place=place, pk=pk, **person._asdict(), **counts)


def standings(season: Season, categories: Collection[int] = CATEGORIES) -> list[Standing]:
    counts = counted(season, categories)
    return ranked(counts, people_by_id(counts))


def form(season_course: SeasonResults) -> dict[int, list[str]]:
    """Return the form of each matador: the results of his last ten bulls, the newest last."""
    verdicts: dict[int, list[str]] = defaultdict(list)
    for bull in season_course.finishes:
        verdicts[bull.matador].append(bull.verdict)
    return {pk: results[-10:] for pk, results in verdicts.items()}


def places(
    season_course: SeasonResults, days: Sequence[date], names: dict[int, MatadorNames]
) -> list[dict[int, int]]:
    """Return each matador's rank at the end of each of these days, in one pass over the results."""
    tally, places_by_day = Counts(), []
    paseillos, bulls = iter(season_course.paseillos), iter(season_course.finishes)
    waiting_paseillo, waiting_bull = next(paseillos, None), next(bulls, None)
    for day in days:
        while waiting_paseillo and waiting_paseillo.day <= day:
            tally.appear(waiting_paseillo)
            waiting_paseillo = next(paseillos, None)
        while waiting_bull and waiting_bull.day <= day:
            tally.finish(waiting_bull)
            waiting_bull = next(bulls, None)
        places_by_day.append({line.pk: line.place for line in ranked(tally.counts, names)})
    return places_by_day


RACE_DAYS: Final = 12


class Ranking(NamedTuple):
    """A ranking of a season.

    `course` contains all results, `part` those of the requested plazas and days. `lines` are the
    ranked matadors, and `marks` the dates for the chart of ranks over time.
    """

    course: SeasonResults
    part: SeasonResults
    lines: list[Standing]
    people: dict[int, MatadorNames]
    marks: list[tuple[dt.date, str]]

    def before(self) -> dict[int, int] | None:
        """Return ranks at the date before the last in `marks`, or None with fewer than two
        dates.
        """
        if len(self.marks) < 2:
            return None
        (places_before,) = places(self.part, [self.marks[-2][0]], self.people)
        return places_before


def ranking_of(
    season: Season, categories: Collection[int] = CATEGORIES, until: dt.date | None = None
) -> Ranking:
    """Return the ranking of a season up to a day, in plazas of these categories.

    The number of queries is fixed.
    """
    course = course_of(season)
    part = course.up_to(until, categories)
    lines, people = ranking_lines(season, categories, until, part)
    return Ranking(course, part, lines, people, milestones(part.days, feria_ends(season)))


def ranking_lines(
    season: Season, categories: Collection[int], until: dt.date | None, part: SeasonResults
) -> tuple[list[Standing], dict[int, MatadorNames]]:
    """Return the ranked matadors, and the names of all by key.

    Stored counters are used without a date. Otherwise results up to the date are counted.
    """
    counts: Mapping[int, Counter[str]]
    if until is None:
        counts = counted(season, categories)
    else:
        tally = Counts()
        tally.add(part)
        counts = tally.counts
    people = people_by_id({*counts, *(paseillo.matador for paseillo in part.paseillos)})
    return ranked(counts, people), people


def moved(
    ordered: Iterable[Standing], before: Mapping[int, int] | None
) -> list[tuple[Standing, int | None]]:
    """Return each line of a ranking with the number of ranks that its matador has gained.

    None for a matador without an earlier rank.
    """
    if before is None:
        return [(line, None) for line in ordered]
    return [(line, before[line.pk] - line.place if line.pk in before else None) for line in ordered]


def milestones(
    days: Sequence[dt.date], ferias: Sequence[tuple[dt.date, str, int]]
) -> list[tuple[dt.date, str]]:
    """Return up to twelve dates for the chart of ranks over time.

    These are the last days of important ferias and the last day with a corrida. `ferias` are (last
    day, name, number of corridas). If there are fewer than two such ferias, dates of corridas are
    used.
    """
    if not days:
        return []
    over = sorted((feria for feria in ferias if feria[0] < days[-1]), key=_chief)
    chosen: list[tuple[dt.date, str]] = []
    for end, name, _count in over:
        if len(chosen) < RACE_DAYS - 1 and all(abs((end - day).days) > 5 for day, _n in chosen):
            chosen.append((end, short(name)))
    if len(chosen) < 2:
        stride = max(1, len(days) // RACE_DAYS)
        chosen = [(day, "") for day in days[::stride] if day != days[-1]][: RACE_DAYS - 1]
    chosen = [feria for feria in chosen if abs((days[-1] - feria[0]).days) > 3 or not feria[1]]
    return [*sorted(chosen), (days[-1], "")]


def _chief(feria: tuple[dt.date, str, int]) -> tuple[bool, int]:
    """Sort key: ferias come before series of single corridas, and long ferias before short ones."""
    return (feria[1].startswith("Temporada"), -feria[2])


def short(name: str) -> str:
    for opening in ("Feria de la ", "Feria de los ", "Feria de las ", "Feria del ", "Feria de "):
        if name.startswith(opening):
            return name.removeprefix(opening)
    return name
