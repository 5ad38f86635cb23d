"""The escalafón over the dates of its season: lines as of a day, places gained, milestones."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from corridas.models import Season
from corridas.queries import escalafon
from corridas.queries.calendar import feria_ends
from corridas.queries.escalafon import CATEGORIES, Course, Person, Standing

RACE_DAYS: Final = 12


class Told(NamedTuple):
    """An escalafón as asked for: the season, the part asked for, its lines, who and when."""

    course: Course
    part: Course
    lines: list[Standing]
    people: dict[int, Person]
    marks: list[tuple[dt.date, str]]

    def before(self) -> dict[int, int] | None:
        """Places at the milestone before the last; None before two of them."""
        if len(self.marks) < 2:
            return None
        (found,) = escalafon.places(self.part, [self.marks[-2][0]], self.people)
        return found


def told(
    season: Season, categories: Collection[int] = CATEGORIES, until: dt.date | None = None
) -> Told:
    """Lines in the order of the ranking up to a day, in plazas of these categories.

    A fixed number of queries, whatever the number of seasons.
    """
    course = escalafon.course(season)
    part = course.until(until, categories)
    found, people = lines(season, categories, until, part)
    return Told(course, part, found, people, milestones(part.days, feria_ends(season)))


def lines(
    season: Season, categories: Collection[int], until: dt.date | None, part: Course
) -> tuple[list[Standing], dict[int, Person]]:
    """Stored counters where no date is asked for, the lidias up to the date otherwise."""
    counts: dict[int, Counter[str]]
    if until is None:
        counts = escalafon.counted(season, categories)
    else:
        tally = escalafon.Tally()
        tally.add(part)
        counts = tally.counts
    people = escalafon.people({*counts, *(one.matador for one in part.paseillos)})
    return escalafon.ranked(counts, people), people


def moved(
    ordered: Iterable[Standing], before: Mapping[int, int] | None
) -> list[tuple[Standing, int | None]]:
    """Each line with the places gained since; None if new."""
    if before is None:
        return [(line, None) for line in ordered]
    return [(line, before[line.pk] - line.place if line.pk in before else None) for line in ordered]


def milestones(
    days: Sequence[dt.date], ferias: Sequence[tuple[dt.date, str, int]]
) -> list[tuple[dt.date, str]]:
    """Up to twelve dates for the race: ends of the chief ferias, and the last afternoon.

    `ferias` are (end, name, corridas). Without two of them the afternoons themselves serve.
    """
    if not days:
        return []
    over = sorted((one for one in ferias if one[0] < days[-1]), key=_chief)
    chosen: list[tuple[dt.date, str]] = []
    for end, name, _count in over:
        if len(chosen) < RACE_DAYS - 1 and all(abs((end - day).days) > 5 for day, _n in chosen):
            chosen.append((end, short(name)))
    if len(chosen) < 2:
        stride = max(1, len(days) // RACE_DAYS)
        chosen = [(day, "") for day in days[::stride] if day != days[-1]][: RACE_DAYS - 1]
    chosen = [one for one in chosen if abs((days[-1] - one[0]).days) > 3 or not one[1]]
    return [*sorted(chosen), (days[-1], "")]


def _chief(feria: tuple[dt.date, str, int]) -> tuple[bool, int]:
    """Ferias before runs of single dates, the longest first."""
    return (feria[1].startswith("Temporada"), -feria[2])


def short(name: str) -> str:
    """A feria's name without the words they all begin with."""
    for opening in ("Feria de la ", "Feria de los ", "Feria de las ", "Feria del ", "Feria de "):
        if name.startswith(opening):
            return name.removeprefix(opening)
    return name
