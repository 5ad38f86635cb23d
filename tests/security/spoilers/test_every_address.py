"""Every URL is classified by the results that it shows, and hides unwatched ones accordingly."""

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
# Parts of a response that differ between two requests anyway.
CHANGING = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"|csrf[tT]oken[^,}]*|'
    r'"?\d{4}-\d\d-\d\dT[^"<]*|<time[^>]*>[^<]*</time>|\d+ (seconds?|ms)'
)
# Names of URLs left out: slow pages, signing out, and pages that show random numbers or the time.
CHANGES = (
    *("api_schema", "account_logout", "mfa_", "usersessions_"),
    *("circuit_new", "league_calendar", "status"),
)


def names() -> set[str]:
    return {name for name, _route, _pattern in walk(get_resolver())}


def test_every_url_is_classified_in_the_csv_file() -> None:
    told = {addresses.line_of(name) for name in names()}
    bare = sorted(name for name in names() if addresses.line_of(name) is None)
    assert bare == [], "give them a line in corridas/spoilers/addresses.csv"
    assert told == set(addresses.read_addresses())


def test_unclassified_url_counts_as_showing_all_results() -> None:
    assert scope_of("something_new") is SpoilerScope.EVERYTHING
    assert scope_of("circuit:bull") is scope_of("bull") is SpoilerScope.BULL
    assert scope_of("admin:corridas_lidia_changelist") is SpoilerScope.EVERYTHING
    assert scope_of("admin:leagues_league_changelist") is SpoilerScope.NOTHING


@pytest.fixture
def scene(db: None, settings: Settings) -> Scene:
    """All objects of the site; the superuser has spoiler protection."""
    settings.API_READS_A_MINUTE = settings.API_WRITES_A_MINUTE = 10**9
    found = set_up()
    User.objects.filter(username="admin").update(shielded_since=timezone.now() - AGES)
    return found


def readable(*what: SpoilerScope) -> list[Endpoint]:
    """Return GET endpoints with one of these classifications, without the admin."""
    found = [one for one in endpoints() if one.method == "GET" and scope_of(one.name) in what]
    return [one for one in found if not one.route.startswith(OFFICE)]


def get_endpoint(client: Client, endpoint: Endpoint, scene: Scene) -> Any:
    cache.clear()
    return client.get(address(endpoint, scene))


@pytest.mark.slow
def test_pages_with_unwatched_results_are_hidden_everywhere(scene: Scene) -> None:
    wrong = []
    for endpoint in readable(*MANY_OR_ONE):
        answer = get_endpoint(scene.clients["admin"], endpoint, scene)
        body = answer.content.decode()
        mark = "urn:temporada:problem:veiled" if "api/" in endpoint.route else "sh-gate"
        named = [name for name in NAMES if name in body]
        if answer.status_code != 403 or mark not in body or named:
            wrong.append((endpoint.key, answer.status_code, named))
    assert wrong == []


def test_admin_pages_of_corridas_are_hidden(scene: Scene) -> None:
    admin = scene.clients["admin"]
    for name in ("lidia", "corrida", "escalafon"):
        answer = admin.get(f"/admin/corridas/{name}/")
        assert answer.status_code == 403
        assert b"sh-gate" in answer.content
    assert admin.get("/admin/leagues/league/").status_code == 200


@pytest.mark.slow
def test_pages_classified_as_without_results_do_not_depend_on_results(scene: Scene) -> None:
    """Each page is requested twice, and the hidden results are changed in between."""
    found = [one for one in readable(SpoilerScope.NOTHING) if not one.name.startswith(CHANGES)]
    before = {one.key: body(scene, one) for one in found}
    with rolled_back():
        turn_over()
        changed = [one for one in found if body(scene, one) != before[one.key]]
    # Objects created by a first visit now exist, so these pages are requested again.
    before = {one.key: body(scene, one) for one in changed}
    turn_over()
    told = {one.key: differs(before[one.key], body(scene, one)) for one in changed}
    assert {key: words for key, words in told.items() if words} == {}


def differs(before: tuple[int, str], after: tuple[int, str]) -> str:
    """Return the text around the first difference of two responses; empty if they are equal."""
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
    """Give every result its opposite."""
    hidden = Corrida.objects.filter(on_air_at__isnull=False)
    for lidia in Lidia.objects.filter(corrida__in=hidden):
        Lidia.objects.filter(pk=lidia.pk).update(
            trophy=3 - (lidia.trophy or 0), score=77, number=99, avisos=2, crowd=None
        )
    Escalafon.objects.update(ears=F("ears") + 17, tails=F("tails") + 5, bulls=F("bulls") + 3)
    for matador in Matador.objects.all():
        Matador.objects.filter(pk=matador.pk).update(form="r" * 5)
