"""Pages of the record book: with and without records, in both languages, and during a broadcast."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas.escalafon.queries import awards
from corridas.escalafon.queries.careers import years_of
from corridas.escalafon.queries.records import sentences_before
from corridas.escalafon.queries.yearbook import yearbook
from corridas.labels import AWARDS, KINDS, TERM_LABELS, TIES
from corridas.models import Award, Circuit, Corrida, Lidia, Matador, Palmares, Puesto, Record
from corridas.pages.escalafon import records
from corridas.simulation.record_book import rebuild_record_book
from corridas.world.awards import FORMULAS
from corridas.world.honours import TERMS as HONOURS
from corridas.world.records import KINDS as ALL
from tests.corridas.pages.conftest import Counted
from tests.databases import written_again
from tests.factories import OVACION, RABO, World, live_through, small_circuit

LISTS = ("/records/", "/premios/", "/salon/", "/mano-a-mano/")
ONES = (
    "/premios/2027/",
    "/anuario/2027/",
    "/records/plaza/ronda/",
    "/records/feria/goyesca/",
    "/records/ganaderia/mayalde/",
    "/records/matador/matador-0/",
    "/mano-a-mano/matador-0/matador-1/",
    "/mano-a-mano/?left=matador-0",
)


@written_again
def booked_circuit() -> World:
    world = live_through(small_circuit())
    rebuild_record_book(world.circuit.pk)
    return world


@pytest.fixture
def booked(db: None) -> World:
    """Return a circuit whose season is over and entered in the record book."""
    return booked_circuit()


def test_every_page_of_the_record_book_marks_its_own_tab(booked: World, client: Client) -> None:
    for address in LISTS:
        page = client.get(address, follow=True).text
        menu = page[page.index('<nav class="tabs rec-tabs') :].partition("</nav>")[0]
        marked = re.findall(r'href="(/[\w-]+/)[^"]*"\s+aria-current="page"', menu)
        assert marked == [address]


def test_every_kind_of_record_award_and_term_has_a_label() -> None:
    assert set(KINDS) == {kind.key for kind in ALL}
    assert set(AWARDS) == {formula.key for formula in FORMULAS}
    terms = {term.of for formula in FORMULAS for term in formula.terms}
    assert terms | {term.of for term in HONOURS} <= set(TERM_LABELS)
    assert {tie for formula in FORMULAS for tie in formula.ties} <= set(TIES)


@pytest.mark.django_db
@pytest.mark.parametrize("address", LISTS)
def test_record_pages_of_a_site_without_a_season_are_empty(client: Client, address: str) -> None:
    page = client.get(address)
    assert page.status_code == 200
    assert 'class="empty"' in page.text


@pytest.mark.parametrize("address", [*LISTS, *ONES])
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_record_page_can_be_shown_in_both_languages(
    booked: World, client: Client, address: str, language: str
) -> None:
    page = client.get(address, headers={"accept-language": language})
    assert page.status_code == 200
    assert f'<html lang="{language}"' in page.text
    assert not re.search(r'\sstyle="|<style|\son\w+="', page.text)


@pytest.mark.slow
@pytest.mark.parametrize("address", [*LISTS, *ONES])
def test_queries_of_record_pages_do_not_grow_with_the_number_of_corridas(
    world: World, counted: Counted, address: str
) -> None:
    world.post(world.announce(dt.date(2027, 3, 2)))
    rebuild_record_book(world.circuit.pk)
    one = counted(address)
    for day in (3, 4, 5):
        world.post(world.announce(dt.date(2027, 3, day), plaza=day % 2, first=day % 2))
    rebuild_record_book(world.circuit.pk)
    assert abs(counted(address) - one) <= 1
    assert one <= 15


@pytest.mark.parametrize(
    "address",
    [
        "/premios/1999/",
        "/anuario/1999/",
        "/records/plaza/nada/",
        "/records/nada/ronda/",
        "/mano-a-mano/matador-0/nadie/",
        "/mano-a-mano/matador-0/matador-0/",
    ],
)
def test_unknown_record_pages_are_not_found(booked: World, client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_record_links_to_its_lidia(booked: World, client: Client) -> None:
    line = Record.objects.get(book__scope="circuit", key="lidia_score")
    assert f'href="/corridas/{line.corrida_id}/{line.turn}/"' in client.get("/records/").text


@pytest.mark.slow
def test_awards_show_their_formula_with_numbers(booked: World, client: Client) -> None:
    triumph = Award.objects.get(feria=None, key="triumph")
    ears = {of: number for of, number, _weight in triumph.detail["terms"]}["ears"]
    text = client.get("/premios/2027/").text
    assert f"ears {ears} × 3" in " ".join(text.split())
    assert f"= {triumph.score}" in text


@pytest.mark.parametrize("address", [*LISTS, *ONES])
def test_record_pages_do_not_depend_on_a_corrida_on_air(
    booked: World, client: Client, address: str
) -> None:
    corrida = booked.announce(dt.date(2027, 3, 8))
    before = client.get(address).text
    booked.air(corrida, seconds=300)
    cache.clear()
    assert client.get(address).text == before


def test_the_form_to_compare_two_matadors_redirects_to_their_page(
    booked: World, client: Client
) -> None:
    answer = client.get("/mano-a-mano/?left=matador-0&right=matador-1")
    assert answer["Location"] == "/mano-a-mano/matador-0/matador-1/"
    same = client.get("/mano-a-mano/?left=matador-0&right=matador-0")
    assert 'role="alert"' in same.text
    stranger = client.get("/mano-a-mano/?left=matador-0&right=<b>")
    assert stranger.status_code == 200
    assert "<b>&" not in stranger.text


def test_a_comparison_of_two_matadors_counts_only_corridas_of_both(
    booked: World, client: Client
) -> None:
    page = client.get("/mano-a-mano/matador-0/matador-3/")
    assert page.status_code == 200
    both = Puesto.objects.filter(matador=booked.matadors[0]).values("cartel")
    met = Puesto.objects.filter(matador=booked.matadors[3], cartel__in=both).count()
    assert page.text.count('<time datetime="2027-') == met


def trophies(world: World, *days: tuple[int, int]) -> None:
    """Give the second and the third matador these trophies, from one bull in each corrida."""
    Lidia.objects.update(trophy=0)
    for corrida, cut in zip(Corrida.objects.order_by("date"), days, strict=True):
        for matador, trophy in zip(world.matadors[1:3], cut, strict=True):
            lidia = Lidia.objects.filter(corrida=corrida, finisher=matador).earliest("turn")
            Lidia.objects.filter(pk=lidia.pk).update(trophy=trophy)
    cache.clear()


def test_a_duel_shows_how_many_corridas_each_matador_won(booked: World, client: Client) -> None:
    """The result is the same in the sentence, the totals and the list, from the point of view of
    either matador.
    """
    trophies(booked, (1, 0), (2, 1), (2, 3))
    cell = re.compile(r'<td( class="ahead")?>')

    def duel_page(left: int, right: int) -> tuple[str, list[bool], list[list[bool]]]:
        page = client.get(f"/mano-a-mano/matador-{left}/matador-{right}/").text
        lede = page.partition('<p class="lede">')[2].partition("</p>")[0]
        won = page.partition("rb-sums")[2].partition("<tbody>")[2].partition("</tr>")[0]
        days = page.partition('id="days-h"')[2].partition("<tbody>")[2].partition("</tbody>")[0]
        rows = [[bool(css) for css in cell.findall(row)] for row in days.split("</tr>")[:-1]]
        return " ".join(lede.split()), [bool(css) for css in cell.findall(won)], rows

    said = "3 afternoons on the same cartel. Afternoons on which one did better than the other: "
    mine, other = [True, False], [False, True]
    assert duel_page(1, 2) == (
        f"{said}Francisco Montes 2, José Redondo 1; level: 0.", mine, [other, mine, mine],
    )  # fmt: skip
    assert duel_page(2, 1) == (
        f"{said}José Redondo 1, Francisco Montes 2; level: 0.", other, [mine, other, other],
    )  # fmt: skip
    trophies(booked, (1, 1), (2, 2), (3, 0))
    neither = [False, False]
    assert duel_page(1, 2) == (
        f"{said}Francisco Montes 1, José Redondo 0; level: 2.", mine, [mine, neither, neither],
    )  # fmt: skip


@pytest.mark.parametrize(("size", "pages"), [(2, [2, 1]), (3, [3]), (4, [3])])
def test_the_corridas_of_two_compared_matadors_are_paginated_in_full_pages(
    booked: World, client: Client, monkeypatch: pytest.MonkeyPatch, size: int, pages: list[int]
) -> None:
    monkeypatch.setattr(records, "LEAF", size)
    for number, count in enumerate(pages, start=1):
        page = client.get("/mano-a-mano/matador-1/matador-2/", {"page": number}).text
        assert page.count('<time datetime="2027-') == count
        assert (">Older<" in page) is (number < len(pages))
        assert (">Newer<" in page) is (number > 1)
        assert "3 afternoons on the same cartel." in " ".join(page.split())


def test_the_seasons_of_a_matador_add_up_to_his_totals(booked: World) -> None:
    told = years_of(booked.matadors[0])
    own = Palmares.objects.get(matador=booked.matadors[0], book__scope="circuit")
    assert [one.year for one in told.lines] == [2027]
    assert (told.total["corridas"], told.total["ears"]) == (own.corridas, own.ears)
    assert told.lines[0].rating == 90
    assert 1 <= told.best <= 4


def test_a_matador_s_past_season_shows_the_rating_of_his_card_of_that_time(booked: World) -> None:
    matador = booked.matadors[0]
    matador.cards.create(printing=2, rating=95, since=2028, ovacion="1-100")
    assert years_of(matador).lines[0].rating == 90
    season = booked.another_season(2028)
    told = years_of(matador)
    assert [(one.year, one.rating) for one in told.lines] == [(2028, 95), (2027, 90)]
    assert season.year == 2028


def test_records_within_reach_are_shown_before_a_corrida(booked: World, client: Client) -> None:
    corrida = booked.announce(dt.date(2027, 4, 1))
    Palmares.objects.filter(matador=booked.matadors[0], book__scope="circuit").update(corridas=99)
    said = [one for one in sentences_before([corrida])[corrida.pk] if not one.record]
    assert [one.slug for one in said] == ["matador-0"]
    assert "100" in said[0].words
    page = client.get(f"/corridas/{corrida.pk}/").text
    assert "Records within reach" in page
    assert said[0].words in page
    assert "Records within reach" in client.get("/temporada/2027/").text


def test_a_matador_is_named_once_among_records_within_reach(booked: World, client: Client) -> None:
    for day in (1, 2, 3):
        booked.announce(dt.date(2027, 4, day))
    Palmares.objects.filter(matador=booked.matadors[0], book__scope="circuit").update(corridas=99)
    page = client.get("/temporada/2027/").text
    near = page[page.index("rb-near") :].partition("</details>")[0]
    named = re.findall(r'<li[^>]*><a href="([^"]+)"', near)
    assert named
    assert len(named) == len(set(named))


def test_records_within_reach_are_not_shown_once_the_corrida_has_begun(booked: World) -> None:
    corrida = booked.announce(dt.date(2027, 4, 1))
    Palmares.objects.filter(book__scope="circuit").update(corridas=99)
    booked.air(corrida, seconds=100)
    assert sentences_before([corrida]) == {}
    assert sentences_before(Corrida.objects.none()) == {}


def test_a_broken_record_is_shown_in_the_yearbook(booked: World, client: Client) -> None:
    row = Record.objects.get(book__scope="circuit", key="season_ears")
    Record.objects.filter(pk=row.pk).update(value=1224, before=1206)
    text = client.get("/anuario/2027/").text
    assert "New records that still stand" in text
    assert "previous record: 1,206" in text
    assert '<b class="rb-fig">1,224</b>' in text
    book = client.get("/records/").text
    assert "previous record: 1,206" in book
    assert '<b class="rb-fig">1,224</b>' in book


@pytest.mark.parametrize("address", [*LISTS, *ONES])
def test_a_second_circuit_has_its_own_record_book(
    booked: World, client: Client, address: str
) -> None:
    Circuit.objects.update(slug="sierra", public=True)
    page = client.get(f"/circuitos/sierra{address}")
    assert page.status_code == 200
    assert 'href="/circuitos/sierra/records/"' in page.text
    assert 'href="/records/"' not in page.text
    Circuit.objects.update(public=False)
    assert client.get(f"/circuitos/sierra{address}").status_code == 404


def test_equal_tails_of_a_year_are_listed_in_the_order_of_their_corridas(world: World) -> None:
    """The highest score comes first. Of equal ones the order in which they were stored is no
    matter, and a limited number is listed.
    """
    world.join(2)
    first, second, later = (
        world.announce(dt.date(2027, 7, day), plaza, matador)
        for day, plaza, matador in ((1, 0, 0), (1, 1, 3), (2, 0, 0))
    )
    for corrida in (later, second, first):
        world.post(corrida, [OVACION, RABO, OVACION, OVACION, RABO, OVACION])
    Lidia.objects.filter(corrida=later, turn=5).update(score=9)
    expected = [(later.pk, 5), (first.pk, 2), (first.pk, 5), (second.pk, 2), (second.pk, 5)]
    great = yearbook(world.season).great
    assert [(row.corrida_id, row.turn) for row, _bull in great] == [*expected, (later.pk, 2)]


def test_hall_of_fame_hides_from_protected_users_who_has_retired(
    booked: World, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A matador retires in a winter, after the day up to which they have watched."""
    matador = booked.matadors[0]
    matador.state, matador.retired_in = Matador.State.RETIRED, 2027
    inside = awards.Member(matador, points=99, seasons=6, counts=Counter(), sums=())
    hall = awards.Hall(members=[inside], waiting=[], entry=60, terms=())
    monkeypatch.setattr(awards, "hall", lambda circuit, until: hall)
    page = client.get("/salon/").text
    assert "6 seasons" in page
    assert "retired in 2027" in page
    Corrida.objects.filter(season=booked.season).update(on_air_at=timezone.now())
    since = timezone.now() - dt.timedelta(days=1)
    client.force_login(User.objects.create_user("vera", shielded_since=since))
    page = client.get("/salon/").text
    assert "6 seasons" in page
    assert "retired in 2027" not in page
