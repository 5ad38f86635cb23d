"""Every list and page of the admin site opens, and needs as many queries for one row as for
three.
"""

from __future__ import annotations

import datetime as dt
from itertools import islice

import pytest
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts.models import User
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
from tests.corridas.admin.conftest import Queries
from tests.databases import rolled_back, written_again
from tests.factories import CARD, World, small_circuit

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
    """Return the URL of a model's admin list, with the rows of all circuits, or of a page below
    it.
    """
    if not rest and model not in {Circuit, Deck}:
        rest = "?circuit=all"
    return f"/admin/corridas/{model._meta.model_name}/{rest}"


def one_more(world: World, number: int) -> None:
    """Create one more row of every model, with values that differ as much as possible."""
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


@written_again
def filled(count: int) -> World:
    """Return the small circuit with this number of additional rows of every model."""
    world = small_circuit()
    for number in range(1, count + 1):
        one_more(world, number)
    return world


@pytest.fixture
def stocked(db: None) -> World:
    """Return the small circuit with one more row of every model."""
    return filled(1)


@pytest.mark.slow
def test_an_admin_list_needs_as_many_queries_for_three_rows_as_for_one(db: None) -> None:
    asked(1)  # fill the caches that are filled once per process
    assert asked(3) == asked(1)


def asked(rows: int) -> dict[str, int]:
    """Return the number of queries of every admin list with this number of additional
    rows of every model.
    """
    found = {}
    with rolled_back():
        filled(rows)
        client = Client()
        client.force_login(User.objects.create_superuser("ganadero"))
        for model in LISTED:
            with CaptureQueriesContext(connection) as captured:
                assert client.get(address(model)).status_code == 200
            found[model.__name__] = len(captured)
    return found


@pytest.mark.slow
def test_the_admin_index_needs_as_many_queries_for_three_rows_as_for_one(
    stocked: World, queries: Queries
) -> None:
    Corrida.objects.update(state=Corrida.State.FAILED, error="broken")
    one = queries("/admin/")
    one_more(stocked, 2)
    one_more(stocked, 3)
    Corrida.objects.update(state=Corrida.State.FAILED, error="broken")
    assert queries("/admin/") == one


@pytest.mark.parametrize("model", LISTED)
def test_every_row_has_an_admin_page(
    stocked: World, office: Client, model: type[models.Model]
) -> None:
    row = model._default_manager.order_by("-pk")[0]
    assert office.get(address(model, f"{row.pk}/change/")).status_code == 200
    assert office.get(address(model, f"{row.pk}/history/")).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("model", LISTED)
def test_admin_lists_can_be_sorted_searched_and_filtered(
    stocked: World, office: Client, model: type[models.Model]
) -> None:
    """Sort by all columns at once: each column orders the rows that are equal in the columns
    before.
    """
    shown = office.get(address(model))
    chosen = shown.context["cl"]
    columns = ".".join(f"-{column}" for column in range(1, len(chosen.list_display)))
    assert office.get(address(model, f"?o={columns}&q=ronda")).status_code == 200
    for spec in chosen.filter_specs:
        for choice in islice(spec.choices(chosen), 1, 2):
            assert office.get(address(model, choice["query_string"])).status_code == 200


@pytest.mark.nightly
@pytest.mark.parametrize("model", LISTED)
def test_admin_lists_can_be_sorted_by_any_column_and_filtered_by_any_choice(
    stocked: World, office: Client, model: type[models.Model]
) -> None:
    shown = office.get(address(model))
    chosen = shown.context["cl"]
    for column in range(1, len(chosen.list_display)):
        assert office.get(address(model, f"?o=-{column}")).status_code == 200
    for spec in chosen.filter_specs:
        for choice in spec.choices(chosen):
            assert office.get(address(model, choice["query_string"])).status_code == 200


def test_the_admin_list_of_matadors_is_sorted_by_the_rating_of_the_newest_card(
    world: World, office: Client
) -> None:
    molina = world.matadors[3]
    MatadorCard.objects.create(matador=molina, printing=2, rating=99, **CARD)
    column = [*office.get(address(Matador)).context["cl"].list_display].index("cards")
    ranked = office.get(address(Matador, f"?o=-{column}")).context["cl"].result_list
    assert next(iter(ranked)) == molina


def test_the_page_of_a_corrida_needs_as_many_queries_for_one_bull_as_for_six(
    world: World, queries: Queries
) -> None:
    corrida = world.post(world.announce(dt.date(2027, 5, 1)))
    page = address(Corrida, f"{corrida.pk}/change/")
    queries(page)
    six = queries(page)
    Lidia.objects.filter(corrida=corrida, turn__gt=1).delete()
    assert queries(page) == six


@pytest.mark.slow
def test_a_matador_with_three_printings_needs_as_many_queries_as_with_one(
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


@pytest.mark.slow
def test_admin_pages_contain_no_inline_styles_or_scripts(stocked: World, office: Client) -> None:
    for page in ("/admin/", address(Matador), address(Matador, "add/"), address(Corrida)):
        shown = office.get(page).text
        assert "<style" not in shown
        assert " style=" not in shown
        assert "<script>" not in shown
        assert " onclick=" not in shown


@pytest.mark.parametrize("language", ["en", "es"])
def test_admin_rows_are_shown_with_names_and_written_dates(stocked: World, language: str) -> None:
    """These texts are the titles of admin pages and the names of rows in messages."""
    day = {"en": "1 May 2027", "es": "1 de mayo de 2027"}[language]
    grade = {"en": "serious", "es": "grave"}[language]
    with translation.override(language):
        assert str(Escalafon.objects.get(category=3)) == "Matador 1, Circuit 1 2030"
        assert str(Injury.objects.get()) == f"Matador 1: {grade}, {day} – {day}"
        (lidia, *_others) = Lidia.objects.order_by("corrida", "turn")
        assert str(lidia) == f"{lidia.corrida} · 1"
        assert day in str(lidia)
