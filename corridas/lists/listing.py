"""Definition of a list by its columns and filters, and the view of the list that a query
string requests.

An option that does not exist is ignored, and the page shows an error message about it. Every view
has its own URL.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db.models import F
from django.db.models.expressions import OrderBy
from django.http import QueryDict
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.names.text import sort_key, words_of
from core.spreadsheets.sheets import quoted
from search.text import matches, read_question

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Label = str | _StrPromise

PAGE_SIZE: Final = 50
MAX_SEARCH_LENGTH: Final = 60
MAX_PROBLEMS: Final = 5
MAX_CSV_ROWS: Final = 5000


class Detail(NamedTuple):
    """Additional content of a table cell: a second line, a mark or the target of its link.

    In a CSV file it is a column with the name `key`.
    """

    key: str
    read: Callable[[Any], object]


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of a list. `key` is the attribute of the rows that it shows.

    `details` are further contents of its cells. `kind` decides how a cell is drawn: `number`,
    `text`, `link`, `date`, `rate`, `chance` (from 0 to 1, drawn as per cent) and other kinds of the
    template. `order` are the database columns
    by which a long list is sorted. `ascending` is the direction in which sorting begins. `names`
    are display texts of its values, by which lists in memory are sorted. A column that is not
    `usual` is only shown on request.
    """

    key: str
    label: Label
    kind: str = "number"
    order: tuple[str, ...] = ()
    ascending: bool = False
    usual: bool = True
    sortable: bool = True
    icon: str = ""
    gloss: str = ""
    details: tuple[Detail, ...] = ()
    names: Mapping[str, Label] | None = None
    # A shorter label, shown where a long one would widen a table.
    short: Label = ""

    @property
    def is_text(self) -> bool:
        return self.kind not in {"number", "rate", "kilos", "chance", "expected"}

    def read_csv(self, row: object) -> object:
        """Return the value of a row for a CSV file. Chances are not rounded there."""
        value: object = getattr(row, self.key)
        return repr(value) if self.shows_chances and value is not None else value

    @property
    def shows_chances(self) -> bool:
        return self.kind in {"chance", "expected"}


class Choice(NamedTuple):
    """A choice of a filter. `value` is its value in the URL.

    `pk` is the primary key of the row that it stands for, if any.
    """

    value: str
    label: Label
    pk: int | None = None


@dataclass(frozen=True, kw_only=True)
class Filter:
    """A filter of a list: a selection, or a date if `is_date` is set.

    `any_label` is the text of the choice that does not filter. If `chief` is false, the page hides
    the filter until it is used.
    """

    key: str
    label: Label
    choices: Callable[[str], Iterable[Choice]] = lambda _circuit: ()
    any_label: Label = ""
    is_date: bool = False
    chief: bool = False


@dataclass(frozen=True, kw_only=True)
class Listing:
    """The definition of a list: its columns, filters and initial sort order.

    The first column names the row and is always shown. `search` is the label of the search field,
    or empty for a list without one. `tie_break` are the database columns that order rows with equal
    values.
    """

    name: str
    columns: tuple[Column, ...]
    filters: tuple[Filter, ...]
    sort: str
    search: Label = ""
    tie_break: tuple[str, ...] = ()

    @cached_property
    def by_key(self) -> Mapping[str, Column]:
        return {column.key: column for column in self.columns}


class ColumnHeading(NamedTuple):
    column: Column
    sort: str
    aria: str


class Field(NamedTuple):
    """A filter on the page, with its choices and its current value."""

    filter: Filter
    choices: Sequence[Choice]
    value: str


@dataclass
class View:
    """A list with the columns, filters and sort order that a visitor has requested.

    `problems` are error messages about invalid options, which are ignored.
    """

    listing: Listing
    columns: list[Column]
    sort: str
    backwards: bool
    search: str
    values: dict[str, str]
    fields: list[Field]
    problems: list[str] = field(default_factory=list)

    @property
    def sorted_by(self) -> Column:
        return self.listing.by_key[self.sort]

    @property
    def descending(self) -> bool:
        return self.sorted_by.ascending == self.backwards

    @property
    def is_usual(self) -> bool:
        """Return whether the list shows exactly its default columns."""
        return [c.key for c in self.columns] == [c.key for c in self.listing.columns if c.usual]

    @property
    def narrowed(self) -> bool:
        return bool(self.search or self.values)

    @property
    def unfolded(self) -> bool:
        """Return whether the page shows all filters of the list.

        This is so if an additional filter is used, or if other columns than the default ones are
        shown.
        """
        used = any(field.value and not field.filter.chief for field in self.fields)
        return used or not self.is_usual

    def get(self, key: str) -> str:
        return self.values.get(key, "")

    def pk(self, key: str) -> int | None:
        """Return the primary key of the row that the choice of a filter stands for, or None."""
        value = self.get(key)
        choices = next(field.choices for field in self.fields if field.filter.key == key)
        return next((choice.pk for choice in choices if value and choice.value == value), None)

    def day(self, key: str) -> dt.date | None:
        return parse_date(self.values[key]) if key in self.values else None

    def csv_columns(self) -> dict[str, Callable[[Any], object]]:
        """Return the columns of the CSV file, and a function to read each from a row.

        The details of cells come after all columns of the table. Programs that read columns by
        position then still work if details are added.
        """
        columns: dict[str, Callable[[Any], object]] = {
            column.key: column.read_csv for column in self.columns
        }
        for column in self.columns:
            for detail in column.details:
                columns.setdefault(detail.key, detail.read)
        return columns

    def headings(self) -> list[ColumnHeading]:
        return [self._heading(column) for column in self.columns]

    def _heading(self, column: Column) -> ColumnHeading:
        active = column.key == self.sort
        aria = ("descending" if self.descending else "ascending") if active else ""
        sort = f"-{column.key}" if active and not self.backwards else column.key
        return ColumnHeading(column, sort if column.sortable else "", aria)

    def ordering(self) -> list[str | OrderBy]:
        """Return the expressions by which the database sorts the list.

        NULL values come last explicitly, because databases differ in where they put them.
        """
        return [
            *(
                OrderBy(F(name), descending=self.descending, nulls_last=True)
                for name in self.sorted_by.order
            ),
            *self.listing.tie_break,
        ]

    def arranged(self, rows: Iterable[object]) -> list[object]:
        """Sort the rows of a list in memory.

        Rows with equal values keep their order, and empty values come last.
        """
        full: list[tuple[Any, Any]] = []
        empty = []
        names = self.sorted_by.names or {}
        for row in rows:
            value = getattr(row, self.sort)
            if value is None or value == "":
                empty.append(row)
            else:
                if isinstance(value, str):
                    value = sort_key(str(names.get(value, value)))
                full.append((value, row))
        full.sort(key=lambda pair: pair[0], reverse=self.descending)
        return [row for _key, row in full] + empty

    def matches(self, *texts: str) -> bool:
        """Return whether each search term is the beginning of a word in these texts.

        Accents are ignored.
        """
        return matches(words_of(*texts), self._question)

    @cached_property
    def _question(self) -> Sequence[str]:
        return read_question(self.search).words


