"""Every column of an admin list that shows a name is sorted in Spanish order, by a stored key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.utils import get_fields_from_path
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, ForeignKey, Model
from django.test import Client

from accounts.models import User
from core.names.fields import NameKeyField, derived_fields
from leagues.models import Fixture, Member, Round
from tests.leagues import game, world

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
NAMES = ("Zoe", "ana", "Álvaro", "Boss", "Ñaco", "Nuria")
SORTED = ["Álvaro", "ana", "Boss", "Nuria", "Ñaco", "Zoe"]


@pytest.fixture(autouse=True, scope="module")
def _highest_card() -> None:
    game.register()


@pytest.fixture
def office() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("Boss"))
    return client


def name_columns() -> Iterator[tuple[str, str]]:
    """Yield the label and the path of each column of the admin that shows a name."""
    for model, office in admin.site._registry.items():
        for column in office.list_display:
            shown = getattr(office, str(column), None)
            path = getattr(shown, "admin_order_field", None) or str(column)
            try:
                field = get_fields_from_path(model, path)[-1]
            except FieldDoesNotExist:
                continue
            if keys_of(field):
                yield f"{model._meta.label}.{column}", path


def keys_of(field: Field[Any, Any]) -> set[str]:
    """Return the possible key columns for a column that contains or refers to a name."""
    model: type[Model] = field.related_model if isinstance(field, ForeignKey) else field.model
    keys = [key for key in derived_fields(model) if isinstance(key, NameKeyField)]
    if not isinstance(field, ForeignKey):
        keys = [key for key in keys if key.sources[0] == field.name]
    # A matador is called by his apodo, if he has one.
    called = {key.name for key in keys if key.name == "billing_key"}
    return called if isinstance(field, ForeignKey) and called else {key.name for key in keys}


COLUMNS = dict(name_columns())


def test_sweep_finds_names_and_references_in_all_applications() -> None:
    assert {
        *("accounts.User.username", "leagues.Fixture.league", "eltoro.Keeping.league"),
        *("leagues.Member.player", "corridas.Season.circuit", "corridas.Lidia.finisher"),
        *("corridas.Change.who", "corridas.Bull.name", "account.EmailAddress.user"),
    } <= COLUMNS.keys()


@pytest.mark.parametrize("label", COLUMNS)
def test_name_column_of_the_admin_is_sorted_by_its_key(office: Client, label: str) -> None:
    app, model_name, column = label.split(".")
    address = f"/admin/{app}/{model_name}/".lower()
    columns = office.get(address, {"all": ""}, follow=True).context["cl"].list_display
    page = office.get(address, {"all": "", "o": columns.index(column)})
    rows = page.context["cl"].queryset
    field = get_fields_from_path(rows.model, COLUMNS[label])[-1]
    first = str(rows.query).rpartition(" ORDER BY ")[2].partition(" ASC")[0]
    assert any(f'"{key}"' in first for key in keys_of(field)), first


def listed(office: Client, address: str, column: str) -> tuple[list[str], list[str]]:
    """Return a column of an admin list sorted by it, upwards and downwards."""
    place = office.get(address).context["cl"].list_display.index(column)
    pages = [office.get(address, {"o": sign + str(place)}).context["cl"] for sign in ("", "-")]
    up, down = ([shown(row, column) for row in page.result_list] for page in pages)
    return up, down


def shown(row: Any, column: str) -> str:
    return row.round.league.name if isinstance(row, Fixture) else str(getattr(row, column))


def test_users_are_sorted_in_spanish_order_also_at_first(office: Client) -> None:
    for name in NAMES:
        if name != "Boss":
            User.objects.create_user(name, first_name=name, last_name=name)
    User.objects.filter(username="Boss").update(first_name="Boss", last_name="Boss")
    User.objects.get(username="Boss").save()
    first = office.get("/admin/accounts/user/").context["cl"].result_list
    assert [user.username for user in first] == SORTED
    for column in ("username", "first_name", "last_name"):
        assert listed(office, "/admin/accounts/user/", column) == (SORTED, SORTED[::-1])


def test_references_to_leagues_and_players_are_sorted_in_spanish_order(office: Client) -> None:
    organiser = world.account("Organiser")
    for name in NAMES:
        league = world.found_league(organiser, name=name, plays=False)
        drawn = Round.objects.create(
            league=league, number=1, drawn_at=world.NOW, deadline=world.NOW, byes=[]
        )
        Fixture.objects.create(round=drawn, number=1, deadline=world.NOW)
    Member.objects.all().delete()
    for name in NAMES:
        Member.objects.create(league=league, player=world.guest(name), joined_at=world.NOW)
    for model, column in (("round", "league"), ("fixture", "league"), ("member", "player")):
        assert listed(office, f"/admin/leagues/{model}/", column) == (SORTED, SORTED[::-1])
