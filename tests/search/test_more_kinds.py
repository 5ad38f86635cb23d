"""Search results for ferias, rules and lessons, and the order of results from several circuits."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from corridas.models import (
    Circuit,
    Corrida,
    Feria,
    Ganaderia,
    Matador,
    Palmares,
    Plaza,
    Record,
    Season,
)
from corridas.roster.history import columns, record_change
from lessons.loading import all_lessons
from lessons.search_kinds import SECTIONS
from search.kinds import fill_missing_kinds
from search.models import Entry
from tests.factories import World, account, browser, record_book, small_circuit
from tests.search.scene import assert_as_rebuilt, indexed, reindex, titles

pytestmark = pytest.mark.usefixtures("world")
API = "/api/v1/search/"


def hits(client: Client, question: str, kind: str, **headers: str) -> list[dict[str, Any]]:
    answer = client.get(API, {"q": question, "kind": kind}, headers=headers).json()
    found = [hit for group in answer["groups"] for hit in group["hits"]]
    return [{**hit, "url": re.sub(r"^https?://[^/]+", "", hit["page"])} for hit in found]


def in_2028(world: World, name: str) -> Feria:
    season = Season.objects.create(
        circuit=world.circuit, year=2028, seed=b"t" * 32, commitment=b"c" * 32
    )
    days = {"starts": "2028-03-01", "ends": "2028-03-09"}
    return Feria.objects.create(
        season=season, plaza=world.plazas[0], slug="goyesca", name=name, **days
    )


@pytest.mark.parametrize("question", ["pedro romero", "Feria de Ped", "ronda", "FERIA RONDA"])
def test_feria_is_found_by_its_name_and_place(world: World, question: str) -> None:
    (hit,) = hits(Client(), question, "feria")
    assert hit["title"] == "Feria de Pedro Romero"
    assert hit["url"].endswith("/temporada/2027/goyesca/")
    assert hit["detail"] == "Ronda · 2027"
    assert Client().get(hit["url"]).status_code == 200
    assert hits(Client(), "arles", "feria") == []


def test_feria_is_found_once_and_links_to_its_latest_year(world: World) -> None:
    in_2028(world, "Feria de Pédro Romero")
    reindex()
    (hit,) = hits(Client(), "pedro", "feria")
    assert hit["url"].endswith("/temporada/2028/goyesca/")
    Feria.objects.filter(season__year=2028).update(name="Otra")
    reindex()
    assert len(hits(Client(), "ronda", "feria")) == 2


def test_feria_results_follow_roster_changes(world: World) -> None:
    feria, plaza = world.feria, world.plazas[0]
    for row, name, text in ((feria, "name", "Goyesca"), (plaza, "city", "Zahara")):
        before = columns(row)
        setattr(row, name, text)
        row.save()
        record_change(row=row, before=before, by=None, at=timezone.now())
    assert [hit["title"] for hit in hits(Client(), "goyesca zahara", "feria")] == ["Goyesca"]
    assert hits(Client(), "pedro romero", "feria") == []
    assert_as_rebuilt()
    Corrida.objects.all().delete()
    record_change(row=feria, before=None, by=None, at=timezone.now(), removed=True)
    feria.delete()
    assert hits(Client(), "goyesca", "feria") == []


def test_index_of_an_earlier_version_gets_missing_kinds_once(world: World) -> None:
    assert indexed("feria")
    Entry.objects.filter(kind="feria").delete()
    assert hits(Client(), "pedro romero", "feria") == []
    assert fill_missing_kinds() == ["feria"]
    assert len(hits(Client(), "pedro romero", "feria")) == 1
    assert_as_rebuilt()
    assert fill_missing_kinds() == []


# Results of the same name


@pytest.mark.slow
def test_private_copy_comes_after_the_sites_circuit(world: World) -> None:
    """Its rows are newer.

    If it has a higher weight, the results are not tied, and it comes first.
    """
    ana = account("ana")
    copy = small_circuit("copia", "Copia", public=False, owner=ana.user)
    reindex()
    for kind, question in (("matador", "montes"), ("plaza", "ronda"), ("herd", "mayalde"),
                           ("feria", "pedro"), ("season", "2027")):  # fmt: skip
        urls = [hit["url"] for hit in hits(browser(ana), question, kind)]
        assert len(urls) == 2, kind
        assert "/circuitos/copia/" not in urls[0], kind
        assert "/circuitos/copia/" in urls[1], kind
        assert len(hits(Client(), question, kind)) == 1, "others do not see it"
    copy.matadors[1].cards.update(rating=99)
    reindex()
    first, _second = hits(browser(ana), "montes", "matador")
    assert "/circuitos/copia/" in first["url"]


def test_older_of_two_public_circuits_comes_first(world: World) -> None:
    small_circuit("otro", "Otro")
    reindex()
    urls = [hit["url"] for hit in hits(Client(), "montes", "matador")]
    assert ["/circuitos/otro/" in url for url in urls] == [False, True]
    assert Circuit.objects.earliest("pk").slug == "leyendas"


# Rules and lessons


@pytest.mark.parametrize(
    ("question", "language", "title", "page"),
    [
        ("boneyard", "en", "Playing a hand", "/dominoes/rules/#hand-h"),
        ("tercios", "en", "Three tercios and a sword", "/reglas/#tercios-h"),
        ("E-10", "en", "How we interpret the rules", "/eltoro/rules/#rulings-h"),
        ("pozo", "es", "Cómo se juega una mano", "/dominoes/rules/#hand-h"),
        ("reglas", "es", "Cómo es una corrida", "/reglas/"),
        ("rules", "en", "How a corrida works", "/reglas/"),
    ],
)
def test_rules_are_found(question: str, language: str, title: str, page: str) -> None:
    found = hits(Client(), question, "rules", **{"accept-language": language})
    assert (title, page) in [(hit["title"], hit["url"]) for hit in found]


def test_rules_with_the_word_in_their_title_come_first() -> None:
    """An earlier section has the word "points" in its content only."""
    found = [hit["title"] for hit in hits(Client(), "points", "rules")]
    assert found[:2] == ["From points to ears", "Watch the ring, read the scoresheet"]


@pytest.mark.slow
def test_every_section_of_the_rules_is_found() -> None:
    for section in SECTIONS:
        (url,) = {
            hit["url"] for hit in hits(Client(), str(section.title), "rules")
            if hit["detail"] == str(section.content)
        }  # fmt: skip
        page = Client().get(url.partition("#")[0]).text
        if section.anchor:
            heading = re.search(rf'id="{section.anchor}"[^>]*>(.*?)</h2>', page, re.DOTALL)
            assert heading, section
            assert str(section.title) in heading[1], section


@pytest.mark.slow
def test_every_lesson_is_found_in_both_languages() -> None:
    for lesson in all_lessons():
        for language in ("en", "es"):
            title = lesson.title.fill(language, {})
            found = hits(Client(), title, "lesson", **{"accept-language": language})
            assert found[0]["title"] == title
            assert Client().get(found[0]["url"]).status_code == 200
    count = len(all_lessons())
    assert len(hits(Client(), "lessons", "lesson")) == count
    assert len(hits(Client(), "lección", "lesson")) == count
    assert "lesson" not in titles(Client(), "zzzz")


# What results say


def test_results_say_what_was_found_and_where(world: World) -> None:
    """Rows of another circuit than the site's own name it."""
    Corrida.objects.all().delete()
    other = small_circuit("otro", "Otro", public=True)
    for each in (world, other):
        Matador.objects.filter(pk=each.matadors[0].pk).update(apodo="El Rondeño")
        Matador.objects.filter(pk=each.matadors[1].pk).update(apodo="Francisco Montes")
        book = record_book(each.circuit)
        ronda = record_book(each.circuit, "plaza", "ronda")
        for number, kept, corridas in ((0, book, 1200), (0, ronda, 3), (1, book, 1)):
            Palmares.objects.create(
                book=kept, matador=each.matadors[number], season=each.season, corridas=corridas
            )
        Plaza.objects.filter(pk=each.plazas[0].pk).update(seats=5000)
        Ganaderia.objects.filter(pk=each.herd.pk).update(encaste="Santa Coloma")
        first, second = (each.announce(dt.date(2027, 5, day), plaza=day - 1) for day in (1, 2))
        each.born = 6
        each.bull(second, 0, "Farolero")
        more = {"book": book, "season": each.season}
        Record.objects.create(
            **more, key="share_ears", value=1234, matador=each.matadors[0], corrida=first
        )
        Record.objects.create(**more, key="season_ears", value=9, ganaderia=each.herd)
    reindex()
    wanted = {
        "pedro romero": ("Pedro Romero “El Rondeño”", "matador · Ronda", "1,200", "corridas"),
        "francisco montes": ("Francisco Montes", "matador · Ronda", "1", "corrida"),
        "vieja arles": ("Arles, La Vieja", "2nd category", "", ""),
        "vieja ronda": ("Ronda, La Vieja", "1st category · 5,000 seats", "", ""),
        "mayalde": ("Conde de Mayalde", "herd · Santa Coloma · Europe", "", ""),
        "farolero": (
            "Farolero 7", "no. 7, 520 kg · Conde de Mayalde · Arles, 2 May 2027", "", "",
        ),
        "ronda 1 mayo": ("Ronda, 1 May 2027", "La Vieja · Feria de Pedro Romero", "", ""),
        "arles 2 mayo": ("Arles, 2 May 2027", "La Vieja", "", ""),
        "feria": ("Feria de Pedro Romero", "Ronda · 2027", "1", "corrida"),
        "season 2027": ("Season 2027", "Circuito Leyendas", "2", "corridas"),
        "most ears afternoon": (
            "Most ears in an afternoon", "El Rondeño · Ronda, 1 May 2027", "1,234", "",
        ),
        "most ears season": ("Most ears in a season", "Conde de Mayalde · 2027", "9", ""),
    }  # fmt: skip
    kinds = ("matador", "matador", "plaza", "plaza", "herd", "bull", "corrida", "corrida",
        "feria", "season", "record", "record")  # fmt: skip
    found = {}
    for (asked, said), kind in zip(wanted.items(), kinds, strict=True):
        answer = Client().get("/api/v1/search/", {"q": asked, "kind": kind}).json()
        own, copied = answer["groups"][0]["hits"]
        found[asked] = tuple(own[name] for name in ("title", "detail", "figure", "unit"))
        named = "Otro" if kind == "season" else f"{said[1]} · Otro"
        assert copied["detail"] == named
        assert "/circuitos/otro/" in copied["page"]
        assert "/circuitos/" not in own["page"]
    assert found == wanted
