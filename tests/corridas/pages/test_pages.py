"""Every page can be shown in both languages, with and without data, with few queries."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from corridas.models import Ganaderia, Season
from tests.corridas.pages.conftest import Counted
from tests.factories import World

LISTS = ("/", "/escalafon/", "/temporada/", "/matadores/", "/plazas/", "/ganaderias/", "/glosario/")
ONES = (
    "/escalafon/2027/",
    "/temporada/2027/",
    "/temporada/2027/?by=feria",
    "/temporada/2027/?month=3&category=1",
    "/temporada/2027/goyesca/",
    "/matadores/matador-0/",
    "/plazas/ronda/",
    "/ganaderias/mayalde/",
)


@pytest.mark.django_db
@pytest.mark.parametrize("address", LISTS)
def test_pages_of_a_site_without_a_season_show_a_notice(client: Client, address: str) -> None:
    page = client.get(address)
    assert page.status_code == 200
    assert address == "/glosario/" or 'class="empty"' in page.text or "gates are shut" in page.text


@pytest.mark.parametrize("address", [*LISTS, *ONES])
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_page_can_be_shown_in_both_languages(
    lived: World, client: Client, address: str, language: str
) -> None:
    page = client.get(address, headers={"accept-language": language})
    assert page.status_code == 200
    assert f'<html lang="{language}"' in page.text
    assert 'id="main"' in page.text


@pytest.mark.parametrize("address", [*LISTS, *ONES])
def test_pages_contain_no_inline_styles_or_scripts(
    lived: World, client: Client, address: str
) -> None:
    text = client.get(address).text
    assert not re.search(r'\sstyle="|<style|\son\w+="', text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)


@pytest.mark.parametrize("address", ["/matadores/matador-0/", "/plazas/ronda/", "/toros/1/"])
def test_svg_coordinates_have_a_decimal_point_on_spanish_pages(
    lived: World, client: Client, address: str
) -> None:
    address = address.replace("/1/", f"/{lived.herd.bulls.first().pk}/")  # type: ignore[union-attr]
    text = client.get(address, headers={"accept-language": "es"}).text
    assert not re.search(r'\s(x|y|width|height|x1|cx)="\d+,\d', text)


@pytest.mark.parametrize(
    "address",
    [
        "/escalafon/99999999999999999999/",
        "/temporada/99999999999999999999/",
        "/escalafon/1999/",
        "/temporada/1999/",
        "/temporada/2027/nada/",
        "/matadores/nadie/",
    ],
)
def test_unknown_seasons_ferias_and_matadors_are_not_found(
    lived: World, client: Client, address: str
) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/", *ONES, "/matadores/", "/plazas/", "/ganaderias/"])
def test_a_page_needs_as_many_queries_for_four_corridas_as_for_one(
    world: World, counted: Counted, address: str
) -> None:
    world.post(world.announce(dt.date(2027, 3, 2)))
    world.announce(dt.date(2027, 5, 1))
    one = counted(address)
    for day in (3, 4, 5):
        world.post(world.announce(dt.date(2027, 3, day)))
        world.announce(dt.date(2027, 5, day))
    assert counted(address) == one <= 15


def test_the_escalafon_needs_as_many_queries_with_ten_seasons_as_with_one(
    lived: World, counted: Counted
) -> None:
    one = counted("/escalafon/2027/")
    for year in range(2018, 2027):
        lived.another_season(year)
    assert Season.objects.count() == 10
    assert counted("/escalafon/2027/") == one <= 15


def test_the_language_switch_returns_to_the_same_page(lived: World, client: Client) -> None:
    answer = client.get("/idioma/", {"language": "es", "next": "/plazas/"})
    assert answer.status_code == 302
    assert answer["Location"] == "/plazas/"
    assert '<html lang="es"' in client.get("/plazas/").text


@pytest.mark.parametrize(
    "away",
    ["https://elsewhere.example/", "//elsewhere.example", "", "desk", "nowhere", "../x", "?"],
)
def test_the_language_switch_never_redirects_to_another_site(client: Client, away: str) -> None:
    assert client.get("/idioma/", {"language": "es", "next": away})["Location"] == "/"


def test_requests_from_other_sites_do_not_change_the_language(client: Client) -> None:
    asked, there = {"language": "es", "next": "/plazas/"}, {"sec-fetch-site": "cross-site"}
    assert not client.get("/idioma/", asked, headers=there).cookies
    assert not client.get("/idioma/", {**asked, "language": "xx"}).cookies
    assert client.post("/idioma/", asked).status_code == 405


def test_glossary_terms_are_explained_in_the_language_of_the_page(
    lived: World, client: Client
) -> None:
    english = client.get("/escalafon/2027/", headers={"accept-language": "en"}).text
    spanish = client.get("/escalafon/2027/", headers={"accept-language": "es"}).text
    said = re.compile(r'<dfn tabindex="0" data-gloss="aviso: ([^"]+)"')
    told = [said.findall(page)[0] for page in (english, spanish)]
    assert told[0] != told[1]


@pytest.mark.slow
@pytest.mark.parametrize("month", ["²", "٣", "0", "13", "-1", "9" * 5000, "x"])
def test_an_invalid_month_of_the_calendar_shows_the_current_month(
    lived: World, client: Client, month: str
) -> None:
    told = client.get("/temporada/2027/", {"month": month})
    assert told.status_code == 200
    assert told.context["month"] == client.get("/temporada/2027/").context["month"]


@pytest.mark.django_db
def test_the_page_of_a_herd_is_cached_until_a_corrida_is_posted(
    lived: World, client: Client, django_assert_num_queries: Callable[..., Any]
) -> None:
    first = client.get("/ganaderias/mayalde/")
    with django_assert_num_queries(2):
        assert client.get("/ganaderias/mayalde/").text == first.text
    lived.post(lived.announce(dt.date(2027, 3, 8)))
    later = client.get("/ganaderias/mayalde/", headers={"if-none-match": first["ETag"]})
    assert later.status_code == 200
    assert "8 Mar 2027" in later.text
    assert "8 Mar 2027" not in first.text


@pytest.mark.django_db
def test_the_page_of_a_herd_is_not_cached_in_a_circuit_without_a_season(
    world: World, client: Client
) -> None:
    Season.objects.all().delete()
    page = client.get("/ganaderias/mayalde/")
    assert world.herd.name in page.text
    assert "ETag" not in page
    Ganaderia.objects.filter(pk=world.herd.pk).update(name="Zalduendo")
    assert "Zalduendo" in client.get("/ganaderias/mayalde/").text
