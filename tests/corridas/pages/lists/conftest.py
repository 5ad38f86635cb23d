"""A circuit with ties and empty cells in every column of every list."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from corridas.models import Bull, Corrida, Ganaderia, Lidia, Matador, MatadorCard, Plaza, Season
from corridas.simulation.derived_book import rebuild_book
from tests.databases import written_again
from tests.factories import CARD, OREJA, RABO, SILENCIO, World, live_through, small_circuit

QUIET = (OREJA, SILENCIO, SILENCIO, SILENCIO, SILENCIO, SILENCIO)


@written_again
def varied_circuit() -> World:
    """Return a circuit with two seasons and ties and empty cells in every list.

    March 2027 has the three corridas of the lived circuit, then one in Arles with bulls of
    another herd: a matador is injured, a bull is spared, and nobody can finish the last bull.
    Two corridas follow on one day in small plazas. The season 2028 has one corrida that was
    played and two to come on one day, one of them without a cartel.
    """
    world = live_through(small_circuit())
    _people(world)
    other = _places(world)
    corrida = _with(world, other, dt.date(2027, 3, 8), plaza=1)
    _with(world, Ganaderia.objects.get(slug="niguez"), dt.date(2027, 3, 10), plaza=2)
    _with(world, other, dt.date(2027, 3, 10), plaza=3, first=3)
    world.hurt_and_spare(corrida)
    last = {"finisher": None, "ending": "broken_off", "trophy": None, "crowd": None}
    Lidia.objects.filter(corrida=corrida, turn=6).update(**last)
    _bulls(corrida)
    season = Season.objects.create(
        circuit=world.circuit, year=2028, seed=b"t" * 32, commitment=b"c" * 32
    )
    later = replace(world, season=season)
    later.post(later.announce(dt.date(2028, 3, 2), 0), [RABO, *QUIET[1:]])
    world.born = later.born
    day = dt.date(2028, 5, 1)
    later.announce(day, 0)
    Corrida.objects.create(season=season, plaza=world.plazas[1], date=day)
    rebuild_book(world.circuit, write_rows=True)
    return world


def _with(world: World, herd: Ganaderia, day: dt.date, plaza: int, first: int = 0) -> Corrida:
    """Post a corrida with one ear and with bulls of this herd."""
    other = replace(world, herd=herd)
    corrida = other.post(other.announce(day, plaza, first), QUIET)
    world.born = other.born
    return corrida


def _people(world: World) -> None:
    day = dt.date(2020, 4, 1)
    for matador, country, style, alternativa in zip(
        world.matadors,
        ("ES", "MX", "", "ES"),
        ("cold", "dominator", "", "cold"),
        (day, day, None, dt.date(2019, 5, 1)),
        strict=True,
    ):
        matador.country, matador.style, matador.alternativa = country, style, alternativa
        matador.save()
    more = {"circuit": world.circuit}
    Matador.objects.create(slug="angel", name="Ángel Zurdo", state="novillero", **more)
    for slug, name in (("juan", "Juan León"), ("curro", "Cúchares")):
        world.matadors.append(Matador.objects.create(slug=slug, name=name, **more))
    oscar = Matador.objects.create(
        slug="oscar", name="Óscar Ñíguez", state="retired", retired_in=2026, **more
    )
    for matador, rating in zip((*world.matadors[4:], oscar), (70, 70, 90), strict=True):
        MatadorCard.objects.create(matador=matador, rating=rating, **CARD)


def _places(world: World) -> Ganaderia:
    """Create plazas and herds, and return the second herd with bulls; two others have none."""
    Ganaderia.objects.filter(pk=world.herd.pk).update(encaste="Santa Coloma")
    more = {"circuit": world.circuit, "continent": "EU"}
    Ganaderia.objects.create(
        slug="niguez", name="Ñíguez", country="ES", encaste="Santa Coloma", **more
    )
    for name in ("Palha", "Oliveira"):
        Ganaderia.objects.create(slug=name.lower(), name=name, country="PT", **more)
    Plaza.objects.filter(circuit=world.circuit).update(seats=5000)
    for city, country in (("Zahara", "ES"), ("Cieza", "ES"), ("Céret", "FR")):
        plaza = Plaza.objects.create(
            slug=city.lower(), name="La Nueva", city=city, country=country, category=3, **more
        )
        world.plazas.append(plaza)
    return Ganaderia.objects.create(slug="aldama", name="Aldama", country="PT", **more)


def _bulls(corrida: Corrida) -> None:
    Bull.objects.filter(lidia__isnull=False).update(state="muerto")
    spared = Bull.objects.filter(lidia__ending="spared")
    Bull.objects.filter(pk__in=list(spared.values_list("pk", flat=True))).update(state="semental")
    Bull.objects.filter(cartel=corrida.pk, place=5).update(state="corrales")
    Bull.objects.filter(cartel=corrida.pk, place__lt=3).update(coat="castaño", weight=560)
    Lidia.objects.filter(corrida=corrida, turn=2).update(score=9)


@pytest.fixture
def varied(db: None) -> World:
    return varied_circuit()
