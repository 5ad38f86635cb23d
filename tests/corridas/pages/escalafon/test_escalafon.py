"""The page of the escalafón (ranking of matadors): order, options, CSV file and cache."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import io
import re
from collections import Counter
from typing import Any

import pytest
from django.core.cache import cache
from django.http import QueryDict
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from corridas.models import Corrida, Escalafon, Matador, Season, TableCorrida
from corridas.pages.escalafon import ranking
from corridas.pages.escalafon.ranking import read_query
from corridas.world.ranking import rank_key
from leagues.models import Match
from tests.factories import NAMES, OVACION, RABO, SILENCIO, World, name_alike

NOW = dt.datetime(2027, 3, 8, 20, tzinfo=dt.UTC)


def response_text(answer: Any) -> str:
    """Return the text of a page or of a file, which is sent in chunks."""
    text: str = answer.getvalue().decode("utf-8-sig")
    return text


def lines(client: Client, address: str) -> list[dict[str, str]]:
    """Return the rows of the CSV file."""
    return list(csv.DictReader(io.StringIO(response_text(client.get(address)))))


def order(client: Client, address: str) -> list[str]:
    """Return the slugs of the matadors in the order of the table."""
    table = client.get(address).text.partition("<tbody")[2].partition("</tbody>")[0]
    return re.findall(r'<th role="rowheader".*?href="/matadores/([^/]+)/"', table)


def test_the_escalafon_is_sorted_by_corridas_then_by_ears(lived: World, client: Client) -> None:
    found = lines(client, "/escalafon/2027.csv")
    backwards = order(client, "/escalafon/2027/?sort=-place")
    assert backwards == [row["slug"] for row in reversed(found)]
    assert [int(row["corridas"]) for row in found] == sorted(
        (int(row["corridas"]) for row in found), reverse=True
    )
    assert [(row["matador"], row["corridas"], row["ears"], row["tails"]) for row in found] == [
        ("Francisco Montes", "3", "3", "1"),
        ("José Redondo", "3", "0", "0"),
        ("Pedro Romero", "2", "6", "2"),
        ("Rafael Molina", "1", "0", "0"),
    ]


def test_matadors_with_the_same_name_are_distinguished_on_the_page_and_in_the_file(
    lived: World, client: Client
) -> None:
    called = name_alike(lived)
    found = {row["slug"]: row["matador"] for row in lines(client, "/escalafon/2027.csv")}
    assert [found["matador-0"], found["matador-1"]] == called
    assert len(found) == 4
    for address in ("/escalafon/2027/", "/matadores/", "/matadores/comparar/"):
        page = client.get(address).text
        assert all(name in page for name in called), address


def test_the_ranking_by_name_is_in_spanish_order(lived: World, client: Client) -> None:
    names = ("Diego Puerta", "Chicuelo", "Dámaso González", "César Girón")
    for matador, name in zip(lived.matadors, names, strict=True):
        matador.name = name
        matador.save()
    expected = ["César Girón", "Chicuelo", "Dámaso González", "Diego Puerta"]
    assert [row["matador"] for row in lines(client, "/escalafon/2027.csv?sort=name")] == expected
    keys = {matador.name: matador.slug for matador in lived.matadors}
    assert order(client, "/escalafon/2027/?sort=name") == [keys[name] for name in expected]


def test_the_stored_ranking_equals_the_ranking_as_of_the_last_day(
    lived: World, client: Client
) -> None:
    stored = response_text(client.get("/escalafon/2027.csv"))
    derived = response_text(client.get("/escalafon/2027.csv?until=2027-12-31"))
    assert stored == derived
    assert len(stored.splitlines()) == 5


def test_the_ranking_as_of_a_date_leaves_out_later_corridas(lived: World, client: Client) -> None:
    found = lines(client, "/escalafon/2027.csv?until=2027-03-03")
    assert {row["corridas"] for row in found} == {"1"}
    assert len(found) == 3


def test_the_ranking_can_be_limited_to_plazas_of_a_category(lived: World, client: Client) -> None:
    second = lines(client, "/escalafon/2027.csv?category=2")
    assert {row["corridas"] for row in second} == {"1"}
    assert second == lines(client, "/escalafon/2027.csv?category=2&until=2027-12-31")
    assert lines(client, "/escalafon/2027.csv?category=3") == []
    checked = r'name="category" value="(\d?)"\s+checked'
    for query, value in (("", ""), ("?category=2", "2"), ("?category=1,2,3", "")):
        assert re.findall(checked, client.get(f"/escalafon/2027/{query}").text) == [value]


def test_every_option_of_the_ranking_is_part_of_its_cache_key() -> None:
    queries = ("", "sort=ears", "sort=-ears", "category=1", "category=3", "category=1,3",
        "until=2027-03-03", "until=2027-03-04", "follow=a", "follow=a,b", "sort=nose")  # fmt: skip
    assert len({read_query(QueryDict(query)).key for query in queries}) == len(queries)
    assert read_query(QueryDict("category=3,1")).categories == (1, 3)
    assert read_query(QueryDict("category=1,2,3")).problems == ()


def test_ties_in_the_ranking_are_broken_by_ears_tails_indultos_and_avisos(
    world: World, client: Client
) -> None:
    brought = (SILENCIO, OVACION, RABO, SILENCIO, OVACION, OVACION)
    world.post(world.announce(dt.date(2027, 3, 2)), brought)
    assert order(client, "/escalafon/2027/") == ["matador-2", "matador-1", "matador-0"]


@pytest.mark.parametrize("column", ["name", "corridas", "ears", "tails", "avisos", "rate"])
def test_every_column_can_be_sorted_in_both_directions(
    lived: World, client: Client, column: str
) -> None:
    down = client.get(f"/escalafon/2027/?sort={column}").text
    up = client.get(f"/escalafon/2027/?sort=-{column}").text
    assert ('aria-sort="descending"' in down) != (column == "name")
    assert ('aria-sort="ascending"' in up) != (column == "name")
    key = "matador" if column == "name" else column
    if key != "rate":
        values = [row[key] for row in lines(client, f"/escalafon/2027.csv?sort={column}")]
        numbers = [int(value) if value.isdigit() else value for value in values]
        assert numbers == sorted(numbers, reverse=column != "name")


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("sort=nose", "because it has no column with that name"),
        ("until=soon", "is not a valid date"),
        ("category=7", "1, 2 or 3"),
    ],
)
def test_invalid_options_get_status_400_and_an_explanation(
    lived: World, client: Client, wish: str, said: str
) -> None:
    for address in (f"/escalafon/2027/?{wish}", f"/escalafon/2027.csv?{wish}"):
        answer = client.get(address)
        assert answer.status_code == 400
        assert said in answer.text
    assert len(order(client, f"/escalafon/2027/?{wish}")) == 4


def test_the_heading_counts_the_corridas_of_the_ranking(lived: World, client: Client) -> None:
    days = list(Corrida.objects.over().order_by("date").values_list("date", flat=True))
    assert f"{len(days)} corridas completed" in client.get("/escalafon/2027/").text
    until = days[0].isoformat()
    assert "1 corrida completed" in client.get(f"/escalafon/2027/?until={until}").text


def test_a_name_that_looks_like_a_formula_is_escaped_in_the_file(
    lived: World, client: Client
) -> None:
    lived.matadors[0].apodo = "=1+1"
    lived.matadors[0].save()
    answer = client.get("/escalafon/2027.csv")
    assert answer["Content-Type"].startswith("text/csv")
    assert "'=1+1" in response_text(answer)


def test_the_race_chart_has_an_equivalent_table(lived: World, client: Client) -> None:
    page = client.get("/escalafon/2027/?follow=matador-3").text
    assert 'class="race"' in page
    table = page[page.index('class="fold"') :]
    for matador in lived.matadors:
        assert matador.name in table
    assert re.search(r'class="run m-\d+ bold"><title>Rafael Molina', page)
    assert re.search(r'class="run m-\d+ dim"><title>Pedro Romero', page)
    marked = re.findall(r'aria-current="true">.*?<span>(.*?)</span>', page, re.DOTALL)
    assert marked == ["Rafael Molina"]


@pytest.mark.parametrize(
    ("follow", "drawn"),
    [("", {"Francisco Montes", "José Redondo"}),
     ("?follow=matador-3", {"Francisco Montes", "José Redondo", "Rafael Molina"})],
)  # fmt: skip
def test_the_race_chart_shows_the_first_matadors_and_the_followed_ones(
    lived: World, client: Client, monkeypatch: pytest.MonkeyPatch, follow: str, drawn: set[str]
) -> None:
    monkeypatch.setattr(ranking, "RACED", 2)
    page = client.get(f"/escalafon/2027/{follow}").text
    found = {name.split(",")[0] for name in re.findall(r'class="run m-[^>]*><title>([^<:]+)', page)}
    assert {name for name in NAMES if any(name in each for each in found)} == drawn


def test_the_ranking_shows_how_each_place_has_changed(lived: World, client: Client) -> None:
    """The third matador rises by one, and the last one has caught up without passing anybody."""
    lived.post(lived.announce(dt.date(2027, 3, 8), 1, 3), [SILENCIO] * 6)
    table = client.get("/escalafon/2027/").text.partition("<tbody")[2].partition("</tbody>")[0]
    moved = re.findall(r'class="moved ?(\w*)".*?<span class="hidden-text">(\w+)</span>\s*(\d*)',
        table, re.DOTALL)  # fmt: skip
    assert moved == [
        ("", "unchanged", ""), ("up", "up", "1"), ("down", "down", "1"), ("", "unchanged", ""),
    ]  # fmt: skip


def test_an_unchanged_ranking_gets_status_304(lived: World, client: Client) -> None:
    first = client.get("/escalafon/2027/")
    again = client.get("/escalafon/2027/", headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
    assert not again.content
    lived.post(lived.announce(dt.date(2027, 3, 8)))
    moved = client.get("/escalafon/2027/", headers={"if-none-match": first["ETag"]})
    assert moved.status_code == 200
    assert moved["ETag"] != first["ETag"]


def test_each_language_and_sort_order_has_its_own_etag(lived: World, client: Client) -> None:
    tags = {
        client.get(address, headers={"accept-language": language})["ETag"]
        for address in ("/escalafon/2027/", "/escalafon/2027/?sort=ears")
        for language in ("en", "es")
    }
    assert len(tags) == 4


def test_a_cached_ranking_needs_one_query(
    lived: World, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cold = client.get("/escalafon/2027/").text
    with django_assert_num_queries(1):
        assert client.get("/escalafon/2027/").text == cold


def test_the_ranking_shows_the_stored_counters(lived: World, client: Client) -> None:
    Escalafon.objects.filter(matador=lived.matadors[3], category=2).update(corridas=99)
    cache.clear()
    assert order(client, "/escalafon/2027/")[0] == "matador-3"


def test_the_ranking_is_compressed_for_browsers_that_accept_gzip(
    lived: World, client: Client
) -> None:
    plain = client.get("/escalafon/2027/")
    packed = client.get("/escalafon/2027/", headers={"accept-encoding": "br, gzip"})
    refused = client.get("/escalafon/2027/", headers={"accept-encoding": "gzip;q=0"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content == refused.content
    assert "Accept-Encoding" in plain["Vary"]


def test_names_are_compared_in_composed_unicode_form() -> None:
    level = Counter({"corridas": 1})
    composed, taken_apart = "Ángel", "A\u0301ngel"
    assert rank_key(level, composed) == rank_key(level, taken_apart) > rank_key(level, "Zorro")


def test_a_name_changed_in_the_admin_appears_on_the_page_immediately(
    lived: World, client: Client
) -> None:
    first = client.get("/escalafon/2027/")
    office = Client()
    office.force_login(User.objects.create_superuser("ganadero"))
    one = lived.matadors[0]
    sent = {"slug": one.slug, "apodo": "El Nuevo", "born": one.born, "birthplace": one.birthplace}
    sent["state"] = one.state
    for formset in ("cards", "cards-2"):
        sent |= {f"{formset}-TOTAL_FORMS": "0", f"{formset}-INITIAL_FORMS": "0"}
    assert office.post(f"/admin/corridas/matador/{one.pk}/change/", sent).status_code == 302
    again = client.get("/escalafon/2027/", headers={"if-none-match": first["ETag"]})
    assert again.status_code == 200
    assert "El Nuevo" in again.text


def test_the_last_season_s_ranking_is_shown_until_the_new_season_has_results(
    lived: World, client: Client
) -> None:
    Corrida.objects.exclude(state__in=Corrida.OVER).update(state=Corrida.State.FAILED)
    begun = lived.another_season(2028)
    assert 'href="/temporada/2027/"' in client.get("/escalafon/").text
    Season.objects.filter(pk=begun.pk).update(posted_version=1)
    assert 'href="/temporada/2027/"' not in client.get("/escalafon/").text


def test_sort_links_of_the_table_are_not_followed_by_crawlers(client: Client, lived: World) -> None:
    page = client.get("/escalafon/2027/").text
    links = re.findall(r'<a href="\?[^"]*(sort|follow)=[^"]*"([^>]*)>', page)
    assert {name for name, _rest in links} == {"sort", "follow"}
    assert all('rel="nofollow"' in rest for _name, rest in links)


# The CSV file


def test_the_file_has_the_columns_of_the_table(lived: World, client: Client) -> None:
    corrida = lived.post(lived.announce(dt.date(2027, 3, 8), 0, 2))
    match = Match.objects.create(
        game="indulto", rules={}, rules_hash="", played_at=NOW, created_at=NOW, key="key"
    )
    TableCorrida.objects.create(
        match=match, corrida=corrida, date=corrida.date, evidence="cards", filed_at=NOW
    )
    Matador.objects.filter(pk=lived.matadors[1].pk).update(birthplace="=1+1")
    found = lines(client, "/escalafon/2027.csv")
    assert list(found[0]) == [
        *("place", "matador", "corridas", "bulls", "ears", "tails", "vueltas", "indultos"),
        *("avisos", "three_avisos", "slug"),
        *("moved", "birthplace", "rate", "form", "at_tables"),
        *("at_tables_score", "at_tables_sheet", "at_tables_cards"),
    ]
    added = ("slug", "moved", "birthplace", "rate", "at_tables", "at_tables_cards")
    assert [tuple(row[name] for name in added) for row in found] == [
        ("matador-2", "1", "Ronda", "0.38", "1", "1"),
        ("matador-0", "1", "Ronda", "1.00", "1", "1"),
        ("matador-1", "-2", "'=1+1", "0.50", "0", "0"),
        ("matador-3", "0", "Ronda", "0.00", "1", "1"),
    ]
    assert found[2]["form"] == "silencio, silencio, oreja, rabo, silencio, silencio"
    assert {row["at_tables_sheet"] for row in found} == {"0"}
    # As of the first day, no matador has an earlier place, so no move is given.
    first = lines(client, "/escalafon/2027.csv?until=2027-03-02")
    assert [(row["slug"], row["moved"], row["form"]) for row in first] == [
        ("matador-0", "", "oreja, rabo"),
        ("matador-2", "", "ovacion, ovacion"),
        ("matador-1", "", "silencio, silencio"),
    ]


class Watched:
    """A row that records which attributes are read while it is rendered."""

    def __init__(self, row: Any, read: set[str]) -> None:
        self._row, self._read = row, read

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._row, name)
        if name == "line":
            return Watched(value, self._read)
        self._read.add(name)
        return value


def test_the_file_has_a_column_for_every_attribute_that_the_table_shows(
    lived: World, client: Client
) -> None:
    page = client.get("/escalafon/2027/")
    shown = {head.name for head in page.context["headings"]} | {"form"}
    assert page.text.count('role="columnheader"') == len(shown)
    for row in page.context["rows"]:
        watched = Watched(row, shown)
        context = {"row": watched, "line": watched.line, "circuit": "leyendas"}
        render_to_string("corridas/escalafon.html#standing", context)
    # These attributes only choose the colours of a costume and the length of a bar.
    shown -= {"suit", "share"}
    called = {"name": "matador", "tables": "at_tables"}
    (first, *_rest) = lines(client, "/escalafon/2027.csv")
    assert shown >= {"moved", "birthplace", "rate", "form", "slug", "tables"}
    assert {called.get(name, name) for name in shown} <= set(first)


def test_a_season_that_is_over_has_a_final_ranking(lived: World, client: Client) -> None:
    """Nothing is posted if the last corrida cannot be played.

    The page must be rendered again nevertheless.
    """
    waiting = lived.announce(dt.date(2027, 5, 1))
    before = client.get("/escalafon/").text
    assert "Current ranking." in before
    assert "Final ranking." not in before
    for state in (Corrida.State.ON_AIR, Corrida.State.AT_TABLE, Corrida.State.QUEUED):
        Corrida.objects.filter(pk=waiting.pk).update(state=state)
        assert "Current ranking." in client.get("/escalafon/").text
    Corrida.objects.filter(pk=waiting.pk).update(state=Corrida.State.FAILED)
    after = client.get("/escalafon/").text
    assert "Final ranking." in after
    assert "Current ranking." not in after
    day = client.get("/escalafon/?until=2027-03-04").text
    assert "Ranking as of 4 March 2027." in day
    assert "Final ranking." not in day
