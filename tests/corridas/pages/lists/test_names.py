"""Names in lists, choices and the admin: Spanish order, and search without accents."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from core.names.text import sort_key
from corridas.circuit_queries import SHIPPED
from corridas.models import Bull, Circuit, Feria, Ganaderia, Matador, Plaza, Season
from corridas.pages.circuits.forms import plazas_of
from corridas.pages.season.cartel import Listing
from corridas.simulation.new_circuit import found, shipped
from leagues.models import Player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def legends(settings: Settings) -> Iterator[Circuit]:
    settings.DOWNLOADS_A_MINUTE = 1000
    cache.clear()
    yield found(shipped(), slug=SHIPPED, name="Circuito Leyendas", owner=None, rules={})
    cache.clear()


@pytest.fixture
def office() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("ganadero"))
    return client


def column(address: str, name: str) -> list[str]:
    """Return a column of the list as CSV."""
    answer = Client().get(f"{address}{'&' if '?' in address else '?'}format=csv")
    assert answer.status_code == 200
    return [row[name] for row in csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig")))]


@pytest.mark.parametrize(
    ("typed", "address", "name", "found"),
    [
        ("nunez", "/ganaderias/", "name", "Núñez del Cuvillo"),
        ("Núñez", "/ganaderias/", "name", "Núñez del Cuvillo"),
        ("NÚÑEZ", "/ganaderias/", "name", "Núñez del Cuvillo"),
        ("nu\u0301n\u0303ez", "/ganaderias/", "name", "Núñez del Cuvillo"),
        ("nimes", "/plazas/", "city", "Nîmes"),
        ("arenes", "/plazas/", "city", "Nîmes"),
        ("Mont-de-Marsan", "/plazas/", "city", "Mont-de-Marsan"),
        ("mont de marsan", "/plazas/", "city", "Mont-de-Marsan"),
        ("nino", "/matadores/", "name", "Niño de la Palma"),
        ("antonete", "/matadores/", "name", "Antoñete"),
        ("ordonez", "/matadores/", "name", "Antonio Ordóñez"),
        ("dámaso", "/matadores/", "name", "Dámaso González"),
        ("Pepe-Hillo", "/matadores/", "name", "Pepe-Hillo"),
        ("pepe hillo", "/matadores/", "name", "Pepe-Hillo"),
    ],
)
def test_a_list_finds_the_names_that_the_search_box_finds(
    typed: str, address: str, name: str, found: str
) -> None:
    assert found in column(f"{address}?q={typed}", name)


@pytest.mark.parametrize("typed", ["ordonez", "Pepe-Hillo", "pepe hillo", "NINO", "dámaso"])
def test_the_search_for_matadors_of_a_cartel_finds_the_same_names(typed: str) -> None:
    class Line:
        def __init__(self, matador: Matador) -> None:
            self.matador, self.name, self.style_name = matador, matador.billing, ""
            self.refusal = None

    listing = Listing(q=typed, sort="name", show="all", all=True, faults=[])
    lines = [Line(matador) for matador in Matador.objects.all()]
    assert [line for line in lines if listing.filtered(line)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("address", "name", "before", "after"),
    [
        ("/matadores/?sort=name", "name", "César Girón", "Chicuelo"),
        ("/matadores/?sort=name", "name", "Dámaso González", "Diego Puerta"),
        ("/plazas/?sort=city", "city", "Béjar", "Burgos"),
        ("/plazas/?sort=city", "city", "Málaga", "Murcia"),
        ("/plazas/?sort=city", "city", "Céret", "Ciudad de México"),
    ],
)
def test_lists_are_sorted_in_spanish_order(
    address: str, name: str, before: str, after: str
) -> None:
    names = column(address, name)
    assert names.index(before) < names.index(after)
    assert names == sorted(names, key=sort_key)


def test_choices_are_sorted_in_spanish_order(legends: Circuit) -> None:
    labels = [label for _slug, label in plazas_of(legends)]
    assert labels == sorted(labels, key=sort_key)
    assert labels.index("Béjar, El Castañar") < labels.index("Burgos, Coliseum")


def test_api_rows_are_sorted_in_spanish_order() -> None:
    page = Client().get(f"/api/v1/circuits/{SHIPPED}/plazas/?limit=200").json()
    cities = [row["city"] for row in page["results"]]
    assert len(cities) > 20
    assert cities == sorted(cities, key=sort_key)


def test_bulls_that_have_not_fought_are_sorted_in_spanish_order(legends: Circuit) -> None:
    herd = Ganaderia.objects.filter(circuit=legends)[0]
    names = ["Ñu", "Nube", "Óscar", "Nuño", "Oscuro", "Ola"]
    Bull.objects.bulk_create(
        Bull(ganaderia=herd, year=2027, number=n, name=name, coat="negro", weight=500)
        for n, name in enumerate(names, start=1)
    )
    assert column("/toros/?fate=campo&sort=name", "name") == [
        *("Nube", "Nuño", "Ñu", "Ola", "Óscar", "Oscuro")
    ]


@pytest.mark.slow
def test_the_admin_finds_names_without_accents_and_in_any_case(
    office: Client, legends: Circuit
) -> None:
    Player.objects.create(name="Álvaro", slug="alvaro", created_at="2027-01-01T00:00Z")
    herd = Ganaderia.objects.filter(circuit=legends)[0]
    Bull.objects.create(ganaderia=herd, year=2027, number=9, name="Avispón", coat="n", weight=500)

    def found_in(model: str, typed: str) -> set[str]:
        page = office.get(f"/admin/{model}/", {"q": typed})
        return {str(row) for row in page.context["cl"].result_list}

    assert found_in("corridas/matador", "DÁMASO") == {"Dámaso González"}
    assert found_in("corridas/matador", "pepe-hillo") == {"Pepe-Hillo"}
    assert found_in("corridas/matador", "onzal") >= {"Dámaso González"}
    assert found_in("corridas/matador", "!!!") == set()
    assert len(found_in("corridas/matador", "cordoba")) == 3
    assert any("Medellín" in name for name in found_in("corridas/plaza", "medellin"))
    assert "Álvaro" in found_in("leagues/player", "álvaro")
    assert "Álvaro" in found_in("leagues/player", "ALVARO")
    assert found_in("corridas/ganaderia", "NÚÑEZ") == {"Núñez del Cuvillo"}
    assert [name for name in found_in("corridas/bull", "avispon") if "Avispón" in name]
    assert found_in("accounts/user", "GANADÉRO") == {"ganadero"}


@pytest.mark.parametrize("typed", ["Ana & Eva", "ana - ❤ eva", '"Ana" + Eva', "❤ ana"])
def test_the_admin_finds_words_with_symbols_between_them(office: Client, typed: str) -> None:
    Player.objects.create(name="Ana & Eva ❤", slug="ana-eva", created_at="2027-01-01T00:00Z")
    page = office.get("/admin/leagues/player/", {"q": typed})
    assert [str(row) for row in page.context["cl"].result_list] == ["Ana & Eva ❤"]
    assert not office.get("/admin/leagues/player/", {"q": "❤ &"}).context["cl"].result_list
    page = office.get("/admin/accounts/user/", {"q": "& ganadero"})
    assert [str(row) for row in page.context["cl"].result_list] == ["ganadero"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "name", "rows"),
    [
        ("corridas/matador", "name", ["Domingo Ortega", "Dámaso González", "Diego Puerta"]),
        ("corridas/plaza", "city", ["Burgos", "Béjar", "Cádiz", "Calatayud"]),
        ("corridas/bull", "name", ["Nuño", "Ñu", "Nube", "Óscar", "Ola"]),
        ("leagues/player", "name", ["Óscar B", "Zoe", "Ñaco", "Álvaro", "Oscar", "Nuria"]),
    ],
)
def test_name_columns_of_the_admin_are_sorted_in_spanish_order(
    office: Client, legends: Circuit, model: str, name: str, rows: list[str]
) -> None:
    herd = Ganaderia.objects.filter(circuit=legends)[0]
    for number, row in enumerate(rows):
        if model == "leagues/player":
            Player.objects.create(name=row, slug=str(number), created_at="2027-01-01T00:00Z")
        if model == "corridas/bull":
            fields = {"year": 2027, "number": number, "coat": "n", "weight": 500}
            Bull.objects.create(ganaderia=herd, name=row, **fields)

    def listed(place: str) -> list[str]:
        page = office.get(f"/admin/{model}/", query | {"o": place, "all": ""})
        changes = page.context["cl"]
        assert changes.list_display[abs(int(place))].endswith(name)
        return [str(getattr(row, name)) for row in changes.result_list]

    query = {} if model == "leagues/player" else {"circuit": "all"}
    columns = office.get(f"/admin/{model}/", query).context["cl"].list_display
    place = [column.endswith(name) for column in columns].index(True)
    names = listed(str(place))
    assert {*rows} & {*names}
    assert names == sorted(names, key=sort_key)
    assert listed(f"-{place}") == names[::-1]


def test_a_choice_in_the_admin_names_the_circuit_of_the_matador(office: Client) -> None:
    found(shipped(), slug="other", name="Otro circuito", owner=None, rules={})
    asked = {"app_label": "corridas", "model_name": "matador", "field_name": "padrino"}
    page = office.get("/admin/autocomplete/", asked | {"term": "joselito"})
    labels = [row["text"] for row in json.loads(page.content)["results"]]
    assert [label for label in labels if label.endswith("– Circuito Leyendas")]
    assert [label for label in labels if label.endswith("– Otro circuito")]
    assert len(set(labels)) == len(labels)


def test_a_choice_in_the_admin_names_a_circuit_whose_name_is_part_of_the_matadors(
    office: Client, legends: Circuit
) -> None:
    legends.name = "Pedro"
    legends.save()
    Matador.objects.create(circuit=legends, slug="romero", name="Pedro Romero II")
    season = Season.objects.create(
        circuit=legends, year=2027, seed=bytes(32), commitment=bytes(32), rules={}
    )
    asked = {"app_label": "corridas", "model_name": "matador", "field_name": "padrino"}
    page = office.get("/admin/autocomplete/", asked | {"term": "romero ii"})
    labels = [row["text"] for row in json.loads(page.content)["results"]]
    assert labels == ["Pedro Romero II – Pedro"]
    seasons = admin.site._registry[Season]
    assert seasons.choice_label(season) == "Pedro 2027"  # type: ignore[attr-defined]


@pytest.mark.parametrize("model", [Matador, Plaza, Ganaderia, Feria])
def test_every_row_has_its_sort_key_and_search_text(model: type) -> None:
    assert not model.objects.filter(search_text="").exists()  # type: ignore[attr-defined]
    assert not model.objects.filter(name_key="").exists()  # type: ignore[attr-defined]
