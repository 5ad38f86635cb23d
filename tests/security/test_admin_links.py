"""Every link of an admin list works: filters, columns, dates and pages."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib import admin
from django.urls import reverse

from leagues.models import Table
from tests.security.scene import Scene, set_up

LINK = re.compile(r'href="(\?[^"]*)"')


@pytest.fixture
def scene(db: None) -> Scene:
    return set_up()


def links(page: str) -> list[str]:
    """Return the links of a page to itself with another query string, each once."""
    return sorted({unescape(link) for link in LINK.findall(page)})


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.databases
def test_every_link_of_an_admin_list_works(scene: Scene) -> None:
    client, wrong, tried = scene.clients["admin"], [], set()
    for model in admin.site._registry:
        names = (model._meta.app_label, model._meta.model_name)
        way = reverse("admin:{}_{}_changelist".format(*names))
        answer = client.get(way, follow=True)
        assert answer.status_code == 200, way
        for link in links(answer.text):
            status = client.get(way + link, follow=True)
            # Django's lists redirect with `e=1` if they do not know a query parameter.
            landed = [step for step, _status in status.redirect_chain if "e=1" in step]
            if status.status_code != 200 or landed:
                wrong.append(f"{way}{link}: {status.status_code} {landed}")
            tried.add((*names, link.partition("=")[0]))
    assert not wrong, "\n".join(wrong)
    assert ("leagues", "table", "?state") in tried
    assert len(tried) > 60


@pytest.mark.parametrize("state", [state.value for state in Table.State])
def test_admin_list_of_tables_can_be_filtered_by_state_only(scene: Scene, state: str) -> None:
    way = reverse("admin:leagues_table_changelist")
    client = scene.clients["admin"]
    assert client.get(way, {"state": state}).status_code == 200
    for lookup in ("state__exact", "state__startswith", "counts_at__isnull", "round"):
        assert client.get(way, {lookup: state}).status_code == 400, lookup
