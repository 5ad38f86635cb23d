"""Who may ask what: every address and method by every role, held against a table that is read.

`roles.csv` has a line an endpoint; an endpoint without a line fails, and so does a line without
an endpoint. `WRITE=1` writes the table anew, to be read line by line before it is kept.

in: let in, whatever came of it; sign: sent to sign in; no: refused; none: there is no such thing
for them; -: no such method.
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
OPEN_TO_ALL = {
    # How one likes the site, kept in the browser.
    "POST /accounts/preferences/",
    "POST /i18n/setlang/",
    # The doors themselves; how often they may be knocked at is limited.
    "POST /accounts/login/",
    "POST /accounts/logout/",
    "POST /accounts/signup/",
    "POST /accounts/password/reset/",
    "POST /accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
    # A file is read and judged, and nothing kept.
    "POST /actas/",
    # Who plays as a guest needs no account: tables, and the results of real ones.
    "POST /tienta/nueva/",
    "POST /leagues/join/<slug:token>/",
    "POST /guests/<str:token>/",
    "POST /matches/new/<slug:game>/",
    "POST /tables/new/",
}
"""Where a stranger may send something."""
Row = dict[str, str]


def read() -> dict[str, Row]:
    """The table as it stands."""
    with TABLE.open(newline="") as file:
        return {row["endpoint"]: row for row in csv.DictReader(file)}


def write(found: dict[str, Row]) -> None:
    """The table as found."""
    with TABLE.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["endpoint", "name", *ROLES], lineterminator="\n")
        writer.writeheader()
        writer.writerows(found.values())


def request_outcome(client: Client, endpoint: Endpoint, scene: Scene) -> str:
    """How somebody fares there; whatever it did is undone."""
    cookies = deepcopy(client.cookies)  # who is signed out there comes again
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
    """An answer in a word of the table."""
    assert status < 500, f"{key} broke down with {status}"
    assert status != 429, f"{key} was asked too often to tell"
    if status == 401 or (status == 302 and "/login/" in location):
        return "sign"
    return {403: "no", 404: "none", 405: "-"}.get(status, "in")


@pytest.fixture
def scene(db: None, settings: Settings) -> Scene:
    """Everything there is, and no limit to asking."""
    settings.API_READS_A_MINUTE = settings.API_WRITES_A_MINUTE = 10**9
    return set_up()


def of_the_site() -> list[Endpoint]:
    """All but the office, whose rows are tested by model and role among its own tests."""
    return [one for one in endpoints() if not one.route.startswith(OFFICE)]


@pytest.mark.slow
def test_every_endpoint_answers_every_role_as_written(scene: Scene) -> None:
    """Who may do most asks first: what is cached for them is not handed to who may do less."""
    found = {}
    for endpoint in of_the_site():
        cache.clear()
        cells = {
            role: request_outcome(scene.clients[role], endpoint, scene) for role in reversed(ROLES)
        }
        found[endpoint.key] = {"endpoint": endpoint.key, "name": endpoint.name} | cells
    if os.environ.get("WRITE"):
        write(found)
    written = read()
    assert set(found) == set(written), "an endpoint without a line, or a line without an endpoint"
    wrong = [
        f"{key}: {row} instead of {written[key]}"
        for key, row in found.items()
        if row != written[key]
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE", "TRACE", "PROPFIND"])
def test_pages_have_no_other_methods(method: str) -> None:
    for path in ("/", "/accounts/login/", "/admin/", "/nowhere/"):
        answer = Client(enforce_csrf_checks=True).generic(method, path)
        assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD, POST"), path


def test_strangers_are_shut_out_of_all_that_writes() -> None:
    """Read across the table: whatever a stranger may send something to is named here."""
    rows = read().items()
    writing = {key for key, row in rows if not key.startswith("GET") and row["stranger"] == "in"}
    assert writing == OPEN_TO_ALL
