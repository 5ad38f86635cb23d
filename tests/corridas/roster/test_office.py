"""The links from the admin site to the pages that export and import rosters."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from corridas.models import Circuit
from corridas.roles import ROSTER_EDITOR, found_roles

pytestmark = pytest.mark.django_db
DOOR = "/admin/corridas/circuit/exchange/"


@pytest.fixture
def editor(db: None) -> Client:
    """Return a roster editor, who may edit the rosters of circuits without a director."""
    user = User.objects.create_user("mayoral", is_staff=True)
    user.groups.set(group for group in found_roles() if group.name == ROSTER_EDITOR)
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.slow
def test_the_admin_links_to_the_roster_pages_of_the_user_s_circuits(
    legends: Circuit, bare: Circuit, keeper: User, client: Client
) -> None:
    client.force_login(keeper)
    page = client.get(DOOR).content.decode()
    assert "/circuitos/campo/direccion/elenco/" in page
    assert "/circuitos/vacio/direccion/elenco/" in page
    assert DOOR in client.get("/admin/corridas/plaza/", follow=True).content.decode()
    one = client.get(f"/admin/corridas/circuit/{legends.pk}/change/").content.decode()
    assert "/circuitos/campo/direccion/elenco/" in one


def test_a_roster_editor_can_open_only_rosters_of_circuits_without_a_director(
    legends: Circuit, bare: Circuit, editor: Client
) -> None:
    assert editor.get("/circuitos/campo/direccion/elenco/").status_code == 403
    Circuit.objects.filter(pk=legends.pk).update(owner=None)
    assert editor.get(DOOR).headers["Location"] == "/circuitos/campo/direccion/elenco/"
    assert editor.get("/circuitos/campo/direccion/elenco/").status_code == 200
    assert editor.get("/circuitos/vacio/direccion/elenco/").status_code == 404


def test_only_administrators_can_export_the_potential_of_matadors(
    legends: Circuit, director: User, keeper: User, client: Client
) -> None:
    for user, included in ((director, False), (keeper, True)):
        client.force_login(user)
        file = client.get("/circuitos/campo/direccion/elenco/matadors.csv")
        assert (b"promise" in file.getvalue()) is included
