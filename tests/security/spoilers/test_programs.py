"""Spoiler protection in the API, the live feed, the event stream and the profile form."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from api.keys.operations import make_token
from api.models import Token
from corridas.broadcast import source
from corridas.models import Watched
from events import broadcast_source as happenings
from live.broadcast_source import WatchingRefusedError
from tests.security.spoilers.conftest import Afternoons

VEILED = "urn:temporada:problem:veiled"


@pytest.fixture
def key(person: User) -> dict[str, Any]:
    """Return the request header with a write-access API key of the user."""
    _row, text = make_token(user=person, name="x", scope=Token.Scope.WRITE, at=timezone.now())
    return {"HTTP_AUTHORIZATION": f"Bearer {text}"}


def refused_answer(answer: Any) -> Any:
    assert answer.status_code == 403
    assert answer["Content-Type"].startswith("application/problem+json")
    told = answer.json()
    assert told["type"] == VEILED
    return told


def test_api_error_names_the_replay_and_the_header_that_reveals(
    afternoons: Afternoons, client: Client, key: dict[str, Any]
) -> None:
    way = reverse("api_corrida", args=[afternoons.over.pk])
    told = refused_answer(client.get(way, **key))
    first = reverse("api_moment", args=[afternoons.over.pk, 0, 0])
    assert [one.endswith(first) for one in told["corridas"]] == [True]
    assert told["lift"] == "Veiled: show"
    assert client.get(way, HTTP_VEILED="show", **key).status_code == 200
    refused_answer(client.get(way, **key))  # for that request alone
    assert client.get(first, **key).status_code == 200
    assert "Veiled" in client.get(first, **key)["Vary"]
    assert client.get(way).status_code == 200  # a stranger


def test_api_rejects_hidden_records_lists_and_events_alike(
    afternoons: Afternoons, client: Client, key: dict[str, Any]
) -> None:
    pk = afternoons.over.pk
    for name, args in (
        ("api_corrida_record", [pk]),
        ("api_lidias", [pk]),
        ("api_events", []),
        ("api_awards", ["leyendas", 2027]),
    ):
        refused_answer(client.get(reverse(name, args=args), **key))


def test_two_unwatched_corridas_take_as_many_queries_as_one(
    afternoons: Afternoons, client: Client, key: dict[str, Any]
) -> None:
    client.get(reverse("api_me"), **key)  # the first use of a key is stored
    counts = []
    for limit in (1, 2):
        with CaptureQueriesContext(connection) as caught:
            listed = client.get(reverse("api_unwatched"), {"limit": limit}, **key).json()
        assert len(listed["results"]) == limit
        counts.append(len(caught))
    assert counts[0] == counts[1] <= 8


def test_corrida_marked_as_watched_is_stored_and_shown(
    afternoons: Afternoons, client: Client, key: dict[str, Any], person: User
) -> None:
    listed = client.get(reverse("api_unwatched"), **key).json()["results"]
    assert {one["id"] for one in listed} == {afternoons.over.pk, afternoons.on_air.pk}
    assert "oreja" not in str(listed)
    assert client.post(listed[0]["links"]["watched"], **key).status_code == 204
    assert Watched.objects.filter(user=person, corrida=listed[0]["id"]).exists()
    rest = client.post(reverse("api_unwatched"), {"circuit": "leyendas"}, "application/json", **key)
    assert rest.json() == {"watched": 1}
    assert client.get(reverse("api_corridas"), **key).status_code == 200
    assert client.get(reverse("api_unwatched")).status_code == 401
    assert client.post(reverse("api_watched", args=[10**9]), **key).status_code == 404


def test_feed_of_an_unwatched_corrida_is_closed_unless_on_air(
    afternoons: Afternoons, person: User
) -> None:
    with pytest.raises(WatchingRefusedError):
        source.may_watch(str(afternoons.over.pk), person)
    assert source.may_watch(str(afternoons.on_air.pk), person)
    assert source.may_watch(str(afternoons.over.pk), AnonymousUser())
    Watched.objects.create(user=person, corrida=afternoons.over, at=timezone.now())
    assert source.may_watch(str(afternoons.over.pk), person)


def test_event_streams_with_results_are_closed(person: User) -> None:
    for key in ("all", "circuit-leyendas"):
        with pytest.raises(WatchingRefusedError):
            happenings.may_watch(key, person)
    assert happenings.may_watch("league-nobodys", person) is False
    assert happenings.may_watch("all", AnonymousUser())
    assert happenings.may_watch("all", User.objects.create_user("blas"))


@pytest.mark.django_db
def test_profile_form_switches_spoiler_protection_on_and_off(client: Client) -> None:
    user = User.objects.create_user("blas")
    client.force_login(user)
    way, told = reverse("profile"), {"name": "blas", "language": "", "theme": "system"}
    assert client.post(way, {**told, "shielded": "on"}).status_code == 302
    user.refresh_from_db()
    since = user.shielded_since
    assert since is not None
    client.post(way, {**told, "shielded": "on"})
    user.refresh_from_db()
    assert user.shielded_since == since
    assert b"checked" in client.get(way).content
    client.post(way, told)
    user.refresh_from_db()
    assert user.shielded_since is None
