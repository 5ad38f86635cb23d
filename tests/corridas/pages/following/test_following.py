"""Following matadors and herds: the button, the list, what a page shows of it, and its end."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.account_deletion import registry
from accounts.data_export.registry import ExportTable, export_parts
from accounts.models import User
from corridas.following import operations
from corridas.following.operations import follow
from corridas.following.queries import Followed, followed_first, followed_keys, followed_rows
from corridas.models import Follow
from tests.factories import World, small_circuit

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2027, 3, 1, tzinfo=dt.UTC)


@pytest.fixture
def user() -> User:
    return User.objects.create_user("vera")


@pytest.fixture
def vera(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


def test_somebody_follows_and_stops(world: World, vera: Client, user: User) -> None:
    for way, page in (("/matadores/matador-0/", "Follow"), ("/ganaderias/mayalde/", "Follow")):
        assert f"{page}</button>" in vera.get(f"{way}seguir/").text
        answer = vera.post(f"{way}seguir/", {"follow": "yes"})
        assert (answer.status_code, answer["Location"]) == (302, way)
        vera.post(f"{way}seguir/", {"follow": "yes"})
        assert "Stop following</button>" in vera.get(f"{way}seguir/").text
    matador, herd = world.matadors[0].pk, world.herd.pk
    assert followed_keys(user, "leyendas") == Followed(frozenset({matador}), frozenset({herd}))
    page = vera.get("/siguiendo/").text
    assert world.matadors[0].billing in page
    assert world.herd.name in page
    vera.post("/matadores/matador-0/seguir/", {"follow": "no"})
    assert followed_keys(user, "leyendas") == Followed(frozenset(), frozenset({herd}))


def test_the_button_is_a_fragment_and_the_page_holds_none(world: World, vera: Client) -> None:
    cache.clear()
    follow(user=User.objects.get(), row=world.matadors[0], at=NOW)
    page = vera.get("/matadores/matador-0/").text
    assert 'data-load="/matadores/matador-0/seguir/"' in page
    assert "Following" not in page
    fragment = vera.get("/matadores/matador-0/seguir/", headers={"HX-Request": "true"})
    assert "<html" not in fragment.text
    assert "Stop following" in fragment.text
    assert "no-store" in fragment["Cache-Control"]


def test_a_stranger_signs_in_first(world: World, client: Client) -> None:
    page = client.get("/matadores/matador-0/").text
    assert "data-load" not in page
    for way in ("/matadores/matador-0/seguir/", "/ganaderias/mayalde/seguir/", "/siguiendo/"):
        assert client.get(way)["Location"].startswith("/accounts/login/")
    client.post("/matadores/matador-0/seguir/", {"follow": "yes"})
    assert not Follow.objects.exists()
    assert followed_keys(AnonymousUser(), "leyendas") == Followed()


def test_private_circuits_and_unknown_matadors_are_not_found(vera: Client, user: User) -> None:
    closed = small_circuit("cerrado", "Cerrado", public=False)
    for way in ("matadores/matador-0", "ganaderias/mayalde", "matadores/nobody"):
        assert vera.post(f"/circuitos/cerrado/{way}/seguir/").status_code == 404
    follow(user=user, row=closed.matadors[0], at=NOW)
    assert followed_rows(user) == ([], [])


def test_there_is_a_limit(world: World, vera: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "MAX_FOLLOWED", 1)
    vera.post("/matadores/matador-0/seguir/", {"follow": "yes"})
    answer = vera.post("/matadores/matador-1/seguir/", {"follow": "yes"}, follow=True)
    assert "You can follow 1 matadors and herds at most." in answer.text
    assert Follow.objects.count() == 1


def test_a_row_follows_one_thing_once(world: World, user: User) -> None:
    man, herd = world.matadors[0], world.herd
    follow(user=user, row=man, at=NOW)
    for wrong in ({}, {"matador": man, "ganaderia": herd}, {"matador": man}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Follow.objects.create(user=user, at=NOW, **wrong)


def test_followed_come_first() -> None:
    def key(item: tuple[str, int]) -> int:
        return item[1]

    items = [("a", 1), ("b", 2), ("c", 3)]
    assert followed_first(items, {3}, key) == [("c", 3), ("a", 1), ("b", 2)]


def test_the_list_names_the_next_corrida_in_as_many_queries_for_more(
    world: World, vera: Client, user: User
) -> None:
    world.announce(dt.date(2027, 5, 9))
    world.announce(dt.date(2027, 4, 9))

    def count() -> int:
        with CaptureQueriesContext(connection) as asked:
            page = vera.get("/siguiendo/").text
        assert "9 Apr 2027" in page
        assert "9 May 2027" not in page
        return len(asked)

    follow(user=user, row=world.matadors[0], at=NOW)
    follow(user=user, row=world.herd, at=NOW)
    before = count()
    for man in world.matadors[1:]:
        follow(user=user, row=man, at=NOW)
    assert count() == before


def test_it_is_in_the_copy_of_ones_data_and_goes_with_the_account(world: World, user: User) -> None:
    follow(user=user, row=world.matadors[0], at=timezone.now())
    tables: Any = [part for part in export_parts if isinstance(part, ExportTable)]
    (table,) = (part for part in tables if part.name == "following")
    assert [row["matador_id"] for row in table.each(user)] == [world.matadors[0].pk]
    effects = [effect.text for part in registry.handlers for effect in part.effects(user)]
    assert "Your list of the matadors and herds that you follow will be deleted." in effects
    user.delete()
    assert not Follow.objects.exists()
