"""Orders of the lists: every column in both directions, with level rows and empty cells."""

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
from corridas.models.matadors import STYLES
from corridas.results import VERDICTS
from tests.factories import World

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["en", "es"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Words are in the order of the reader's language."""
    with translation.override(request.param):
        yield request.param


class Order(NamedTuple):
    """How the rows of a list are read, and their order where they are level."""

    value: Callable[[Any, str], Any]
    base: Callable[[Any], Any]


def both_ways(view: View, key: str, shown: Callable[[], list[Any]]) -> tuple[list[Any], list[Any]]:
    """The rows sorted by a column, in the order that its heading calls ascending, and back."""
    found = {}
    view.sort = key
    for view.backwards in (False, True):
        (said,) = {head.aria for head in view.headings() if head.aria}
        found[said] = shown()
    return found["ascending"], found["descending"]


def check(rising: Sequence[Any], falling: Sequence[Any], key: str, order: Order) -> tuple[int, int]:
    """Return how many rows were level, and how many had no value."""
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
    """Every column is checked with level rows, except those that are `distinct`.

    Those called `empty` are checked with rows that have no value.
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


# The words for a value, in the language of the reader.
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
def test_every_order_of_matadors(varied: World) -> None:
    found = queries.matadors("leyendas", places=queries.places("leyendas"))
    assert_every_order(
        definitions.MATADORS,
        lambda view: view.arranged(found),
        Order(attribute, lambda row: sort_key(row.full_name)),
        distinct={"name", "place"},
        empty={"rating", "rate", "country", "style", "alternativa", "place"},
    )


@pytest.mark.usefixtures("language")
def test_every_order_of_herds(varied: World) -> None:
    found = queries.herds("leyendas")
    assert_every_order(
        definitions.HERDS,
        lambda view: view.arranged(found),
        Order(attribute, lambda row: sort_key(row.name)),
        distinct={"name"},
        empty={"encaste", "rate"},
    )


@pytest.mark.usefixtures("language")
def test_every_order_of_plazas(varied: World) -> None:
    found = queries.plazas("leyendas")
    assert_every_order(
        definitions.PLAZAS,
        lambda view: view.arranged(found),
        Order(attribute, lambda row: (row.category, sort_key(row.city))),
        distinct={"city"},
        empty={"seats", "rate", "last", "next"},
    )


# Lists that the database sorts: the latest first where rows are level -----------------------


def latest_first(row: queries.BullRow | queries.ResultRow) -> tuple[int, int]:
    assert row.date
    return (-row.date.toordinal(), -row.pk)


def of_bull(row: queries.BullRow, key: str) -> Any:
    place = VERDICTS.index(row.verdict) if row.verdict else None
    if key == "verdict":
        return place
    if key == "ears":
        # Two ears are fewer than two ears and the tail.
        return place and max(place, VERDICTS.index("ovacion"))
    return (row.date, row.corrida, row.turn) if key == "date" else attribute(row, key)


@pytest.mark.databases
@pytest.mark.usefixtures("language")
def test_every_order_of_bulls(varied: World) -> None:
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
def test_every_order_of_results(varied: World) -> None:
    found = queries.results([season.pk for season in queries.seasons("leyendas")], ())
    by_key = {row.pk: row for row in queries.result_rows(found.values_list("pk", flat=True))}
    assert_every_order(
        definitions.RESULTS,
        lambda view: [by_key[row.pk] for row in found.order_by(*view.ordering())],
        Order(attribute, latest_first),
        distinct=set(),
        empty={"feria"},
    )
