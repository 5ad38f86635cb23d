"""Filters of the lists: every choice, both ends of a range of dates, and the limits of a list."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape

import pytest
from django.core.cache import cache
from django.http import QueryDict
from django.test import Client
from pytest_django import Settings

from corridas.lists import definitions
from corridas.lists.listing import (
    MAX_PROBLEMS,
    MAX_SEARCH_LENGTH,
    Listing,
    View,
    read_view,
)
from corridas.models import Bull
from corridas.pages.lists import views
from tests.factories import World

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh(settings: Settings) -> Iterator[None]:
    settings.DOWNLOADS_A_MINUTE = 1000
    cache.clear()
    yield
    cache.clear()


def rows(client: Client, address: str, **query: str) -> list[dict[str, str]]:
    answer = client.get(address, {**query, "format": "csv"})
    assert answer.status_code == 200, answer.text
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig"))))


Row = dict[str, str]
Passes = Callable[[Row, str], bool]


def cell(key: str) -> Passes:
    return lambda row, value: row[key] == value


def billed(row: Row, value: str) -> bool:
    return value in {row[f"matador_{place}_slug"] for place in (1, 2, 3)}


TROPHIES = {"1": "oreja", "2": "dos", "3": "rabo"}
# For every filter of a list: a function that says if a row passes a choice, judged by its cells.
PASSES: Mapping[str, tuple[Listing, dict[str, str], Mapping[str, Passes]]] = {
    "/matadores/": (
        definitions.MATADORS,
        {},
        {
            "state": lambda row, value: (
                bool(row["hurt_until"]) if value == definitions.HURT else row["state"] == value
            ),
            "country": cell("country"),
            "style": cell("style"),
        },
    ),
    "/ganaderias/": (
        definitions.HERDS,
        {},
        {"country": cell("country"), "encaste": cell("encaste")},
    ),
    "/plazas/": (
        definitions.PLAZAS,
        {},
        {"category": cell("category"), "country": cell("country")},
    ),
    "/toros/": (
        definitions.BULLS,
        {"season": "2027"},
        {
            "herd": cell("herd_slug"),
            "matador": cell("matador_slug"),
            "plaza": lambda row, value: row["plaza"].lower() == value,
            "trophy": lambda row, value: row["verdict"] == TROPHIES[value],
            "fate": cell("fate"),
        },
    ),
    "/resultados/": (
        definitions.RESULTS,
        {},
        {
            "season": lambda row, value: row["date"].startswith(value),
            "plaza": cell("plaza_slug"),
            "category": cell("category"),
            "herd": cell("herd_slug"),
            "matador": billed,
            "with": lambda row, value: int(row[value]) > 0,
            "since": lambda row, value: row["date"] >= value,
            "until": lambda row, value: row["date"] <= value,
        },
    ),
}
# Filters that change what is counted, so rows of the whole list cannot be judged by their cells.
COUNTED = {("/matadores/", "season"), ("/matadores/", "category"), ("/toros/", "season")}
# Filters whose choices need different lookups, so that every choice is tested.
EACH = {"state", "with", "fate"}
# There were corridas on the second of these days.
DAYS = ("2027-03-09", "2027-03-10", "2027-03-11")


@pytest.mark.parametrize("address", PASSES)
def test_every_filter_leaves_out_exactly_the_rows_that_do_not_match(
    varied: World, client: Client, address: str
) -> None:
    its, given, passes = PASSES[address]
    everything = {"cols": ",".join(its.by_key), **given}
    whole = rows(client, address, **everything)
    narrow = set()
    for each in its.filters:
        if (address, each.key) in COUNTED:
            continue

        def passing(value: str, key: str = each.key) -> list[Row]:
            return [row for row in whole if passes[key](row, value)]

        choices = list(DAYS if each.is_date else (one.value for one in each.choices("leyendas")))
        if each.key == "fate":
            choices.remove(Bull.State.CAMPO)  # bulls that have not fought are another list
        elif not each.is_date and each.key not in EACH:
            choices = [next(one for one in choices if 0 < len(passing(one)) < len(whole))]
        for value in choices:
            shown = rows(client, address, **everything, **{each.key: value})
            assert shown == passing(value), (each.key, value)
            if 0 < len(shown) < len(whole):
                narrow.add(each.key)
    assert narrow == set(passes), "each filter shows something and leaves something out"


# Limits


@pytest.mark.parametrize(
    ("size", "pages"),
    [(6, [6, 1]), (7, [7]), (8, [7]), (3, [3, 3, 1])],
)
def test_a_page_of_a_list_is_full_before_the_next_page_begins(
    varied: World, client: Client, monkeypatch: pytest.MonkeyPatch, size: int, pages: list[int]
) -> None:
    """There are seven corridas. A page number that is too high shows the last page."""
    monkeypatch.setattr(views, "PAGE_SIZE", size)
    shown: list[int] = []
    for number in range(1, len(pages) + 1):
        page = client.get("/resultados/", {"page": number}).text
        shown += re.findall(r'<th scope="row" class="txt"><a href="/corridas/(\d+)/"', page)
        assert len(shown) == sum(pages[:number])
        assert ('rel="next"' in page) is (number < len(pages))
        assert ('rel="prev"' in page) is (number > 1)
    assert len(set(shown)) == 7
    beyond = client.get("/resultados/", {"page": len(pages) + 1}).text
    assert f"Page {len(pages)} of {len(pages)}" in beyond or len(pages) == 1


def test_sorting_a_list_leads_to_its_first_page_and_keeps_the_filters(
    varied: World, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file contains all rows, so its address has no page either."""
    monkeypatch.setattr(views, "PAGE_SIZE", 3)
    page = client.get("/resultados/", {"sort": "ears", "cols": "ears", "page": "2"}).text
    assert "Showing 4 to 6." in page
    head = page.partition("<thead>")[2].partition("</thead>")[0]
    links = [QueryDict(unescape(link)) for link in re.findall(r'href="\?([^"]*)"', head)]
    assert {frozenset(link.dict()) for link in links} == {frozenset({"sort", "cols"})}
    assert {link["cols"] for link in links} == {"ears"}
    assert "-ears" in {link["sort"] for link in links}
    assert "Showing 1 to 3." in client.get("/resultados/", links[0].dict()).text
    assert 'href="?sort=ears&amp;cols=ears&amp;format=csv"' in page
    around = {"prev": "1", "next": "3"}
    for rel, number in around.items():
        found = re.search(rf'rel="{rel}" href="\?([^"]*)"', page)
        assert found
        expected = {"sort": "ears", "cols": "ears", "page": number}
        assert QueryDict(unescape(found[1])).dict() == expected


