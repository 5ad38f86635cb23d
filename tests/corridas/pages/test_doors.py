"""Only its director can use a circuit's management pages, and only for rows of that circuit."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.urls import URLPattern

from accounts.models import User
from corridas.addresses import address
from corridas.models import Circuit, Corrida, Season
from corridas.urls import PAGES
from tests.factories import World, browser_of

DIRECTION = [page for page in PAGES if str(page.pattern).startswith("direccion/")]
PARTS = {"table": "plazas", "year": 2027, "turn": 1, "card": 1}


@pytest.fixture
def barrio(lived: World) -> World:
    """Return a public circuit of Ana. Berta has another circuit, which only contains a season."""
    ana, berta = User.objects.create_user("ana"), User.objects.create_user("berta")
    Circuit.objects.filter(pk=lived.circuit.pk).update(owner=ana, slug="barrio", name="Barrio")
    other = Circuit.objects.create(slug="otro", name="Otro", owner=berta, deck=lived.deck)
    Season.objects.create(circuit=other, year=2027, seed=b"o" * 32, commitment=b"o" * 32)
    return lived


def way_of(circuit: str, page: URLPattern, corrida: Corrida) -> str:
    parts = {**PARTS, "pk": corrida.pk, "slug": "matador-0"}
    given = {name: parts.get(name, "matador-0") for name in page.pattern.converters}
    return address(circuit, page.name or "", **given)


@pytest.mark.slow
@pytest.mark.parametrize("page", DIRECTION, ids=lambda page: page.name)
def test_only_the_director_can_use_the_management_pages_of_a_public_circuit(
    barrio: World, page: URLPattern
) -> None:
    corrida = barrio.announce(dt.date(2027, 8, 1))
    way = way_of("barrio", page, corrida)
    before = Circuit.objects.values().get(slug="barrio")
    for method in ("get", "post"):
        assert getattr(browser_of("berta"), method)(way).status_code in {403, 404, 405}, method
        nobody = getattr(Client(), method)(way)
        assert nobody.status_code == 302
        assert "/accounts/" in nobody["Location"]
    assert Circuit.objects.values().get(slug="barrio") == before
    corrida.refresh_from_db()
    assert corrida.state == "announced"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "pk" in page.pattern.converters], ids=lambda page: page.name
)
def test_rows_of_another_circuit_are_not_found_below_the_url_of_a_circuit(
    barrio: World, page: URLPattern
) -> None:
    corrida = barrio.announce(dt.date(2027, 8, 1))
    way = way_of("otro", page, corrida)
    assert browser_of("berta").get(way).status_code in {404, 405}
    assert browser_of("berta").post(way).status_code in {404, 405}
