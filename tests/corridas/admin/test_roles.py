"""Each role opens exactly the admin pages that it is allowed to open."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from corridas.models import Bull, Change, Circuit, Deck, Ganaderia, Matador
from corridas.roles import DIRECTOR, ROSTER_EDITOR, SITE_ADMIN, found_roles
from tests.factories import World

ROSTERS = ("matador", "plaza", "ganaderia", "bull", "deck")
SEASONS = ("season", "feria", "corrida", "lidia", "escalafon", "injury", "run")
EVERY = ("circuit", "change", *ROSTERS, *SEASONS)

Staff = Callable[[str], Client]


@pytest.fixture
def staff(db: None) -> Staff:
    """Return a test client that is signed in as a staff user in this group."""
    found_roles()

    def sign_in(role: str) -> Client:
        person, _made = User.objects.get_or_create(username=role, is_staff=True)
        person.groups.set(Group.objects.filter(name=role))
        client = Client()
        client.force_login(person)
        return client

    return sign_in


@pytest.fixture
def rows(lived: World) -> dict[str, int]:
    """Return a row of every model in the site's circuit, which has no director."""
    corrida = lived.season.corridas.all()[0]
    bull = Bull.objects.all()[0]
    change = Change.objects.create(
        circuit=lived.circuit, kind="bull", row=bull.pk, title="x", at=dt.datetime.now(dt.UTC)
    )
    return {
        "circuit": lived.circuit.pk,
        "change": change.pk,
        "matador": lived.matadors[0].pk,
        "plaza": lived.plazas[0].pk,
        "ganaderia": lived.herd.pk,
        "bull": bull.pk,
        "deck": lived.deck.pk,
        "season": lived.season.pk,
        "feria": lived.feria.pk,
        "corrida": corrida.pk,
        "lidia": corrida.lidias.all()[0].pk,
        "escalafon": lived.season.escalafon.all()[0].pk,
    }


def lists(client: Client) -> set[str]:
    """Return the models whose admin list the client can open."""
    ways = {model: f"/admin/corridas/{model}/" for model in EVERY}
    return {model for model, way in ways.items() if client.get(way).status_code == 200}


def open_rows(client: Client, rows: dict[str, int]) -> set[str]:
    """Return the models whose row page the client can open."""
    ways = {model: f"/admin/corridas/{model}/{key}/change/" for model, key in rows.items()}
    return {model for model, way in ways.items() if client.get(way).status_code == 200}


def pages_of_others(client: Client) -> set[str]:
    """Return the lists of the other apps that the client can open."""
    found = set()
    for model in admin.site._registry:
        label = model._meta.app_label
        way = f"/admin/{label}/{model._meta.model_name}/"
        if label != "corridas" and client.get(way).status_code == 200:
            found.add(way)
    return found


@pytest.mark.slow
def test_a_roster_editor_can_open_only_the_rosters_of_the_site(
    rows: dict[str, int], staff: Staff
) -> None:
    editor = staff(ROSTER_EDITOR)
    assert lists(editor) == {"circuit", "change", *ROSTERS}
    assert open_rows(editor, rows) == {"circuit", "change", *ROSTERS}
    assert pages_of_others(editor) == set()
    Circuit.objects.update(public=False)
    assert open_rows(editor, rows) == set()


def test_a_roster_editor_cannot_change_or_plan_a_circuit(lived: World, staff: Staff) -> None:
    way = f"/admin/corridas/circuit/{lived.circuit.pk}/"
    editor = staff(ROSTER_EDITOR)
    assert editor.post(f"{way}change/", {"name": "Mine"}).status_code == 403
    assert editor.post(f"{way}do/plan/").status_code == 403
    assert editor.get(f"{way}check/").status_code == 200


@pytest.mark.slow
def test_a_site_admin_can_open_every_admin_page(rows: dict[str, int], staff: Staff) -> None:
    everyone = staff(SITE_ADMIN)
    assert lists(everyone) == set(EVERY)
    assert open_rows(everyone, rows) == set(rows)
    assert "/admin/accounts/user/" in pages_of_others(everyone)


@pytest.mark.slow
def test_a_director_sees_no_rows_of_other_circuits_in_the_admin(
    rows: dict[str, int], staff: Staff
) -> None:
    director = staff(DIRECTOR)
    assert lists(director) == set(EVERY)
    assert open_rows(director, rows) == set()
    assert pages_of_others(director) == set()
    for model in EVERY:
        assert not director.get(f"/admin/corridas/{model}/").context["cl"].result_list


@pytest.mark.slow
def test_a_director_can_open_every_row_of_their_own_circuit(
    rows: dict[str, int], staff: Staff
) -> None:
    director = staff(DIRECTOR)
    Circuit.objects.update(owner=User.objects.get(username=DIRECTOR))
    assert open_rows(director, rows) == set(rows)


