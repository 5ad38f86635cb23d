"""The admin site: which circuit's rows a list shows, the order of the index, and who gets a
link.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from corridas.models import Circuit, Season
from corridas.roles import ROSTER_EDITOR
from tests.corridas.admin.test_roles import Staff, staff
from tests.factories import World, small_circuit

__all__ = ["staff"]

LIST = "/admin/corridas/plaza/"


@pytest.fixture
def other(world: World) -> World:
    """Return a second circuit with its own plazas."""
    return small_circuit("otro", "Circuito Otro")


@pytest.fixture
def office(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    return client


def columns(page: str) -> list[str]:
    return re.findall(r'<th scope="col" class="[^"]*column-(\w+)', page)


def test_an_admin_list_shows_one_circuit_first_and_all_on_request(
    world: World, other: World, office: Client
) -> None:
    answer = office.get(LIST)
    assert answer["Location"] == f"{LIST}?circuit={world.circuit.pk}"
    one = office.get(answer["Location"])
    assert {row.circuit_id for row in one.context["cl"].result_list} == {world.circuit.pk}
    assert "of_circuit" not in columns(one.text)
    assert 'href="?circuit=all"' in one.text
    every = office.get(f"{LIST}?circuit=all")
    assert {row.circuit_id for row in every.context["cl"].result_list} == {
        world.circuit.pk,
        other.circuit.pk,
    }
    assert "of_circuit" in columns(every.text)
    assert "Circuito Otro" in every.text


def test_a_search_in_an_admin_list_covers_every_circuit(
    world: World, other: World, office: Client
) -> None:
    found = office.get(f"{LIST}?q=Ronda")
    assert len(found.context["cl"].result_list) == 2
    assert "of_circuit" in columns(found.text)


def test_an_admin_list_is_not_filtered_by_circuit_for_staff_with_one_circuit(
    world: World, office: Client
) -> None:
    page = office.get(LIST)
    assert page.status_code == 200
    assert "of_circuit" not in columns(page.text)


def test_an_admin_list_shows_the_user_s_own_circuit_first(
    world: World, other: World, office: Client
) -> None:
    Circuit.objects.filter(pk=other.circuit.pk).update(owner=User.objects.get(username="boss"))
    assert office.get(LIST)["Location"] == f"{LIST}?circuit={other.circuit.pk}"


def test_the_list_of_seasons_has_a_single_circuit_column(
    world: World, other: World, office: Client
) -> None:
    page = office.get("/admin/corridas/season/?circuit=all")
    assert len(page.context["cl"].result_list) == Season.objects.count() == 2
    assert columns(page.text).count("circuit") == 1
    assert "of_circuit" not in columns(page.text)


def test_the_admin_index_is_grouped_by_task(world: World, office: Client) -> None:
    page = office.get("/admin/").text
    tasks = ("Rosters", "Seasons", "Season statistics", "Leagues", "Matches and tables")
    places = [page.index(f">{task}") for task in (*tasks, "People")]
    assert places == sorted(places)
    for model in ("matador", "season", "lidia", "league", "match", "player"):
        assert page.count(f'<tr class="model-{model}') == 1


@pytest.mark.slow
def test_a_roster_editor_gets_a_link_to_the_admin_and_no_link_to_a_forbidden_desk(
    world: World, staff: Staff
) -> None:
    editor = staff(ROSTER_EDITOR)
    files = f"/circuitos/{world.circuit.slug}/direccion/elenco/"
    page = editor.get(files, follow=True).text
    assert 'href="/admin/"' in page
    links = set(re.findall(r'href="(/[^"#?]*direccion[^"#?]*)"', page))
    for link in links:
        assert editor.get(link, follow=True).status_code == 200, link


def test_only_staff_get_a_link_to_the_admin(world: World, office: Client) -> None:
    assert 'href="/admin/"' in office.get("/escalafon/", follow=True).text
    fan = Client()
    fan.force_login(User.objects.create_user("fan"))
    for client in (fan, Client()):
        assert 'href="/admin/"' not in client.get("/escalafon/", follow=True).text


def test_admin_dates_put_the_day_before_the_month(lived: World, office: Client) -> None:
    page = office.get("/admin/corridas/corrida/").text
    assert "2 March 2027" in page
    assert "March 2, 2027" not in page
