"""Every list and page of the office: it opens, and asks as much for one row as for three."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import models
from django.test import Client
from django.utils import timezone

from corridas.models import (
    Bull,
    Circuit,
    Corrida,
    Deck,
    Escalafon,
    Feria,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Plaza,
    Run,
    Season,
)
from tests.corridas.admin.conftest import CARD, Queries, World

LISTED: tuple[type[models.Model], ...] = (
    Bull,
    Circuit,
    Corrida,
    Deck,
    Escalafon,
    Feria,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    Plaza,
    Run,
    Season,
)


def address(model: type[models.Model], rest: str = "") -> str:
    return f"/admin/corridas/{model._meta.model_name}/{rest}"


def one_more(world: World, number: int) -> None:
    """One more row of every kind, as different from the others as rows can be."""
    deck = Deck.objects.create(name=f"Deck {number}", digest=str(number), cards=world.deck.cards)
    circuit = Circuit.objects.create(slug=f"c{number}", name=f"Circuit {number}", deck=deck)
    season = Season.objects.create(circuit=circuit, year=2030, seed=b"s", commitment=b"c")
    plaza = Plaza.objects.create(
        circuit=circuit,
        slug="p",
        name=f"Plaza {number}",
        city="Olivenza",
        country="ES",
        continent="EU",
        category=3,
    )
    feria = Feria.objects.create(
        season=season,
        plaza=plaza,
        slug="f",
        name=f"Feria {number}",
        starts=dt.date(2030, 4, 1),
        ends=dt.date(2030, 4, 3),
    )
    matador = Matador.objects.create(circuit=circuit, slug="m", name=f"Matador {number}")
    MatadorCard.objects.create(matador=matador, rating=50, **CARD)
    day = dt.date(2027, 5, number)
    corrida = world.post(world.announce(day, plaza=number % 2, first=number))
    Corrida.objects.filter(pk=corrida.pk).update(season=season, feria=feria, plaza=plaza)
    Escalafon.objects.create(season=season, matador=matador, category=3)
    Injury.objects.create(
        matador=matador, corrida=corrida, turn=1, grade="grave", since=day, until=day
    )
    Run.objects.create(season=season, until=day, feria=feria, asked_at=timezone.now())
    Ganaderia.objects.create(
        circuit=circuit, slug="g", name=f"Herd {number}", country="ES", continent="EU"
    )


@pytest.mark.slow
@pytest.mark.parametrize("model", LISTED)
def test_a_list_asks_as_much_for_one_row_as_for_three(
    world: World, queries: Queries, model: type[models.Model]
) -> None:
    one_more(world, 1)
    queries(address(model))  # whatever is looked up once a process
    one = queries(address(model))
    one_more(world, 2)
    one_more(world, 3)
    assert queries(address(model)) == one


def test_the_first_page_asks_as_much_for_one_row_as_for_three(
    world: World, queries: Queries
) -> None:
    one_more(world, 1)
    Corrida.objects.update(state=Corrida.State.FAILED, error="broken")
    one = queries("/admin/")
    one_more(world, 2)
    one_more(world, 3)
    Corrida.objects.update(state=Corrida.State.FAILED, error="broken")
    assert queries("/admin/") == one


@pytest.mark.parametrize("model", LISTED)
def test_every_row_has_its_page(world: World, office: Client, model: type[models.Model]) -> None:
    one_more(world, 1)
    row = model._default_manager.order_by("-pk")[0]
    assert office.get(address(model, f"{row.pk}/change/")).status_code == 200
    assert office.get(address(model, f"{row.pk}/history/")).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("model", LISTED)
def test_lists_can_be_sorted_searched_and_filtered(
    world: World, office: Client, model: type[models.Model]
) -> None:
    one_more(world, 1)
    shown = office.get(address(model))
    chosen = shown.context["cl"]
    for column in range(1, len(chosen.list_display)):
        assert office.get(address(model, f"?o=-{column}")).status_code == 200
    assert office.get(address(model, "?q=ronda")).status_code == 200
    for spec in chosen.filter_specs:
        for choice in spec.choices(chosen):
            assert office.get(address(model, choice["query_string"])).status_code == 200


def test_matadors_are_ranked_by_their_newest_card(world: World, office: Client) -> None:
    molina = world.matadors[3]
    MatadorCard.objects.create(matador=molina, printing=2, rating=99, **CARD)
    column = [*office.get(address(Matador)).context["cl"].list_display].index("cards")
    ranked = office.get(address(Matador, f"?o=-{column}")).context["cl"].result_list
    assert next(iter(ranked)) == molina


def test_pages_of_one_corrida_ask_as_much_for_one_bull_as_for_six(
    world: World, queries: Queries
) -> None:
    corrida = world.post(world.announce(dt.date(2027, 5, 1)))
    page = address(Corrida, f"{corrida.pk}/change/")
    six = queries(page)
    Lidia.objects.filter(corrida=corrida, turn__gt=1).delete()
    assert queries(page) == six


def test_a_matador_with_three_printings_costs_no_more_than_with_one(
    world: World, queries: Queries
) -> None:
    romero = world.matadors[0]
    world.announce(dt.date(2027, 5, 1))
    page = address(Matador, f"{romero.pk}/change/")
    queries(page)
    one = queries(page)
    for printing in (2, 3):
        corrida = world.announce(dt.date(2027, 5, printing), first=1)
        card = MatadorCard.objects.create(
            matador=romero, printing=printing, rating=printing, **CARD
        )
        corrida.cartel.puestos.filter(order=2).update(matador=romero, card=card)
    assert queries(page) == one


def test_the_office_brings_no_style_or_script_of_its_own_in_the_page(
    world: World, office: Client
) -> None:
    one_more(world, 1)
    for page in ("/admin/", address(Matador), address(Matador, "add/"), address(Corrida)):
        shown = office.get(page).text
        assert "<style" not in shown
        assert " style=" not in shown
        assert "<script>" not in shown
        assert " onclick=" not in shown
