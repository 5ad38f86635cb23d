"""Sort orders of the lists: every column in both directions, with ties and empty cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from django.http import QueryDict
from django.utils import translation

from core.names.text import sort_key
from corridas.glossary import COUNTRIES
from corridas.lists import definitions, queries
from corridas.lists.listing import Listing, View, read_view
from corridas.models import Bull
from corridas.models.matadors import CHANCES, STYLES
from corridas.results import VERDICTS
from tests.factories import World

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["en", "es"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Activate a language, because words are sorted in the reader's language."""
    with translation.override(request.param):
        yield request.param


class Order(NamedTuple):
    """How to read a value from a row of a list, and the order of rows that are tied."""

    value: Callable[[Any, str], Any]
    base: Callable[[Any], Any]


def both_ways(view: View, key: str, shown: Callable[[], list[Any]]) -> tuple[list[Any], list[Any]]:
    """Return the rows sorted by a column in ascending and in descending order, as its heading
    says.
    """
    found = {}
    view.sort = key
    for view.backwards in (False, True):
        (said,) = {head.aria for head in view.headings() if head.aria}
        found[said] = shown()
    return found["ascending"], found["descending"]


def check(rising: Sequence[Any], falling: Sequence[Any], key: str, order: Order) -> tuple[int, int]:
    """Check both orders of a column. Return the number of tied rows and of rows without a value."""
    level = 0
    empty = []
    for shown, falls in ((rising, False), (falling, True)):
        values = [order.value(row, key) for row in shown]
        count = len([value for value in values if value is not None])
        assert None not in values[:count], (key, "empty cells come last")
        for row, following in pairwise(shown[:count]):
            value, after = order.value(row, key), order.value(following, key)
            if value == after:
                level += 1
                assert order.base(row) < order.base(following), key
            else:
                assert (value > after) is falls, (key, value, after)
        empty.append([order.base(row) for row in shown[count:]])
        assert empty[-1] == sorted(empty[-1]), key
    assert empty[0] == empty[1]
    return level, len(empty[0])


def assert_every_order(
    listing: Listing,
    shown: Callable[[View], list[Any]],
    order: Order,
    *,
    distinct: set[str],
    empty: set[str],
) -> None:
    """Check the order of every column, with ties except in `distinct` columns.

    Columns in `empty` are checked with rows that have no value.
    """
    view = read_view(listing, QueryDict("cols=" + ",".join(listing.by_key)), "leyendas")
    levels, gaps = set(), set()
    keys = {column.key for column in listing.columns if column.sortable}
    for key in keys:
        rising, falling = both_ways(view, key, lambda: shown(view))
        level, missing = check(rising, falling, key, order)
        levels |= {key} if level else set()
        gaps |= {key} if missing else set()
    assert keys - levels == distinct
    assert gaps == empty


# Functions that return the label of a value in the language of the reader.
WORDS: dict[str, Callable[[str], object]] = {
    "country": lambda value: COUNTRIES[value],
    "style": lambda value: STYLES[value],
    "fate": lambda value: Bull.State(value).label,
}


def attribute(row: Any, key: str) -> Any:
    value = getattr(row, key)
    if key in WORDS and value:
        value = str(WORDS[key](value))
    return (sort_key(value) if value else None) if isinstance(value, str) else value


@pytest.mark.usefixtures("language")
def test_matadors_can_be_sorted_by_every_column(varied: World) -> None:
    found = queries.matadors("leyendas", places=queries.places("leyendas"))
    assert_every_order(
        definitions.MATADORS,
        lambda view: view.arranged(found),
        Order(attribute, lambda row: sort_key(row.full_name)),
        distinct={"name", "place"},
        empty={"rating", "rate", "country", "style", "alternativa", "place", *CHANCES},
    )


@pytest.mark.usefixtures("language")
def test_herds_can_be_sorted_by_every_column(varied: World) -> None:
    found = queries.herds("leyendas")
    assert_every_order(
        definitions.HERDS,
        lambda view: view.arranged(found),
        Order(attribute, lambda row: sort_key(row.name)),
        distinct={"name"},
        empty={"encaste", "rate"},
    )


@pytest.mark.usefixtures("language")
def test_plazas_can_be_sorted_by_every_column(varied: World) -> None:
    found = queries.plazas("leyendas")
    assert_every_order(
        definitions.PLAZAS,
        lambda view: view.arranged(found),
        Order(attribute, lambda row: (row.category, sort_key(row.city))),
        distinct={"city"},
        empty={"seats", "rate", "last", "next"},
    )


# Lists that the database sorts. Among tied rows the latest comes first.


def latest_first(row: queries.BullRow | queries.ResultRow) -> tuple[int, int]:
    assert row.date
    return (-row.date.toordinal(), -row.pk)


def of_bull(row: queries.BullRow, key: str) -> Any:
    place = VERDICTS.index(row.verdict) if row.verdict else None
    if key == "verdict":
        return place
    if key == "ears":
        # Two ears count less than two ears and the tail.
        return place and max(place, VERDICTS.index("ovacion"))
    return (row.date, row.corrida, row.turn) if key == "date" else attribute(row, key)


@pytest.mark.databases
@pytest.mark.usefixtures("language")
def test_bulls_can_be_sorted_by_every_column(varied: World) -> None:
    found = queries.fights(())
    by_key = dict(
        zip(
            keys := list(found.values_list("pk", flat=True)), queries.fought_rows(keys), strict=True
        )
    )

    def shown(view: View) -> list[queries.BullRow]:
        ordered = queries.with_sort_keys(found, view.sort).order_by(*view.ordering())
        return [by_key[key] for key in ordered.values_list("pk", flat=True)]

    assert_every_order(
        definitions.BULLS,
        shown,
        Order(of_bull, latest_first),
        distinct={"name", "number", "date"},
        empty={"matador", "verdict", "ears"},
    )


@pytest.mark.databases
def test_results_can_be_sorted_by_every_column(varied: World) -> None:
    found = queries.results([season.pk for season in queries.seasons("leyendas")], ())
    by_key = {row.pk: row for row in queries.result_rows(found.values_list("pk", flat=True))}
    assert_every_order(
        definitions.RESULTS,
        lambda view: [by_key[row.pk] for row in found.order_by(*view.ordering())],
        Order(attribute, latest_first),
        distinct=set(),
        empty={"feria"},
    )
