"""Of which circuit a list shows rows, how the index is sorted, and who is led to the admin."""

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
    """A second circuit with plazas of its own."""
    return small_circuit("otro", "Circuito Otro")


@pytest.fixture
def office(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    return client


def columns(page: str) -> list[str]:
    return re.findall(r'<th scope="col" class="[^"]*column-(\w+)', page)


def test_a_list_opens_with_one_circuit_and_shows_all_on_request(
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


def test_what_is_searched_for_is_searched_for_in_every_circuit(
    world: World, other: World, office: Client
) -> None:
    found = office.get(f"{LIST}?q=Ronda")
    assert len(found.context["cl"].result_list) == 2
    assert "of_circuit" in columns(found.text)


def test_who_keeps_one_circuit_is_not_asked_which(world: World, office: Client) -> None:
    page = office.get(LIST)
    assert page.status_code == 200
    assert "of_circuit" not in columns(page.text)


def test_the_own_circuit_comes_first(world: World, other: World, office: Client) -> None:
    Circuit.objects.filter(pk=other.circuit.pk).update(owner=User.objects.get(username="boss"))
    assert office.get(LIST)["Location"] == f"{LIST}?circuit={other.circuit.pk}"


def test_seasons_name_their_circuit_once(world: World, other: World, office: Client) -> None:
    page = office.get("/admin/corridas/season/?circuit=all")
    assert len(page.context["cl"].result_list) == Season.objects.count() == 2
    assert columns(page.text).count("circuit") == 1
    assert "of_circuit" not in columns(page.text)


def test_the_index_is_sorted_by_what_one_comes_to_do(world: World, office: Client) -> None:
    page = office.get("/admin/").text
    tasks = ("Rosters", "Seasons", "Season statistics", "Leagues", "Matches and tables")
    places = [page.index(f">{task}") for task in (*tasks, "People")]
    assert places == sorted(places)
    for model in ("matador", "season", "lidia", "league", "match", "player"):
        assert page.count(f'<tr class="model-{model}') == 1


def test_an_editor_is_led_to_the_admin_and_not_to_a_desk_that_is_shut(
    world: World, staff: Staff
) -> None:
    editor = staff(ROSTER_EDITOR)
    files = f"/circuitos/{world.circuit.slug}/direccion/elenco/"
    page = editor.get(files, follow=True).text
    assert 'href="/admin/"' in page
    links = set(re.findall(r'href="(/[^"#?]*direccion[^"#?]*)"', page))
    for link in links:
        assert editor.get(link, follow=True).status_code == 200, link


def test_only_who_may_enter_is_led_to_the_admin(world: World, office: Client) -> None:
    assert 'href="/admin/"' in office.get("/escalafon/", follow=True).text
    fan = Client()
    fan.force_login(User.objects.create_user("fan"))
    for client in (fan, Client()):
        assert 'href="/admin/"' not in client.get("/escalafon/", follow=True).text


def test_dates_are_written_day_first(lived: World, office: Client) -> None:
    page = office.get("/admin/corridas/corrida/").text
    assert "2 March 2027" in page
    assert "March 2, 2027" not in page
