"""CSV files of the lists: everything that the table shows, with a constant number of queries."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from corridas.lists import definitions
from corridas.lists.listing import Listing
from corridas.models import Bull, Corrida, Injury, Matador, Puesto
from corridas.models.matadors import CHANCES
from corridas.templatetags.lists import list_cell
from tests.factories import World, name_alike

pytestmark = pytest.mark.django_db
LISTS = {
    "/matadores/": definitions.MATADORS,
    "/ganaderias/": definitions.HERDS,
    "/plazas/": definitions.PLAZAS,
    "/toros/": definitions.BULLS,
    "/resultados/": definitions.RESULTS,
}


@pytest.fixture(autouse=True)
def _fresh(settings: Settings) -> Iterator[None]:
    settings.DOWNLOADS_A_MINUTE = 1000
    cache.clear()
    yield
    cache.clear()


def download(client: Client, address: str, **query: str) -> list[list[str]]:
    """Return the header and the rows of a list's CSV file."""
    answer = client.get(address, {**query, "format": "csv"})
    assert answer.status_code == 200
    return list(csv.reader(io.StringIO(answer.getvalue().decode("utf-8-sig"), newline="")))


def rows(client: Client, address: str, **query: str) -> list[dict[str, str]]:
    head, *lines = download(client, address, **query)
    return [dict(zip(head, line, strict=True)) for line in lines]


def headings(page: str) -> list[str]:
    """Return the texts of the column headings of a page, as they are read out."""
    head = page.partition("<thead>")[2].partition("</thead>")[0]
    head = re.sub(r"<span aria-hidden.*?</span>", "", head)
    cells = re.findall(r"<th\b.*?</th>", head, re.DOTALL)
    return [unescape(" ".join(re.sub(r"<[^>]*>", " ", cell).split())) for cell in cells]


@pytest.mark.parametrize("address", LISTS)
@pytest.mark.parametrize("every", [False, True])
def test_the_file_starts_with_the_columns_of_the_table(
    lived: World, client: Client, address: str, every: bool
) -> None:
    listing = LISTS[address]
    shown = [column for column in listing.columns if column.usual or every]
    query = {"cols": ",".join(column.key for column in shown)}
    assert headings(client.get(address, query).text) == [str(column.label) for column in shown]
    head, *_lines = download(client, address, **query)
    assert head[: len(shown)] == [column.key for column in shown]
    assert len(head) == len(set(head))


class Watched:
    """A row that records which attributes are read while one of its cells is rendered."""

    def __init__(self, row: Any, read: set[str], before: str = "") -> None:
        self._row, self._read, self._before = row, read, before

    def __getattr__(self, name: str) -> Any:
        path = f"{self._before}{name}"
        self._read.add(path)
        value = getattr(self._row, name)
        if isinstance(value, list):
            return [
                each if isinstance(each, str) else Watched(each, self._read, f"{path}.")
                for each in value
            ]
        return value


# Columns of the file for attributes that have another name there.
IN_FILE = {
    "pk": ["id"],
    "matadors.name": ["matador_1", "matador_2", "matador_3"],
    "matadors.slug": ["matador_1_slug", "matador_2_slug", "matador_3_slug"],
    "matadors.ears": ["matador_1_ears", "matador_2_ears", "matador_3_ears"],
    "matadors.hurt": ["matador_1_injured", "matador_2_injured", "matador_3_injured"],
}
# The primary key of a matador only chooses the colours of his costume.
DRAWN_ONLY = {("matadors", "pk")}


@pytest.mark.parametrize("address", LISTS)
def test_the_file_contains_everything_that_the_cells_of_its_table_show(
    lived: World, client: Client, address: str
) -> None:
    """The file has second lines, marks and URLs of links, whichever columns are chosen."""
    listing: Listing = LISTS[address]
    lived.hurt_and_spare(Corrida.objects.latest("date"))
    Puesto.objects.filter(matador=lived.matadors[0]).update(injured_in=2)
    shown = client.get(address).context["rows"]
    for column in listing.columns:
        head, *_lines = download(client, address, cols=column.key)
        read: set[str] = set()
        for row in shown:
            list_cell(Watched(row, read), column, "leyendas")
        wanted = {attribute for attribute in read if (listing.name, attribute) not in DRAWN_ONLY}
        assert wanted, column.key
        for attribute in wanted:
            assert set(IN_FILE.get(attribute, [attribute])) <= set(head), column.key


def test_the_file_of_matadors_distinguishes_equal_names_and_marks_injuries(
    lived: World, client: Client
) -> None:
    first, second, third, _fourth = lived.matadors
    name_alike(lived)
    Matador.objects.filter(pk=first.pk).update(state="retired", birthplace="=1+1")
    corrida = Corrida.objects.latest("date")
    Injury.objects.create(
        matador=third, corrida=corrida, turn=1, grade="grave", since=corrida.date,
        until=dt.date(2027, 3, 31),
    )  # fmt: skip
    usual = ["name", "rating", "ear_1", "corridas", "ears", "tails", "indultos", "rate", "form"]
    head, *_lines = download(client, "/matadores/")
    more = [column for column in CHANCES if column != "ear_1"]
    assert head == [*usual, "slug", "birthplace", "state", "hurt_until", *more]
    found = {row["slug"]: row for row in rows(client, "/matadores/")}
    assert found[first.slug]["name"] == "Pedro Romero (Ronda, 1754)"
    assert found[second.slug]["name"] == "Pedro Romero (Ronda, 1800)"
    told = {
        slug: (row["birthplace"], row["state"], row["hurt_until"]) for slug, row in found.items()
    }
    assert told == {
        "matador-0": ("'=1+1", "retired", ""),
        "matador-1": ("Ronda", "active", ""),
        "matador-2": ("Ronda", "active", "2027-03-31"),
        "matador-3": ("Ronda", "active", ""),
    }