OPTIONS: Final = frozenset({"q", "sort", "cols", "page", "format"})


def read_view(listing: Listing, query: QueryDict, circuit: str) -> View:
    problems: list[str] = []
    known = {*OPTIONS, *(each.key for each in listing.filters)}
    for name in query:
        if name not in known:
            text = _("There is no filter called “%(name)s”, so the list is shown without it.")
            problems.append(text % {"name": quoted(name)})
    sort, backwards = _read_sort(listing, query.get("sort", ""), problems)
    fields = [_read_filter(each, query, circuit, problems) for each in listing.filters]
    view = View(
        listing=listing,
        columns=_read_columns(listing, query.getlist("cols"), problems),
        sort=sort,
        backwards=backwards,
        search=_read_search(listing, query.get("q", ""), problems),
        values={each.filter.key: each.value for each in fields if each.value},
        fields=fields,
    )
    more = len(problems) - MAX_PROBLEMS
    if more > 0:
        text = ngettext(
            "%(count)d more option of this list was ignored.",
            "%(count)d more options of this list were ignored.",
            more,
        )
        problems[MAX_PROBLEMS:] = [text % {"count": more}]
    view.problems = problems
    return view


def _read_sort(listing: Listing, asked: str, problems: list[str]) -> tuple[str, bool]:
    sort = asked or listing.sort
    key = sort.removeprefix("-")
    if key not in listing.by_key or not listing.by_key[key].sortable:
        text = _("The table can’t be sorted by “%(sort)s” because it has no column with that name.")
        problems.append(text % {"sort": quoted(asked)})
        sort = listing.sort
        key = sort.removeprefix("-")
    return key, sort.startswith("-")


def _read_columns(listing: Listing, asked: Sequence[str], problems: list[str]) -> list[Column]:
    """Return the requested columns in the order of the list, always with the first one."""
    names = [name for part in asked for name in part.split(",") if name]
    for name in dict.fromkeys(names):
        if name not in listing.by_key:
            text = _("There is no column called “%(name)s”, so the list is shown without it.")
            problems.append(text % {"name": quoted(name)})
    wanted = {name for name in names if name in listing.by_key}
    if not wanted:
        return [column for column in listing.columns if column.usual]
    first = listing.columns[0].key
    return [column for column in listing.columns if column.key in {first, *wanted}]


def _read_search(listing: Listing, asked: str, problems: list[str]) -> str:
    text = " ".join(asked.split())
    if text and not listing.search:
        sentence = _("There is no filter called “%(name)s”, so the list is shown without it.")
        problems.append(sentence % {"name": "q"})
        return ""
    if len(text) > MAX_SEARCH_LENGTH:
        sentence = _(
            "Search texts can have at most %(count)d characters. The rest has been ignored."
        )
        problems.append(sentence % {"count": MAX_SEARCH_LENGTH})
    return text[:MAX_SEARCH_LENGTH].strip()


def _read_filter(each: Filter, query: QueryDict, circuit: str, problems: list[str]) -> Field:
    value = query.get(each.key, "").strip()
    choices = list(each.choices(circuit))
    if not value:
        return Field(each, choices, "")
    if each.is_date:
        if _is_date(value):
            return Field(each, choices, value)
        text = _("“%(text)s” is not a valid date. Enter a date such as 2027-05-21.")
        problems.append(text % {"text": quoted(value)})
    elif value in {choice.value for choice in choices}:
        return Field(each, choices, value)
    else:
        text = _(
            "“%(value)s” is not an option of the filter “%(filter)s”, so the list is shown "
            "without this filter."
        )
        problems.append(text % {"value": quoted(value), "filter": each.label})
    return Field(each, choices, "")


def _is_date(text: str) -> bool:
    try:
        return parse_date(text) is not None
    except ValueError:
        return False
