"""Pages and API answers do not depend on another circuit or season with equal addresses.

Every query must be limited to the circuit, and every query of a season to that season.
"""

from __future__ import annotations

import datetime as dt
import re
from unittest import mock

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas.models import (
    Circuit,
    Corrida,
    Feria,
    Ganaderia,
    Lidia,
    Matador,
    MatadorCard,
    Plaza,
    Puesto,
    Run,
    Season,
)
from corridas.simulation.record_book import rebuild_record_book
from corridas.simulation.schedule import promise_winter
from fairness import Seed
from tests.databases import rolled_back, written_again
from tests.factories import CARD, OREJA, RABO, World, live_through, small_circuit

NOW = dt.datetime(2027, 4, 1, 12, tzinfo=dt.UTC)
CARTEL, OPEN = dt.date(2027, 4, 2), dt.date(2027, 4, 9)


def filled(world: World) -> World:
    """Add a year to the circuit: corridas, an injury, an indulto, an alternativa and a run."""
    live_through(world)
    last = Corrida.objects.filter(season=world.season).latest("date")
    Lidia.objects.filter(corrida=last, turn=2).update(injured=1)
    world.hurt_and_spare(last)
    new, padrino, testigo = world.matadors[0], world.matadors[1], world.matadors[2]
    Matador.objects.filter(pk=new.pk).update(
        alternativa=last.date, padrino=padrino, testigo=testigo
    )
    run = Run.objects.create(
        season=world.season,
        until=last.date,
        last=last,
        asked_at=timezone.now(),
        ended_at=timezone.now(),
        state=Run.State.DONE,
        done=3,
        total=3,
    )
    Corrida.objects.filter(season=world.season).update(run=run)
    missed = world.announce(CARTEL, plaza=1)
    Puesto.objects.filter(cartel=missed.pk, matador=new).update(
        matador=world.matadors[3], instead_of=new
    )
    Corrida.objects.create(season=world.season, plaza=world.plazas[0], feria=world.feria, date=OPEN)
    rebuild_record_book(world.circuit.pk)
    promise_winter(world.season, Seed(bytes(32)))
    return world


def another_circuit() -> None:
    """Create a circuit with the same addresses, but other names, more corridas and more years."""
    world = small_circuit("barrio", "Barrio", public=False)
    for model, field in ((Matador, "name"), (Plaza, "city"), (Ganaderia, "name")):
        for row in model.objects.filter(circuit=world.circuit):
            setattr(row, field, f"Otro {row.pk}")
            row.save()
    world.matadors = list(Matador.objects.filter(circuit=world.circuit).order_by("pk"))
    MatadorCard.objects.filter(matador__in=world.matadors).update(rating=F("rating") + 5)
    filled(world)
    Matador.objects.create(circuit=world.circuit, slug="otro", name="Otro", country="PE")
    for matador in world.matadors:
        MatadorCard.objects.create(matador=matador, rating=99, printing=2, **CARD)
    for day in (1, 3, 30):
        world.post(world.announce(dt.date(2027, 3, day), plaza=1, first=1), [RABO] * 6)
    for year in (2026, 2028):
        season = Season.objects.create(
            circuit=world.circuit, year=year, seed=b"s" * 32, commitment=b"c" * 32
        )
        world.season = season
        world.post(world.announce(dt.date(year, 3, 2), plaza=1, first=1), [RABO] * 6)
        world.announce(CARTEL.replace(year=year), plaza=1, first=1)
    rebuild_record_book(world.circuit.pk)


@written_again
def alone() -> World:
    with mock.patch("django.utils.timezone.now", return_value=NOW):
        return filled(small_circuit())


@written_again
def beside() -> World:
    with mock.patch("django.utils.timezone.now", return_value=NOW):
        world = filled(small_circuit())
        another_circuit()
    return world


@written_again
def after_another_season() -> World:
    """Return the circuit with a season two years earlier, which has a feria of the same address.

    The earlier season has ended. With a corrida left to play, it would be the current season, and
    its date would decide which matadors are injured.
    """
    with mock.patch("django.utils.timezone.now", return_value=NOW):
        world = filled(small_circuit())
        this, feria = world.season, world.feria
        world.season = world.another_season(2025)
        world.feria = Feria.objects.create(
            season=world.season,
            plaza=world.plazas[0],
            slug=feria.slug,
            name=feria.name,
            starts=feria.starts.replace(year=2025),
            ends=feria.ends.replace(year=2025),
        )
        for day in (2, 3, 4):
            corrida = world.post(world.announce(dt.date(2025, 3, day), first=1), [OREJA] * 6)
        Run.objects.create(
            season=world.season,
            until=corrida.date,
            last=corrida,
            asked_at=NOW,
            ended_at=NOW,
            state=Run.State.DONE,
            done=1,
            total=1,
        )
        failed = world.announce(CARTEL.replace(year=2025), plaza=1, first=1)
        Corrida.objects.filter(pk=failed.pk).update(state=Corrida.State.FAILED)
        world.season, world.feria = this, feria
    return world


