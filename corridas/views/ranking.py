"""What a reader may ask of the escalafón by its address, and the race as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.http import QueryDict
from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from corridas.queries.escalafon import CATEGORIES, Course, Person, Standing, places
from corridas.views import pictures

SORTS: Final = (
    "place",
    "name",
    "corridas",
    "ears",
    "tails",
    "vueltas",
    "indultos",
    "avisos",
    "rate",
)
UPWARDS: Final = {"place", "name"}
"""Columns whose natural order is from the least; all others begin with the most."""

MOST_FOLLOWED: Final = 5
SLIM_DAYS: Final = 5
SLIM_WIDTH: Final = 470
RACED: Final = 10


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The escalafón as asked for: `problems` says what could not be read and was left out."""

    categories: tuple[int, ...] = CATEGORIES
    until: date | None = None
    sort: str = "place"
    backwards: bool = False
    follow: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The same for the same wishes, for a cache."""
        parts = (self.categories, self.until, self.sort, self.backwards, self.follow, self.problems)
        return repr(parts)

    @property
    def all_plazas(self) -> bool:
        """Whether plazas of every category count."""
        return self.categories == CATEGORIES


def read(wishes: QueryDict) -> Asked:
    """Read the address; what makes no sense is left out and said."""
    problems: list[str] = []
    sort = wishes.get("sort", "")
    column = sort.removeprefix("-")
    if column not in SORTS:
        if sort:
            problems.append(
                _("The table can’t be sorted by “%(sort)s”: it has no such column.")
                % {"sort": sort[:30]}
            )
        sort = column = "place"
    return Asked(
        categories=_categories(wishes, problems),
        until=_until(wishes.get("until", ""), problems),
        sort=column,
        backwards=sort.startswith("-"),
        follow=_follow(wishes),
        problems=tuple(problems),
    )


def _categories(wishes: QueryDict, problems: list[str]) -> tuple[int, ...]:
    words = ",".join(wishes.getlist("category")).split(",")
    chosen = {int(word) for word in words if word in {"1", "2", "3"}}
    if any(word and word not in {"1", "2", "3"} for word in words):
        problems.append(_("A plaza must be in category 1, 2 or 3."))
    return tuple(sorted(chosen)) or CATEGORIES


def _until(text: str, problems: list[str]) -> date | None:
    try:
        day = parse_date(text) if text else None
    except ValueError:
        day = None
    if text and day is None:
        problems.append(
            _("“%(text)s” is not a valid date. Enter a date such as 2027-05-21.")
            % {"text": text[:30]}
        )
    return day


def _follow(wishes: QueryDict) -> tuple[str, ...]:
    words = ",".join(wishes.getlist("follow")).split(",")
    return tuple(dict.fromkeys(word for word in words if word))[:MOST_FOLLOWED]


def arranged(lines: Sequence[Standing], asked: Asked) -> list[Standing]:
    """Lines in the order asked for; the ranking parts those who are level."""
    if asked.sort == "place":
        return list(reversed(lines)) if asked.backwards else list(lines)
    most_first = (asked.sort in UPWARDS) == asked.backwards
    return sorted(lines, key=lambda line: getattr(line, asked.sort), reverse=most_first)


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A column's head: where its link leads and which way it is sorted now."""

    name: str
    label: str
    icon: str
    sort: str
    aria: str


def headings(asked: Asked) -> list[Heading]:
    """The sortable heads of the table."""
    labels = (
        ("place", _("Place"), ""),
        ("name", _("Matador"), ""),
        ("corridas", _("Corridas"), ""),
        ("ears", _("Ears"), "ear"),
        ("tails", _("Tails"), "tail"),
        ("vueltas", _("Vueltas"), "vuelta"),
        ("indultos", _("Indultos"), "indulto"),
        ("avisos", _("Avisos"), "aviso"),
        ("rate", _("Ears per bull"), ""),
    )
    return [_heading(asked, *label) for label in labels]


def _heading(asked: Asked, name: str, label: str, icon: str) -> Heading:
    active = asked.sort == name
    upwards = (name in UPWARDS) != asked.backwards
    return Heading(
        name=name,
        label=label,
        icon=icon,
        sort=f"-{name}" if active and not asked.backwards else name,
        aria=("ascending" if upwards else "descending") if active else "",
    )


@dataclass(frozen=True, kw_only=True)
class RaceView:
    """The race wide, narrow for phones, and as a table."""

    wide: pictures.Race
    slim: pictures.Race
    lines: tuple[pictures.Line, ...]
    days: tuple[tuple[str, str], ...]
    strangers: tuple[str, ...]


def race_view(
    course: Course,
    milestones: Sequence[tuple[date, str]],
    lines: Sequence[Standing],
    people: Mapping[int, Person],
    follow: Sequence[str],
) -> RaceView | None:
    """The first ten and whoever is followed, over the milestones; None before two of them."""
    if len(milestones) < 2:
        return None
    tables = places(course, [day for day, _name in milestones], dict(people))
    drawn = _drawn(lines, tables, follow)
    days = tuple((name, date_format(day, "j M")) for day, name in milestones)
    known = {line.slug for line in lines}
    return RaceView(
        wide=pictures.race(drawn, days),
        slim=pictures.race([_cut(line) for line in drawn], days[-SLIM_DAYS:], SLIM_WIDTH),
        lines=drawn,
        days=days,
        strangers=tuple(slug for slug in follow if slug not in known),
    )


def _drawn(
    lines: Sequence[Standing], tables: Sequence[Mapping[int, int]], follow: Sequence[str]
) -> tuple[pictures.Line, ...]:
    """Those who are raced, in their suits, with their place at every milestone."""
    shown = [line for line in lines if line.place <= RACED or line.slug in follow]
    worn = pictures.suits([line.pk for line in lines])
    return tuple(
        pictures.Line(
            name=line.name,
            slug=line.slug,
            suit=worn[line.pk],
            count=line.corridas,
            places=tuple(table.get(line.pk) for table in tables),
            followed=line.slug in follow,
        )
        for line in shown
    )


def _cut(line: pictures.Line) -> pictures.Line:
    return pictures.Line(
        name=line.name,
        slug=line.slug,
        suit=line.suit,
        count=line.count,
        places=line.places[-SLIM_DAYS:],
        followed=line.followed,
    )
