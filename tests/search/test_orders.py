"""The order of search results of each kind, their pages, and who may see them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from corridas.models import (
    Corrida,
    Feria,
    Ganaderia,
    Matador,
    MatadorCard,
    Plaza,
    Record,
    Season,
)
from leagues.models import Player
from search import views
from search.kinds import all_kinds
from tests.factories import CARD, World, account, browser, league, record_book, small_circuit
from tests.search.scene import reindex, titles

pytestmark = pytest.mark.usefixtures("world")

# Kinds of results that belong to a circuit.
OF_A_CIRCUIT = {"matador", "plaza", "herd", "bull", "corrida", "feria", "season", "record"}


# Expected orders: best known or latest first; ties by age; results without a figure last


def matadors_called_alba(world: World) -> None:
    for name, rating in (("Alba Uno", 50), ("Pepe Alba", 99), ("Alba Dos", 80), ("Alba Tres", None),
                         ("Alba Cuatro", 50)):  # fmt: skip
        row = Matador.objects.create(
            circuit=world.circuit, slug=name.lower().replace(" ", "-"), name=name
        )
        if rating:
            MatadorCard.objects.create(matador=row, rating=rating, **CARD)
            MatadorCard.objects.create(matador=row, rating=99, printing=2, since=2028, **CARD)


def plazas_in_alba(world: World) -> None:
    more = {"circuit": world.circuit, "country": "ES", "continent": "EU"}
    for number, category in enumerate((3, 1, 2, 1)):
        city = f"Alba {number}"
        Plaza.objects.create(slug=f"alba-{number}", city=city, name="N", category=category, **more)
    Plaza.objects.create(slug="nueva", city="Nueva", name="Alba", category=1, **more)


def herds_called_alba(world: World) -> None:
    more = {"circuit": world.circuit, "country": "ES", "continent": "EU"}
    for number, name in enumerate(("Alba Uno", "Alba Dos", "Hijos de Alba", "Alba Tres")):
        Ganaderia.objects.create(slug=f"alba-{number}", name=name, **more)


def bulls_called_alba(world: World) -> None:
    corrida = world.announce(dt.date(2027, 6, 1))
    for place, name in enumerate(("Alba", "Nube Alba", "Alba")):
        world.bull(corrida, place, name)


def corridas_in_alba(world: World) -> None:
    plazas = [
        Plaza.objects.create(
            circuit=world.circuit, slug=f"alba-{number}", city="Alba", name=f"N{number}",
            country="ES", continent="EU", category=3,
        )
        for number in range(2)
    ]  # fmt: skip
    for day, plaza in ((3, 0), (5, 0), (5, 1), (4, 1)):
        Corrida.objects.create(season=world.season, plaza=plazas[plaza], date=dt.date(2027, 6, day))


def ferias_called_alba(world: World) -> None:
    for number, plaza in enumerate((1, 0, 1)):
        Feria.objects.create(
            season=world.season, plaza=world.plazas[plaza], slug=f"alba-{number}",
            name=f"Alba {number}", starts=dt.date(2027, 3, 1), ends=dt.date(2027, 3, 9),
        )  # fmt: skip


def seasons(world: World) -> None:
    for year in (2026, 2029, 2028):
        Season.objects.create(circuit=world.circuit, year=year, seed=b"t" * 32, commitment=b"c")


def players_called_alba(world: World) -> None:
    for name in ("Alba Uno", "Rosa Alba", "Alba Dos"):
        account(name)


def leagues_called_alba(world: World) -> None:
    organiser = account("Organiser")
    for number, name in enumerate(("Alba Uno", "Liga Alba", "Alba Dos")):
        league(
            "dominoes", organiser, rules={}, name=name, slug=f"alba-{number}",
            invitation=f"alba-{number}", visibility="public",
        )  # fmt: skip


def records(world: World) -> None:
    more = {"key": "share_ears", "value": 2, "season": world.season}
    Record.objects.create(book=record_book(world.circuit), **more)
    Record.objects.create(book=record_book(world.circuit, "plaza", "ronda"), **more)
    more["key"] = "share_tails"
    Record.objects.create(book=record_book(world.circuit), **more)


ORDERS: dict[str, tuple[Callable[[World], None], str, list[str]]] = {
    "matador": (
        matadors_called_alba,
        "alba",
        ["Alba Dos", "Alba Cuatro", "Alba Uno", "Alba Tres", "Pepe Alba"],
    ),
    "plaza": (
        plazas_in_alba,
        "alba",
        ["Alba 3, N", "Alba 1, N", "Alba 2, N", "Alba 0, N", "Nueva, Alba"],
    ),
    "herd": (herds_called_alba, "alba", ["Alba Tres", "Alba Dos", "Alba Uno", "Hijos de Alba"]),
    "bull": (bulls_called_alba, "alba", ["Alba 9", "Alba 7", "Nube Alba 8"]),
    "corrida": (
        corridas_in_alba,
        "alba",
        [
            *("Alba, 5 June 2027 N1", "Alba, 5 June 2027 N0"),
            *("Alba, 4 June 2027 N1", "Alba, 3 June 2027 N0"),
        ],
    ),
    "feria": (ferias_called_alba, "alba", ["Alba 1", "Alba 2", "Alba 0"]),
    "season": (seasons, "season", ["Season 2029", "Season 2028", "Season 2027", "Season 2026"]),
    "record": (
        records,
        "record",
        ["Most tails in an afternoon", "Most ears in an afternoon", "Records: Ronda, La Vieja"],
    ),
    "player": (players_called_alba, "alba", ["Alba Dos", "Alba Uno", "Rosa Alba"]),
    "league": (leagues_called_alba, "alba", ["Alba Dos", "Alba Uno", "Liga Alba"]),
}


@pytest.mark.databases
@pytest.mark.parametrize("kind", ORDERS)
def test_results_of_a_kind_have_the_expected_order(world: World, kind: str) -> None:
    fill, question, expected = ORDERS[kind]
    fill(world)
    reindex()
    hits = Client().get("/api/v1/search/", {"q": question, "kind": kind}).json()["groups"][0]
    found = [
        f"{hit['title']} {hit['detail']}" if kind == "corrida" else hit["title"]
        for hit in hits["hits"]
    ]
    assert found == expected
    assert titles(Client(), question)[kind] == [hit["title"] for hit in hits["hits"][:2]]


def test_every_indexed_kind_has_an_expected_order() -> None:
    kinds = {kind.key for kind in all_kinds() if kind.rows}
    assert set(ORDERS) == kinds == OF_A_CIRCUIT | {"player", "league"}


# Pages of results


# One kind that is in the index, and one whose texts are in files.
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "question"), [("bull", "cantinero"), ("glossary", "m")])
def test_page_of_results_is_full_before_another_one_follows(
    monkeypatch: pytest.MonkeyPatch, kind: str, question: str
) -> None:
    def page(number: int) -> tuple[int, bool, bool]:
        asked = {"q": question, "kind": kind, "page": str(number)}
        answer = Client().get("/buscar/", asked, headers={"HX-Request": "true"}).text
        return answer.count('class="hit"'), 'rel="next"' in answer, 'rel="prev"' in answer

    total = Client().get("/api/v1/search/", {"q": question, "kind": kind}).json()["total"]
    monkeypatch.setattr(views, "PAGE_SIZE", total)
    assert page(1) == (total, False, False)
    assert page(2) == page(1), "a page that does not exist is the last one"
    monkeypatch.setattr(views, "PAGE_SIZE", total - 1)
    assert page(1) == (total - 1, True, False)
    assert page(2) == page(3) == (1, False, True)


@pytest.mark.parametrize(("count", "more"), [(2, None), (3, "1"), (4, "2")])
def test_more_than_two_results_of_a_kind_are_behind_a_link(count: int, more: str | None) -> None:
    for number in range(count):
        account(f"Ramona {number}")
    page = Client().get("/buscar/", {"q": "ramona"}).text
    assert page.count('class="hit"') == 2
    found = re.search(r"Players: (\d+) more", page)
    assert (found and found[1]) == more


# Who may see results


@pytest.mark.slow
@pytest.mark.parametrize("shut", [{"public": False}, {"archived_at": timezone.now()}])
def test_results_of_a_private_circuit_are_hidden_from_others(
    world: World, shut: dict[str, Any]
) -> None:
    """Every kind is first found by all users, then only by the owner."""
    owner, other = account("owner"), account("other")
    closed = small_circuit("closed", "Closed", owner=owner.user)
    named = (closed.plazas[0], "city"), (closed.feria, "name"), (closed.herd, "name")
    for row, name in (*named, (closed.matadors[0], "name"), (closed.season, "year")):
        setattr(row, name, 2039 if name == "year" else "Zahara")
        row.save()
    closed.bull(closed.announce(dt.date(2039, 5, 16)), 0, "Zahara")
    Record.objects.create(
        book=record_book(closed.circuit, "plaza", "ronda"), key="share_ears", value=2
    )
    reindex()

    def found(of: Player | None) -> set[str]:
        """Return the kinds of results found by the names in the circuit."""
        client = browser(of)
        return {kind for question in ("zahara", "2039") for kind in titles(client, question)}

    assert found(other) == found(owner) == OF_A_CIRCUIT
    for name, value in shut.items():
        setattr(closed.circuit, name, value)
    closed.circuit.save()
    for person in (None, other):
        assert found(person) == set()
    assert found(owner) == OF_A_CIRCUIT


def test_result_whose_row_was_deleted_meanwhile_is_left_out(world: World) -> None:
    """The row is deleted without updating the index."""
    Matador.objects.create(circuit=world.circuit, slug="gone", name="Montes de Oca")
    reindex()
    assert len(titles(Client(), "montes")["matador"]) == 2
    Matador.objects.filter(slug="gone").delete()
    assert titles(Client(), "montes")["matador"] == ["Francisco Montes"]
    assert Client().get("/buscar/", {"q": "montes"}).status_code == 200


# Unwatched results

CAREERS: dict[str, tuple[dict[str, Any], str]] = {
    "retired": ({"state": "retired", "retired_in": 2027}, "retired after the 2027 season"),
    "retired without a year": ({"state": "retired"}, "retired"),
    "novillero": ({"state": "novillero"}, "novillero"),
    "alternativa": ({"alternativa": dt.date(2027, 5, 1)}, "alternativa in 2027"),
}


@pytest.mark.parametrize("career", CAREERS)
def test_careers_in_results_are_shown_only_if_everything_was_watched(
    world: World, career: str
) -> None:
    """In another circuit, where nothing is hidden, careers are shown to everybody."""
    columns, said = CAREERS[career]
    other = small_circuit("otro", "Otro")
    for matador in (world.matadors[0], other.matadors[0]):
        Matador.objects.filter(pk=matador.pk).update(**columns)
    reindex()
    person = account("vera", shielded_since=timezone.now() - dt.timedelta(days=1))

    def told(client: Client) -> dict[bool, bool]:
        answer = client.get("/api/v1/search/", {"q": "pedro romero", "kind": "matador"})
        (group,) = answer.json()["groups"]
        return {"/otro/" in hit["page"]: said in hit["detail"] for hit in group["hits"]}

    assert told(browser(person)) == {False: True, True: True}
    world.air(world.announce(dt.date(2027, 5, 20), plaza=1), 60)
    assert told(browser(person)) == {False: False, True: True}
    assert told(Client()) == {False: True, True: True}
