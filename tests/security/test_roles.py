"""The response to every role for each URL and method is the one written in `roles.csv`.

The file has one line for each endpoint; a missing or superfluous line fails the test. `WRITE=1`
writes the file again. Read its changes line by line before you commit it.

in: allowed, whatever the result; sign: redirected to sign in; no: rejected; none: not found for
this role; -: no such method.
"""

from __future__ import annotations

import csv
import os
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from tests.security.endpoints import Endpoint, address, endpoints
from tests.security.scene import ROLES, Scene, set_up

TABLE = Path(__file__).parent / "roles.csv"
OFFICE = "admin/"
# Endpoints to which visitors may send data.
OPEN_TO_ALL = {
    # Preferences that are stored in the browser.
    "POST /accounts/preferences/",
    "POST /i18n/setlang/",
    # Signing in and up; the number of attempts is limited.
    "POST /accounts/login/",
    "POST /accounts/logout/",
    "POST /accounts/signup/",
    "POST /accounts/password/reset/",
    "POST /accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
    # An uploaded file is read and checked, and not stored.
    "POST /actas/",
    # Guests may play without an account, and enter results of real tables.
    "POST /tienta/nueva/",
    "POST /leagues/join/<slug:token>/",
    "POST /guests/<str:token>/",
    "POST /matches/new/<slug:game>/",
    "POST /tables/new/",
}
# The endpoints are tested in several parts, which can run at the same time.
PARTS = 4
Row = dict[str, str]


def read() -> dict[str, Row]:
    """Return the rows of `roles.csv`."""
    with TABLE.open(newline="") as file:
        return {row["endpoint"]: row for row in csv.DictReader(file)}


def write(found: dict[str, Row]) -> None:
    """Write `roles.csv`."""
    with TABLE.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["endpoint", "name", *ROLES], lineterminator="\n")
        writer.writeheader()
        writer.writerows(found.values())


def request_outcome(client: Client, endpoint: Endpoint, scene: Scene) -> str:
    """Return how the site answers this role, after rolling back all changes."""
    cookies = deepcopy(client.cookies)  # the request may sign the user out
    extra: dict[str, Any] = {}
    if endpoint.route.startswith("api/") and endpoint.method != "GET":
        extra = {"data": "{}", "content_type": "application/json"}
    with transaction.atomic():
        answer = getattr(client, endpoint.method.lower())(address(endpoint, scene), **extra)
        transaction.set_rollback(True)
    client.cookies = cookies
    assert answer["X-Content-Type-Options"] == "nosniff", endpoint.key
    return outcome_word(answer.status_code, answer.headers.get("Location", ""), endpoint.key)


def outcome_word(status: int, location: str, key: str) -> str:
    """Return the word of `roles.csv` for a response."""
    assert status < 500, f"{key} broke down with {status}"
    assert status != 429, f"{key} was asked too often to tell"
    if status == 401 or (status == 302 and "/login/" in location):
        return "sign"
    return {403: "no", 404: "none", 405: "-"}.get(status, "in")


@pytest.fixture
def scene(db: None, settings: Settings) -> Scene:
    """Objects of every kind, without rate limits."""
    settings.API_READS_A_MINUTE = settings.API_WRITES_A_MINUTE = 10**9
    return set_up()


def of_the_site() -> list[Endpoint]:
    """Return all endpoints except the admin, whose permissions have separate tests."""
    return [one for one in endpoints() if not one.route.startswith(OFFICE)]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_endpoint_answers_each_role_as_listed(scene: Scene, part: int) -> None:
    """Roles with more rights send their request first, so that the test notices if their cached
    pages are served to others.
    """
    found = {}
    for endpoint in of_the_site()[part::PARTS]:
        cache.clear()
        cells = {
            role: request_outcome(scene.clients[role], endpoint, scene) for role in reversed(ROLES)
        }
        found[endpoint.key] = {"endpoint": endpoint.key, "name": endpoint.name} | cells
    written = read()
    if os.environ.get("WRITE"):
        written |= found
        write({one.key: written[one.key] for one in of_the_site() if one.key in written})
    wrong = [
        f"{key}: {row} instead of {written.get(key)}"
        for key, row in found.items()
        if row != written.get(key)
    ]
    assert not wrong, "\n".join(wrong)


def test_every_endpoint_has_one_line_in_the_list() -> None:
    assert {one.key for one in of_the_site()} == set(read())


@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE", "TRACE", "PROPFIND"])
def test_pages_reject_other_methods(method: str) -> None:
    for path in ("/", "/accounts/login/", "/admin/", "/nowhere/"):
        answer = Client(enforce_csrf_checks=True).generic(method, path)
        assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD, POST"), path


def test_visitors_can_write_only_to_the_listed_endpoints() -> None:
    """Every endpoint that accepts data from a visitor must be listed in this module."""
    rows = read().items()
    writing = {key for key, row in rows if not key.startswith("GET") and row["stranger"] == "in"}
    assert writing == OPEN_TO_ALL