PAGES = (
    "/",
    "/anuario/2027/",
    "/corridas/{corrida}/",
    "/corridas/{coming}/",
    "/direccion/",
    "/direccion/ajustes/",
    "/direccion/borrar/",
    "/direccion/calendario/",
    "/direccion/cartel/{coming}/",
    "/direccion/cartel/{open}/",
    "/direccion/jugar/",
    "/direccion/mesas/",
    "/enfermeria/",
    "/escalafon/",
    "/escalafon/2027.csv",
    "/escalafon/2027.csv?until=2027-03-04",
    "/ganaderias/",
    "/ganaderias/?format=csv",
    "/ganaderias/mayalde/",
    "/mano-a-mano/",
    "/mano-a-mano/?left=matador-0",
    "/mano-a-mano/matador-0/matador-1/",
    "/matadores/",
    "/matadores/?format=csv",
    "/matadores/?season=2027&format=csv",
    "/matadores/comparar/",
    "/matadores/matador-0/",
    "/matadores/matador-1/",
    "/plazas/",
    "/plazas/?format=csv",
    "/plazas/arles/",
    "/plazas/ronda/",
    "/premios/",
    "/premios/2027/",
    "/records/",
    "/records/feria/goyesca/",
    "/records/ganaderia/mayalde/",
    "/records/matador/matador-0/",
    "/records/plaza/ronda/",
    "/resultados/",
    "/resultados/?format=csv",
    "/salon/",
    "/temporada/",
    "/temporada/2027/?by=feria",
    "/temporada/2027/final/",
    "/temporada/2027/goyesca/",
    "/temporada/2027/invierno/",
    "/temporada/2027/resumen/",
    "/temporada/2027/resumen/{run}/?all=1",
    "/tienta/",
    "/toros/",
    "/toros/?format=csv",
    "/toros/?fate=campo",
    "/toros/{bull}/",
    "/siguiendo/",
)
ANSWERS = (
    "",
    "plazas/",
    "plazas/ronda/",
    "herds/",
    "herds/mayalde/",
    "bulls/",
    "bulls/{bull}/",
    "matadors/",
    "matadors/matador-0/",
    "duels/matador-0/matador-1/",
    "cards/",
    "records/",
    "hall/",
    "tables/",
    "seasons/",
    "seasons/2027/",
    "seasons/2027/ferias/",
    "seasons/2027/ferias/goyesca/",
    "seasons/2027/escalafon/",
    "seasons/2027/race/",
    "seasons/2027/awards/",
    "seasons/2027/yearbook/",
    "seasons/2027/winter/",
    "seasons/2027/digests/",
    "seasons/2027/digests/{run}/",
)


# Answers about one season. The record book and careers are left out, because earlier seasons count.
OF_A_SEASON = (
    "/escalafon/2027.csv",
    "/escalafon/2027.csv?until=2027-03-04",
    "/matadores/?season=2027&format=csv",
    "/resultados/?season=2027&format=csv",
    "/toros/?season=2027&format=csv",
    *(f"/api/v1/circuits/leyendas/{end}" for end in ANSWERS if end.startswith("seasons/2027/")),
)


def read(world: World, address: str) -> str:
    """Return the answer to the circuit's director, without the tokens of forms."""
    user = User.objects.create_user("ana")
    Circuit.objects.filter(pk=world.circuit.pk).update(owner=user)
    own = Corrida.objects.filter(season=world.season)
    keys = {
        "corrida": own.earliest("date").pk,
        "coming": own.get(date=CARTEL).pk,
        "open": own.get(date=OPEN).pk,
        "run": Run.objects.get(season=world.season).pk,
        "bull": Lidia.objects.filter(corrida__in=own).earliest("pk").bull_id,
    }
    browser = Client()
    browser.force_login(user)
    cache.clear()
    answer = browser.get(address.format(**keys))
    assert answer.status_code == 200, answer
    text: str = answer.getvalue().decode("utf-8-sig")
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", text)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", [*PAGES, *(f"/api/v1/circuits/leyendas/{end}" for end in ANSWERS)]
)
def test_an_answer_does_not_depend_on_another_circuit_with_the_same_addresses(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    with rolled_back():
        expected = read(alone(), address)
    world = beside()
    assert Circuit.objects.count() == 2
    assert read(world, address) == expected


@pytest.mark.django_db
@pytest.mark.parametrize("address", OF_A_SEASON)
def test_an_answer_about_a_season_does_not_depend_on_another_season(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    with rolled_back():
        expected = read(alone(), address)
    world = after_another_season()
    assert Season.objects.count() == 2
    assert read(world, address) == expected
