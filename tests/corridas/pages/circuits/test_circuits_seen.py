"""Pages of a second circuit: at its own address, and only for users who may see it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern

from accounts.models import User
from corridas.addresses import address
from corridas.models import Circuit, Corrida
from corridas.urls import PAGES
from tests.factories import World, browser_of

Enter = Callable[[str], Client]
PARTS = {"year": 2027, "run": 1, "slug": "nadie", "pk": 1, "turn": 1, "card": 1}


@pytest.fixture
def barrio(lived: World) -> World:
    """Return a circuit `barrio` that belongs to Ana, after three corridas."""
    lived.circuit.owner = User.objects.create_user("ana")
    lived.circuit.slug, lived.circuit.name = "barrio", "Circuito del Barrio"
    lived.circuit.save()
    return lived


@pytest.fixture
def enter(db: None) -> Enter:
    """Return a function that signs in a user by name."""
    return browser_of


def private(world: World) -> None:
    Circuit.objects.filter(pk=world.circuit.pk).update(public=False)


def ways(world: World) -> list[str]:
    """Return the URL of every page that has something to show."""
    corrida = Corrida.objects.filter(state="posted").first()
    bull = world.herd.bulls.first()
    assert corrida
    assert bull
    return [
        address("barrio", "home"),
        address("barrio", "escalafon"),
        address("barrio", "escalafon", year=2027),
        address("barrio", "escalafon_csv", year=2027),
        address("barrio", "matadors"),
        address("barrio", "matador", slug="matador-0"),
        address("barrio", "plazas"),
        address("barrio", "plaza", slug="ronda"),
        address("barrio", "herds"),
        address("barrio", "herd", slug="mayalde"),
        address("barrio", "bull", pk=bull.pk),
        address("barrio", "season"),
        address("barrio", "season", year=2027),
        address("barrio", "feria", year=2027, slug="goyesca"),
    ]


@pytest.mark.slow
def test_every_page_of_a_second_circuit_links_only_into_that_circuit(
    barrio: World, client: Client
) -> None:
    for way in ways(barrio):
        page = client.get(way)
        assert page.status_code == 200, way
        if "html" in page["Content-Type"]:
            assert 'href="/matadores/' not in page.text, way
            assert 'href="/temporada/' not in page.text, way


@pytest.mark.slow
def test_pages_of_a_private_circuit_are_not_found_for_other_users(
    barrio: World, enter: Enter, client: Client
) -> None:
    private(barrio)
    visitors = (client, enter("stranger"))
    for page in PAGES:
        way = address("barrio", page.name or "", **parts_of(page))
        for visitor in visitors:
            assert visitor.get(way).status_code == 404, way
            assert visitor.post(way).status_code == 404, way


def parts_of(page: URLPattern) -> dict[str, object]:
    """Return a value for every argument of a URL, including an existing corrida."""
    parts: dict[str, object] = {name: PARTS.get(name, "nadie") for name in page.pattern.converters}
    if page.name in {"corrida", "lidia", "card"}:
        parts["pk"] = Corrida.objects.earliest("pk").pk
    return parts


def test_rows_of_a_second_circuit_are_not_found_at_the_site_circuit_s_urls(
    barrio: World, client: Client
) -> None:
    corrida, bull = Corrida.objects.earliest("pk"), barrio.herd.bulls.first()
    assert bull
    short = (
        address("", "corrida", pk=corrida.pk),
        address("", "lidia", pk=corrida.pk, turn=1),
        address("", "card", pk=corrida.pk, turn=1, card=1),
        address("", "bull", pk=bull.pk),
        address("", "matador", slug="matador-0"),
        address("", "plaza", slug="ronda"),
        address("", "herd", slug="mayalde"),
        address("", "season", year=2027),
    )
    assert {client.get(way).status_code for way in short} == {404}


def test_the_cached_ranking_of_a_private_circuit_is_shown_to_its_director_only(
    barrio: World, enter: Enter, client: Client
) -> None:
    cache.clear()
    way = address("barrio", "escalafon")
    assert "Pedro Romero" in client.get(way).text
    private(barrio)
    page = enter("ana").get(way)
    assert "Pedro Romero" in page.text
    assert client.get(way, headers={"if-none-match": page["ETag"]}).status_code == 404
    assert client.get(way).status_code == 404


def test_cached_rankings_of_two_circuits_with_the_same_year_are_separate(
    barrio: World, client: Client
) -> None:
    cache.clear()
    other = Circuit.objects.create(slug="leyendas", name="Leyendas", deck=barrio.deck)
    other.seasons.create(year=2027, seed=b"s" * 32, commitment=b"c" * 32, posted_version=3)
    for _again in range(2):
        assert "Pedro Romero" not in client.get("/escalafon/2027/").text
        assert "Pedro Romero" in client.get(address("barrio", "escalafon", year=2027)).text


def test_long_urls_of_the_site_s_own_circuit_redirect_to_the_short_ones(
    lived: World, client: Client
) -> None:
    answer = client.get("/circuitos/leyendas/escalafon/2027/?sort=ears")
    assert (answer.status_code, answer["Location"]) == (301, "/escalafon/2027/?sort=ears")
    assert client.get("/circuitos/leyendas/")["Location"] == "/"
    assert client.post("/circuitos/leyendas/direccion/alto/").status_code == 404


@pytest.mark.slow
def test_a_corrida_on_air_links_only_into_its_circuit(
    barrio: World, client: Client, enter: Enter
) -> None:
    corrida = barrio.air_in_earnest(barrio.announce(dt.date(2027, 3, 9)), seconds=30)
    way = address("barrio", "corrida", pk=corrida.pk)
    page = client.get(way)
    assert page.status_code == 200
    assert f'href="/circuitos/barrio/corridas/{corrida.pk}/1/' in page.text
    assert 'href="/corridas/' not in page.text
    ahead = client.get(f"{way}6/1/")
    assert ahead["Location"] == way
    private(barrio)
    first = enter("ana").get(f"{way}0/0/", headers={"hx-request": "true"})
    assert first["Cache-Control"].startswith("private")
    feed = f"/live/corrida-en/{corrida.pk}/"
    assert client.get(feed).status_code == 404


def test_a_user_can_look_at_a_private_circuit_that_is_offered(barrio: World, enter: Enter) -> None:
    private(barrio)
    way = address("barrio", "home")
    assert enter("berta").get(way).status_code == 404
    berta = User.objects.get(username="berta")
    Circuit.objects.filter(pk=barrio.circuit.pk).update(offered_to=berta)
    assert enter("berta").get(way).status_code == 200
    assert enter("berta").get(address("barrio", "desk")).status_code == 403