def test_the_file_of_matadors_contains_chances_that_are_not_rounded(
    lived: World, client: Client
) -> None:
    card = lived.matadors[0].cards.get()
    lived.matadors[1].cards.update(ear_2=None)
    found = {row["slug"]: row for row in rows(client, "/matadores/")}
    for column in CHANCES:
        assert float(found["matador-0"][column]) == getattr(card, column)
    assert found["matador-1"]["ear_2"] == ""


def test_the_file_of_herds_contains_countries_and_slugs(lived: World, client: Client) -> None:
    (row,) = rows(client, "/ganaderias/")
    assert list(row) == [
        *("name", "encaste", "bulls", "ears", "indultos", "rate"),
        *("slug", "country"),
    ]
    assert (row["name"], row["slug"], row["country"]) == ("Conde de Mayalde", "mayalde", "ES")


def test_the_file_of_plazas_contains_names_and_slugs(lived: World, client: Client) -> None:
    found = rows(client, "/plazas/")
    assert list(found[0]) == [
        *("city", "category", "corridas", "ears", "indultos", "rate", "last", "next"),
        *("slug", "name"),
    ]
    assert [(row["city"], row["slug"], row["name"]) for row in found] == [
        ("Ronda", "ronda", "La Vieja"),
        ("Arles", "arles", "La Vieja"),
    ]


def test_the_file_of_bulls_contains_numbers_plazas_and_keys_for_links(
    lived: World, client: Client
) -> None:
    found = rows(client, "/toros/", sort="date")
    assert list(found[0]) == [
        *("name", "herd", "weight", "date", "matador", "verdict", "fate"),
        *("number", "id", "herd_slug", "plaza", "corrida", "turn", "matador_slug"),
    ]
    corrida = Corrida.objects.get(date="2027-03-04")
    bulls = {str(lidia.turn): lidia.bull for lidia in corrida.lidias.select_related("bull")}
    arles = [row for row in found if row["plaza"] == "Arles"]
    assert len(arles) == 6
    for row in arles:
        bull = bulls[row["turn"]]
        assert (row["number"], row["id"]) == (str(bull.number), str(bull.pk))
        assert (row["date"], row["corrida"]) == ("2027-03-04", str(corrida.pk))
        assert row["herd_slug"] == "mayalde"
    assert {row["matador_slug"] for row in arles} == {"matador-1", "matador-2", "matador-3"}
    # Columns that the user chooses stay where they are in the table.
    chosen, *_lines = download(client, "/toros/", cols="number,plaza")
    assert chosen == ["name", "number", "plaza", "id"]


def test_the_file_of_bulls_that_have_not_fought_contains_their_numbers(
    lived: World, client: Client
) -> None:
    young = lived.bull(lived.announce(dt.date(2027, 5, 1)), 0, "Novato")
    (row,) = rows(client, "/toros/", fate=Bull.State.CAMPO.value)
    assert (row["name"], row["number"], row["id"]) == (young.name, str(young.number), str(young.pk))
    assert (row["plaza"], row["corrida"], row["turn"], row["matador_slug"]) == ("", "", "", "")


def test_the_file_of_results_contains_the_plaza_and_each_matador_s_ears(
    lived: World, client: Client
) -> None:
    name_alike(lived)
    corrida = Corrida.objects.get(date="2027-03-04")
    Puesto.objects.filter(cartel=corrida.pk, order=2).update(injured_in=3)
    found = {row["date"]: row for row in rows(client, "/resultados/")}
    row = found["2027-03-04"]
    each = [
        f"matador_{place}{of}" for place in (1, 2, 3) for of in ("", "_slug", "_ears", "_injured")
    ]
    assert list(row) == [
        *("date", "matadors", "ears", "tails", "indultos"),
        *("plaza", "id", *each),
    ]
    assert (row["plaza"], row["id"]) == ("Arles", str(corrida.pk))
    assert [row[key] for key in each] == [
        *("Pedro Romero (Ronda, 1800)", "matador-1", "3", ""),
        *("José Redondo", "matador-2", "0", ""),
        *("Rafael Molina", "matador-3", "0", "yes"),
    ]
    assert row["matadors"] == "Pedro Romero (Ronda, 1800), José Redondo, Rafael Molina"
    assert {row["plaza"] for row in found.values()} == {"Ronda", "Arles"}


FILES = [*(f"{address}?format=csv" for address in LISTS), "/escalafon/2027.csv"]


@pytest.mark.parametrize("address", FILES)
def test_a_file_needs_as_many_queries_however_long_it_is(lived: World, address: str) -> None:
    def count() -> tuple[int, int]:
        cache.clear()
        with CaptureQueriesContext(connection) as asked:
            answer = Client().get(address)
            assert answer.streaming
            lines = answer.getvalue().count(b"\r\n")
        return len(asked), lines

    before, _few = count()
    assert before <= 13
    for n in range(3):
        lived.post(lived.announce(dt.date(2027, 4, 1 + n), n % 2))
    assert count()[0] == before
