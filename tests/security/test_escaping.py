"""Names of people, towns and herds are escaped on every page, whatever characters they contain."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import models, transaction
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat, Substr
from pytest_django.plugin import DjangoDbBlocker

from corridas.broadcast import source
from tests.security.endpoints import Endpoint, address, endpoints
from tests.security.scene import Scene, set_up

MARK = """=<i a="b" c='d'>&"""
SHOWN = "=&lt;i a=&quot;b&quot; c=&#x27;d&#x27;&gt;&amp;"
RAW = ("<i a=", 'a="b"', "c='d'")
TWICE = ("&amp;lt;", "&amp;amp;", "&amp;quot;", "&amp;#x27;")
NAMED = (
    *("name", "apodo", "birthplace", "deathplace", "alternativa_place", "city", "encaste", "coat"),
    *("note", "title", "first_name", "location"),
)
ROOMS = ("accounts", "corridas", "eltoro", "leagues")
VENDORS = (
    *("account_", "mfa_", "usersessions_", "socialaccount_", "api_", "admin:auth"),
    *("admin:view_on_site", "circuit_new"),
)


def meant(endpoint: Endpoint) -> bool:
    """Return whether an endpoint is a page of this site that shows names (GET, without random
    content).
    """
    plain = endpoint.method == "GET" and "<path:object_id>" not in endpoint.route
    return plain and not endpoint.name.startswith(VENDORS)


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """One object of every kind, with a name that begins with HTML characters."""
    with django_db_blocker.unblock(), transaction.atomic():
        found = set_up()
        for model in (model for room in ROOMS for model in apps.get_app_config(room).get_models()):
            rename(model)
        source._cache.clear()
        cache.clear()
        yield found
        source._cache.clear()
        transaction.set_rollback(True)


def rename(model: type[models.Model]) -> None:
    for field in model._meta.concrete_fields:
        if field.name in NAMED and isinstance(field, models.CharField | models.TextField):
            name = Concat(Value(MARK), Cast("pk", CharField()))
            model._base_manager.exclude(**{field.name: ""}).update(
                **{field.name: Substr(name, 1, field.max_length or 200)}
            )


def body(answer: Any) -> str:
    raw = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return str(raw.decode("utf-8-sig", errors="replace"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "endpoint", [one for one in endpoints() if meant(one)], ids=lambda one: one.key
)
def test_names_are_escaped_on_every_page(db: None, scene: Scene, endpoint: Endpoint) -> None:
    answer = scene.clients["admin"].get(address(endpoint, scene))
    assert answer.status_code < 500
    kind, text = answer.headers.get("Content-Type", ""), body(answer)
    if "csv" in kind:
        cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
        assert not [cell for cell in cells if cell.startswith("=")]
    elif "html" in kind or "svg" in kind:
        for sign in RAW + TWICE:
            place = text.find(sign)
            assert place < 0, text[max(0, place - 120) : place + 60]


@pytest.mark.parametrize(
    "way",
    [
        "/",
        "/escalafon/2027/",
        "/matadores/matador-0/",
        "/plazas/ronda/",
        "/ganaderias/mayalde/",
        "/temporada/2027/",
        "/circuitos/cerrado/",
        "/players/player/",
    ],
)
def test_pages_really_contain_the_tested_names(db: None, scene: Scene, way: str) -> None:
    assert SHOWN in body(scene.clients["admin"].get(way))
