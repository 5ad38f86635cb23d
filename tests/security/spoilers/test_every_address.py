"""Every address of the site says what it tells of results, and holds to it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from corridas.models import Corrida, Escalafon, Lidia, Matador
from corridas.spoilers import addresses
from corridas.spoilers.addresses import SpoilerScope, scope_of
from tests.databases import rolled_back
from tests.factories import NAMES
from tests.security.endpoints import Endpoint, address, endpoints, walk
from tests.security.scene import Scene, set_up
from tests.security.spoilers.conftest import AGES

OFFICE = "admin/"
MANY_OR_ONE = set(SpoilerScope) - {
    SpoilerScope.NOTHING,
    SpoilerScope.PRESENT,
    SpoilerScope.LIDIA,
    SpoilerScope.MOMENT,
}
CHANGING = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"|csrf[tT]oken[^,}]*|'
    r'"?\d{4}-\d\d-\d\dT[^"<]*|<time[^>]*>[^<]*</time>|\d+ (seconds?|ms)'
)
"""What differs between two askings anyway."""
CHANGES = (
    *("api_schema", "account_logout", "mfa_", "usersessions_"),
    *("circuit_new", "league_calendar", "status"),
)
"""Addresses slow to draw up, the end of the session, and what draws chance or tells the time."""


def names() -> set[str]:
    return {name for name, _route, _pattern in walk(get_resolver())}


def test_every_address_is_classified_and_no_line_is_idle() -> None:
    told = {addresses.line_of(name) for name in names()}
    bare = sorted(name for name in names() if addresses.line_of(name) is None)
    assert bare == [], "give them a line in corridas/spoilers/addresses.csv"
    assert told == set(addresses.read_addresses())


def test_what_nobody_classified_tells_everything() -> None:
    assert scope_of("something_new") is SpoilerScope.EVERYTHING
    assert scope_of("circuit:bull") is scope_of("bull") is SpoilerScope.BULL
    assert scope_of("admin:corridas_lidia_changelist") is SpoilerScope.EVERYTHING
    assert scope_of("admin:leagues_league_changelist") is SpoilerScope.NOTHING


@pytest.fixture
def scene(db: None, settings: Settings) -> Scene:
    """Everything there is; who may do all has the shield."""
    settings.API_READS_A_MINUTE = settings.API_WRITES_A_MINUTE = 10**9
    found = set_up()
    User.objects.filter(username="admin").update(shielded_since=timezone.now() - AGES)
    return found


def readable(*what: SpoilerScope) -> list[Endpoint]:
    """Addresses to be read that tell this; the office apart."""
    found = [one for one in endpoints() if one.method == "GET" and scope_of(one.name) in what]
    return [one for one in found if not one.route.startswith(OFFICE)]


def get_endpoint(client: Client, endpoint: Endpoint, scene: Scene) -> Any:
    cache.clear()
    return client.get(address(endpoint, scene))


@pytest.mark.slow
def test_what_tells_of_hidden_corridas_is_veiled_everywhere(scene: Scene) -> None:
    wrong = []
    for endpoint in readable(*MANY_OR_ONE):
        answer = get_endpoint(scene.clients["admin"], endpoint, scene)
        body = answer.content.decode()
        mark = "urn:temporada:problem:veiled" if "api/" in endpoint.route else "sh-gate"
        named = [name for name in NAMES if name in body]
        if answer.status_code != 403 or mark not in body or named:
            wrong.append((endpoint.key, answer.status_code, named))
    assert wrong == []


def test_the_office_is_veiled_where_it_shows_corridas(scene: Scene) -> None:
    admin = scene.clients["admin"]
    for name in ("lidia", "corrida", "escalafon"):
        answer = admin.get(f"/admin/corridas/{name}/")
        assert answer.status_code == 403
        assert b"sh-gate" in answer.content
    assert admin.get("/admin/leagues/league/").status_code == 200


@pytest.mark.slow
def test_what_is_said_to_tell_nothing_is_the_same_however_they_ended(scene: Scene) -> None:
    """Each such page is read twice, the results of what is hidden turned over in between."""
    found = [one for one in readable(SpoilerScope.NOTHING) if not one.name.startswith(CHANGES)]
    before = {one.key: body(scene, one) for one in found}
    with rolled_back():
        turn_over()
        changed = [one for one in found if body(scene, one) != before[one.key]]
    # What is made at the first visit is there now: those are read again.
    before = {one.key: body(scene, one) for one in changed}
    turn_over()
    told = {one.key: differs(before[one.key], body(scene, one)) for one in changed}
    assert {key: words for key, words in told.items() if words} == {}


def differs(before: tuple[int, str], after: tuple[int, str]) -> str:
    """Where two bodies part; empty for the same."""
    if before == after:
        return ""
    pairs = zip(before[1], after[1], strict=False)
    place = next((number for number, (one, other) in enumerate(pairs) if one != other), 0)
    return f"{before[0]} {before[1][place - 60 : place + 40]} // {after[1][place : place + 40]}"


def body(scene: Scene, endpoint: Endpoint) -> tuple[int, str]:
    answer = get_endpoint(scene.clients["admin"], endpoint, scene)
    raw = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if raw.startswith(b"PK"):
        return answer.status_code, "a bundle"
    return answer.status_code, CHANGING.sub("", raw.decode(errors="replace"))


def turn_over() -> None:
    """Everybody won what he did not win."""
    hidden = Corrida.objects.filter(on_air_at__isnull=False)
    for lidia in Lidia.objects.filter(corrida__in=hidden):
        Lidia.objects.filter(pk=lidia.pk).update(
            trophy=3 - (lidia.trophy or 0), score=77, number=99, avisos=2, crowd=None
        )
    Escalafon.objects.update(ears=F("ears") + 17, tails=F("tails") + 5, bulls=F("bulls") + 3)
    for matador in Matador.objects.all():
        Matador.objects.filter(pk=matador.pk).update(form="r" * 5)