@pytest.fixture
def mine(staff: Staff, world: World) -> Circuit:
    """Return a circuit that belongs to the director."""
    staff(DIRECTOR)
    owner = User.objects.get(username=DIRECTOR)
    return Circuit.objects.create(slug="mine", name="Mine", owner=owner, deck=world.deck)


def herd_of(circuit: Circuit) -> dict[str, str]:
    return {
        "circuit": str(circuit.pk),
        "name": "Miura",
        "slug": "miura",
        "country": "ES",
        "continent": "EU",
        "renown": "0",
    }


def test_a_director_cannot_add_a_row_to_somebody_else_s_circuit(
    world: World, mine: Circuit, staff: Staff
) -> None:
    director = staff(DIRECTOR)
    answer = director.post("/admin/corridas/ganaderia/add/", herd_of(world.circuit))
    assert "circuit" in answer.context["adminform"].form.errors
    assert director.post("/admin/corridas/ganaderia/add/", herd_of(mine)).status_code == 302
    assert Ganaderia.objects.get(slug="miura").circuit == mine


def test_a_director_cannot_open_a_row_of_another_circuit_by_its_primary_key(
    world: World, mine: Circuit, staff: Staff
) -> None:
    director = staff(DIRECTOR)
    matador = world.matadors[0]
    rating = matador.cards.get().rating
    way = f"/admin/corridas/matador/{matador.pk}"
    for rest in ("delete", "history"):
        assert director.get(f"{way}/{rest}/").status_code == 302
    assert director.get(f"{way}/trial/").status_code == 404
    assert director.post(f"{way}/do/retire/").status_code == 302
    assert director.get(f"/admin/corridas/circuit/{world.circuit.pk}/check/").status_code == 404
    given = {"form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "_save": "Save"}
    given |= {"form-0-id": str(matador.pk), "form-0-apodo": "Mío", "form-0-style": ""}
    director.post("/admin/corridas/matador/", given)
    matador.refresh_from_db()
    assert (matador.apodo, matador.state) == ("", "active")
    assert matador.cards.get().rating == rating


def test_choices_and_filters_show_a_director_no_rows_of_other_circuits(
    world: World, mine: Circuit, staff: Staff
) -> None:
    director = staff(DIRECTOR)
    Matador.objects.create(circuit=mine, slug="curro", name="Curro")
    for field, model, hidden in (
        ("padrino", "matador", "Romero"),
        ("circuit", "plaza", "Leyendas"),
        ("ganaderia", "bull", "Mayalde"),
    ):
        asked = f"?app_label=corridas&model_name={model}&field_name={field}"
        told = director.get(f"/admin/autocomplete/{asked}")
        assert told.status_code == 200
        assert hidden not in told.text
    assert "Leyendas" not in director.get("/admin/corridas/matador/").text
    assert "Leyendas" not in director.get("/admin/").text


def test_a_director_cannot_change_a_deck_that_other_circuits_use(
    world: World, mine: Circuit, staff: Staff
) -> None:
    director = staff(DIRECTOR)
    way = f"/admin/corridas/deck/{world.deck.pk}/change/"
    assert director.get(way).status_code == 200
    assert director.post(way, {"name": "Mine", "cards": "x"}).status_code == 403
    own = Deck.objects.create(name="Own", digest="own", cards=world.deck.cards)
    assert director.get(f"/admin/corridas/deck/{own.pk}/change/").status_code == 302
    Change.objects.create(
        kind="deck",
        row=own.pk,
        title="Own",
        after={},
        at=dt.datetime.now(dt.UTC),
        by=User.objects.get(username=DIRECTOR),
    )
    assert director.get(f"/admin/corridas/deck/{own.pk}/change/").status_code == 200


def test_a_director_cannot_undo_a_change_in_another_circuit(
    rows: dict[str, int], mine: Circuit, staff: Staff
) -> None:
    answer = staff(DIRECTOR).post(f"/admin/corridas/change/{rows['change']}/do/undo/")
    assert answer.status_code == 302
    assert not Change.objects.exclude(undone_by=None).exists()


def test_the_roles_command_can_be_run_more_than_once(db: None) -> None:
    call_command("roles")
    Group.objects.get(name=ROSTER_EDITOR).permissions.clear()
    call_command("roles", verbosity=2)
    assert Group.objects.count() == 3
    assert Group.objects.get(name=ROSTER_EDITOR).permissions.filter(codename="change_bull").exists()


def test_a_user_who_is_not_staff_cannot_open_any_admin_list(rows: dict[str, int]) -> None:
    client = Client()
    client.force_login(User.objects.create_user("fan"))
    assert lists(client) == set()
