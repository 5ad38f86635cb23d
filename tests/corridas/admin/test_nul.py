"""A NUL byte in a query string is rejected, because PostgreSQL cannot store it in a text."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.test import Client

from accounts.models import User
from tests.corridas.simulation import world
from tests.databases import Postgres, opened

ASKED = ("?q=%00", "?country=%00", "?name__exact=a%00b", "?%00=1", "?state=%00", "?p=%00")


@pytest.mark.nightly
@pytest.mark.usefixtures("unblocked")
def test_admin_lists_reject_a_nul_byte_in_any_parameter(postgres: Postgres) -> None:
    url = postgres.copy(postgres.template("founded", world.found_all, source="migrated"))
    with opened(url):
        client = Client()
        client.force_login(User.objects.create_superuser("ganadero"))
        for model in admin.site._registry:
            way = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
            assert client.get(way, follow=True).status_code == 200, way
            for query in ASKED:
                assert client.get(way + query).status_code == 400, way + query
        choices = "?app_label=corridas&model_name=bull&field_name=ganaderia&term=%00"
        assert client.get(f"/admin/autocomplete/{choices}").status_code == 400
        assert client.get("/escalafon/?q=%00").status_code != 500
    postgres.drop(url)


def test_an_admin_action_rejects_invalid_primary_keys(db: None) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("ganadero"))
    given = {"action": "check_rosters", "index": "0", "_selected_action": "x"}
    assert client.post("/admin/corridas/circuit/", given).status_code == 400
