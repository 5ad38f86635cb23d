"""Numbers too large for a database column never cause a server error, in URLs, queries, forms
and JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings
from rest_framework import serializers

from api.pagination import Cursor, format_cursor
from core.keys import MAX_KEY
from live.broadcast_source import sources
from tests.security.endpoints import PART, Endpoint, address, endpoints
from tests.security.scene import Scene, set_up

# The first number beyond a four-byte column, and a number far beyond an eight-byte column.
SMALLEST, LARGEST = 2**31, 10**30
NUMBERS = (SMALLEST, MAX_KEY, MAX_KEY + 1, 2**64, LARGEST)
NIGHTLY = [pytest.param(number, marks=pytest.mark.nightly) for number in (SMALLEST, LARGEST)]
SOME_NUMBERS = (MAX_KEY + 1, *NIGHTLY)

OFFICE = "admin/"
PROGRAMS = "api/"

# Names of numeric fields in queries and forms of pages.
NAMES = (
    "after before bull by card category corrida cursor day deadline delivery edition feria fixture "
    "game guest league leave limit m match matador month move number off out page pk post round "
    "run season seat seat-0 seats seen since sit step swap turn until version year"
)
OFFICE_NAMES = (
    "p id id__in id__exact circuit season card copy category matador plaza deck league player "
    "match _selected_action _to_field object_id field_name"
)


@pytest.fixture
def scene(db: None, settings: Settings) -> Scene:
    settings.API_READS_A_MINUTE = settings.API_WRITES_A_MINUTE = 10**9
    return set_up()


def send_request(client: Client, method: str, path: str, **extra: Any) -> HttpResponse:
    """Send a request, and roll back its changes."""
    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        answer: HttpResponse = getattr(client, method.lower())(path, **extra)
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer


def numbered(scene: Scene) -> Iterator[tuple[Endpoint, str, int]]:
    """Yield every URL with a number, each of its numbers in turn replaced by a large one."""
    for endpoint in endpoints():
        route = endpoint.route
        for part in PART.finditer(route):
            if part["kind"] == "int" or part["name"] in {"object_id", "id"}:
                for number in NUMBERS:
                    replaced = f"{route[: part.start()]}{number}{route[part.end() :]}"
                    yield endpoint, address(endpoint._replace(route=replaced), scene), number


@pytest.mark.databases
@pytest.mark.nightly_on("sqlite")
@pytest.mark.slow
def test_large_numbers_in_urls_are_not_found(scene: Scene) -> None:
    wrong = []
    for endpoint, path, number in numbered(scene):
        extra: dict[str, Any] = {}
        if endpoint.route.startswith(PROGRAMS) and endpoint.method != "GET":
            extra = {"data": "{}", "content_type": "application/json"}
        status = send_request(scene.clients["admin"], endpoint.method, path, **extra).status_code
        if endpoint.route.startswith(OFFICE):
            # The admin redirects to its index with a message.
            fine = status < 500 and (endpoint.method != "GET" or status != 200)
        elif number > MAX_KEY:
            fine = status == 404
        else:
            fine = status in {302, 404, 405} if endpoint.method == "GET" else status < 500
        if not fine:
            wrong.append(f"{endpoint.method} {path}: {status}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.databases
@pytest.mark.nightly_on("sqlite")
@pytest.mark.slow
@pytest.mark.parametrize("number", SOME_NUMBERS)
def test_large_numbers_in_queries_are_handled(scene: Scene, number: int) -> None:
    """Pages get all names at once, API endpoints and admin lists one name at a time."""
    wrong = []
    for endpoint in endpoints():
        if endpoint.method != "GET":
            continue
        path = address(endpoint, scene)
        for query in queries(endpoint, number):
            status = send_request(scene.clients["admin"], "GET", path, data=query).status_code
            if status >= 500:
                wrong.append(f"GET {path} {query}: {status}")
    assert not wrong, "\n".join(wrong)


def queries(endpoint: Endpoint, number: int) -> Iterator[dict[str, Any]]:
    if endpoint.route.startswith(PROGRAMS):
        parameters = getattr(endpoint.resource, "query_parameters", set)
        for name in sorted(parameters()):
            values = format_cursor(Cursor((str(number), str(number)), False))
            yield {name: values if name == "cursor" else number}
    elif endpoint.name.endswith("_changelist"):
        yield from ({name: number} for name in OFFICE_NAMES.split())
    elif not endpoint.route.startswith(OFFICE):
        yield dict.fromkeys(NAMES.split(), number)


@pytest.mark.databases
@pytest.mark.nightly_on("sqlite")
@pytest.mark.slow
@pytest.mark.parametrize("number", SOME_NUMBERS)
def test_large_numbers_in_forms_and_json_are_handled(scene: Scene, number: int) -> None:
    wrong = []
    for endpoint in endpoints():
        if endpoint.method == "GET":
            continue
        path = address(endpoint, scene)
        extra: dict[str, Any] = {"data": dict.fromkeys(f"{NAMES} {OFFICE_NAMES}".split(), number)}
        if endpoint.route.startswith(PROGRAMS):
            extra = {"data": body_of(endpoint, number), "content_type": "application/json"}
        status = send_request(scene.clients["admin"], endpoint.method, path, **extra).status_code
        if status >= 500:
            wrong.append(f"{endpoint.method} {path} {extra['data']}: {status}")
    assert not wrong, "\n".join(wrong)


def body_of(endpoint: Endpoint, number: int) -> Any:
    resource = endpoint.resource
    action = (getattr(resource, "action_map", None) or {}).get(endpoint.method.lower())
    body = getattr(getattr(resource, action or endpoint.method.lower(), None), "body", None)
    return body_of_big_numbers(body(), number) if body else {}


def body_of_big_numbers(field: Any, number: int) -> Any:
    """Return a request body in which every number is a large one."""
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        return [body_of_big_numbers(field.child, number)]
    if isinstance(field, serializers.Serializer):
        parts = {name: part for name, part in field.fields.items() if not part.read_only}
        return {name: body_of_big_numbers(part, number) for name, part in parts.items()}
    if isinstance(field, serializers.IntegerField | serializers.FloatField):
        return number
    if isinstance(field, serializers.ChoiceField):
        return next(iter(field.choices), "")
    if isinstance(field, serializers.BooleanField):
        return True
    if isinstance(field, serializers.DictField):
        return {str(number): body_of_big_numbers(field.child, number)}
    if isinstance(field, serializers.DateTimeField):
        return "2030-01-01T12:00:00Z"
    return "2030-01-01" if isinstance(field, serializers.DateField) else str(number)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("key", ["{}", "{}-0", "1-{}"])
def test_large_numbers_in_keys_of_broadcasts_are_not_found(db: None, key: str, number: int) -> None:
    key = key.format(number)
    for kind in sources._providers:
        gate = sources.gate(kind)
        assert gate is None or not gate(key, AnonymousUser()), kind
        assert sources.load(kind, key) is None, kind
    events = sources.log("events", "all")
    assert events is not None
    assert not events.page_after(min(number, MAX_KEY)).events
