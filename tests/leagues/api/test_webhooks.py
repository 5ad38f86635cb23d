"""Webhooks of a league over the API.

Only organisers manage them. A secret is shown once, and deliveries can be tested and repeated.
"""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from api.models import DoneOnce
from leagues.members.operations.membership import join_league
from leagues.models import Delivery, League, Player, Webhook
from leagues.webhooks.delivery import deliver_due
from tests.leagues import world
from tests.leagues.api.programs import STRANGER, Program, program
from tests.leagues.webhooks.conftest import Receiver, receiver
from tests.leagues.world import NOW

__all__ = ["receiver"]  # a real receiver on localhost

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> Program:
    return program("ana")


@pytest.fixture
def league(ana: Program) -> League:
    ana.post("matches/", {"game": "highest", "profile": "plain", "names": ["", "Gil"]})
    return world.found_league(Player.objects.get(user__username="ana"))


@pytest.fixture
def webhooks_path(league: League) -> str:
    return f"leagues/{league.slug}/webhooks/"


def new_webhook(by: Program, webhooks_path: str, receiver: Receiver) -> str:
    return f"{webhooks_path}{by.post(webhooks_path, {'url': receiver.url})['id']}/"


@pytest.mark.slow
def test_webhook_is_created_and_its_secret_is_shown_once(
    ana: Program, webhooks_path: str, receiver: Receiver
) -> None:
    asked = {"url": receiver.url, "kinds": ["league.result"]}
    first = ana.ask("POST", webhooks_path, asked, **{"Idempotency-Key": "k"})
    again = ana.ask("POST", webhooks_path, asked, **{"Idempotency-Key": "k"})
    hook = Webhook.objects.get()
    told = first.json()
    assert (first.status_code, again.status_code) == (201, 201)
    assert first["Location"] == again["Location"] == f"/api/v1/{webhooks_path}{hook.pk}/"
    assert (told["secret"], told["kinds"], told["on"]) == (hook.secret, ["league.result"], True)
    assert again.json() == told | {"secret": None}
    assert hook.secret not in str(DoneOnce.objects.get().answer)
    assert "secret" not in ana.get(f"{webhooks_path}{hook.pk}/")
    assert ana.get(webhooks_path)["results"] == [ana.get(f"{webhooks_path}{hook.pk}/")]


def test_old_secret_of_a_webhook_stays_valid_for_a_day(
    ana: Program, webhooks_path: str, receiver: Receiver
) -> None:
    hook = new_webhook(ana, webhooks_path, receiver)
    before = Webhook.objects.get().secret
    told = ana.post(f"{hook}secret/")
    row = Webhook.objects.get()
    assert told["secret"] == row.secret != row.old_secret == before


def test_webhook_is_changed_only_with_its_current_etag(
    ana: Program, webhooks_path: str, receiver: Receiver
) -> None:
    hook = new_webhook(ana, webhooks_path, receiver)
    seen = ana.ask("GET", hook)["ETag"]
    told = ana.ask("PATCH", hook, {"on": False, "kinds": ["nothing.else"]}, **{"If-Match": seen})
    assert told.status_code == 400  # unknown kind of event
    assert told.json()["errors"][0]["pointer"] == "/kinds/0"
    told = ana.ask("PATCH", hook, {"on": False, "kinds": ["league.result"]}, **{"If-Match": seen})
    assert (told.json()["on"], told.json()["stopped"]) == (False, "asked")
    late = ana.refused("PATCH", hook, {"on": True}, **{"If-Match": seen})
    assert late["status"] == 412
    assert Webhook.objects.get().stopped == "asked"
    assert ana.ask("PATCH", hook, {"on": True, "kinds": []}).json()["kinds"] == []
    assert ana.ask("DELETE", hook, **{"If-Match": seen}).status_code == 204
    assert not Webhook.objects.exists()


def test_test_and_repeated_deliveries_report_their_outcome(
    ana: Program, webhooks_path: str, receiver: Receiver
) -> None:
    hook = new_webhook(ana, webhooks_path, receiver)
    sent = ana.ask("POST", f"{hook}test/")
    way = sent["Location"].removeprefix("/api/v1/")
    assert (sent.status_code, sent.json()["state"], way) == (
        202,
        "waiting",
        f"{hook}deliveries/{sent.json()['id']}/",
    )
    soon = timezone.now() + dt.timedelta(seconds=1)
    assert deliver_due(clock=lambda: soon) == 1
    assert (ana.get(way)["state"], ana.get(way)["status"]) == ("delivered", 204)
    assert ana.refused("POST", f"{way}again/")["status"] == 409  # a test has no event to repeat
    Delivery.objects.update(event=1, kind="league.closed", cause="event")
    again = ana.ask("POST", f"{way}again/")
    assert (again.status_code, again.json()["attempt"]) == (202, 2)
    both = ana.get(f"{hook}deliveries/")["results"]
    assert [one["cause"] for one in both] == ["again", "event"]


def test_invalid_webhook_fields_are_rejected(
    ana: Program, webhooks_path: str, receiver: Receiver
) -> None:
    for url in ("http://192.0.2.1/", "https://10.0.0.1/", "https://example.org:22/"):
        told = ana.refused("POST", webhooks_path, {"url": url})
        assert (told["status"], told["errors"][0]["pointer"]) == (409, "/url")
    assert ana.refused("POST", webhooks_path, {"url": 7})["status"] == 400
    assert (
        ana.refused("POST", webhooks_path, {"url": receiver.url, "secret": "mine"})["status"] == 400
    )
    assert not Webhook.objects.exists()


def test_webhooks_are_hidden_from_everybody_but_organisers(
    ana: Program, league: League, webhooks_path: str, receiver: Receiver
) -> None:
    hook, eva = new_webhook(ana, webhooks_path, receiver), program("eva")
    eva.post("matches/", {"game": "highest", "profile": "plain", "names": ["", "Gil"]})
    player = Player.objects.get(user__username="eva")
    join_league(token=league.invitation, by=player, at=NOW)
    for way in (webhooks_path, hook, f"{hook}deliveries/"):
        assert eva.refused("GET", way)["status"] == 404
        assert STRANGER.refused("GET", way)["status"] == 404
    for method, way in (
        ("POST", webhooks_path),
        ("PATCH", hook),
        ("DELETE", hook),
        ("POST", f"{hook}test/"),
    ):
        assert eva.refused(method, way, {"url": receiver.url})["status"] == 404
        assert STRANGER.refused(method, way, {})["status"] == 401
    other = new_webhook(
        eva, f"leagues/{world.found_league(player, name='Other').slug}/webhooks/", receiver
    )
    mine = other.replace(other.split("/")[1], league.slug)
    assert ana.refused("GET", mine)["status"] == 404  # a webhook of another league
    assert Webhook.objects.count() == 2