@pytest.mark.parametrize(("most", "count", "said"), [(6, 6, True), (7, 7, False), (8, 7, False)])
def test_a_csv_file_of_a_list_is_cut_at_its_limit_and_the_page_says_so(
    varied: World,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    most: int,
    count: int,
    said: bool,
) -> None:
    monkeypatch.setattr(views, "MAX_CSV_ROWS", most)
    assert len(rows(client, "/resultados/")) == count
    assert (f"(the first {most} rows)" in client.get("/resultados/").text) is said


def view_of(**query: str) -> View:
    asked = QueryDict(mutable=True)
    asked.update(query)
    return read_view(definitions.MATADORS, asked, "leyendas")


def test_a_search_text_is_cut_at_its_limit(db: None) -> None:
    for length, problems in ((MAX_SEARCH_LENGTH, 0), (MAX_SEARCH_LENGTH + 1, 1)):
        view = view_of(q="a" * length)
        assert (len(view.search), len(view.problems)) == (MAX_SEARCH_LENGTH, problems)


def test_ignored_options_of_a_list_are_reported_up_to_a_limit_and_then_counted(db: None) -> None:
    few = view_of(**{f"x{number}": "1" for number in range(MAX_PROBLEMS)})
    assert len(few.problems) == MAX_PROBLEMS
    assert "more option of" not in few.problems[-1]
    more = view_of(**{f"x{number}": "1" for number in range(MAX_PROBLEMS + 1)})
    assert len(more.problems) == MAX_PROBLEMS + 1
    assert more.problems[-1] == "1 more option of this list was ignored."
