"""The organiser's page of webhooks: adding, showing the secret once, testing, disabling,
removing.
"""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from leagues.models import Delivery, League, Player, Webhook
from leagues.webhooks.delivery import deliver_due
from tests.leagues import world
from tests.leagues.webhooks.conftest import Receiver


@pytest.fixture
def organiser(client: Client, ana: Player) -> Client:
    assert ana.user is not None
    client.force_login(ana.user)
    return client


def address(league: League, key: int = 0, action: str = "") -> str:
    if action:
        return reverse("league_webhook", args=[league.slug, key, action])
    return reverse("league_webhooks", args=[league.slug])


def read(client: Client, league: League) -> str:
    return client.get(address(league)).content.decode()


def test_secret_of_a_new_webhook_is_shown_once(
    organiser: Client, league: League, receiver: Receiver
) -> None:
    assert "No addresses have been added yet." in read(organiser, league)
    answer = organiser.post(address(league), {"url": receiver.url, "kinds": ["league.result"]})
    assert answer.status_code == 302
    hook = Webhook.objects.get()
    assert hook.kinds == ["league.result"]
    assert hook.secret in read(organiser, league)
    assert hook.secret not in read(organiser, league)
    organiser.post(address(league, hook.pk, "secret"))
    changed = Webhook.objects.get().secret
    assert changed != hook.secret
    assert changed in read(organiser, league)
    assert changed not in read(organiser, league)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://example.org/", "https://"),
        ("https://127.0.0.1/", "not a public internet address"),
        ("https://example.org:22/", "Choose one of these ports"),
        ("", "required"),
    ],
)
def test_unsuitable_webhook_url_is_rejected_with_a_message(
    organiser: Client, league: League, url: str, sentence: str
) -> None:
    answer = organiser.post(address(league), {"url": url})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Webhook.objects.exists()


def test_page_shows_the_outcome_of_a_test_delivery(
    organiser: Client, hook: Webhook, receiver: Receiver
) -> None:
    league = hook.league
    organiser.post(address(league, hook.pk, "test"))
    assert "Refresh the page" in read(organiser, league)
    receiver.answers = [500]
    asked = Delivery.objects.get().next_at
    assert asked is not None
    deliver_due(clock=lambda: asked)
    page = read(organiser, league)
    assert "the server responded with an error" in page
    assert "500" in page


def test_webhook_is_disabled_enabled_and_removed_on_the_page(
    organiser: Client, hook: Webhook
) -> None:
    league = hook.league
    organiser.post(address(league, hook.pk, "off"))
    assert "turned off" in read(organiser, league)
    organiser.post(address(league, hook.pk, "on"))
    assert Webhook.objects.get().stopped == ""
    organiser.post(address(league, hook.pk, "test"))
    asked = organiser.post(address(league, hook.pk, "remove"))
    assert Webhook.objects.exists()
    assert "The log of 1 delivery will be deleted too." in asked.text
    organiser.post(address(league, hook.pk, "remove"), {"edition": league.edition})
    assert not Webhook.objects.exists()
    assert organiser.post(address(league, hook.pk, "nonsense")).status_code == 404
    assert organiser.get(address(league, hook.pk, "off")).status_code == 405


def test_page_of_webhooks_is_hidden_from_others(client: Client, hook: Webhook) -> None:
    league = hook.league
    assert client.get(address(league)).status_code == 404
    blas = world.account("blas")
    world.enter_league(league, blas)
    assert blas.user is not None
    client.force_login(blas.user)
    assert client.get(address(league)).status_code == 404
    assert client.post(address(league, hook.pk, "remove")).status_code == 404
    assert Webhook.objects.exists()


def test_webhook_of_another_league_cannot_be_changed_on_the_page(
    organiser: Client, hook: Webhook, ana: Player
) -> None:
    other = world.found_league(world.account("eva"), name="Other")
    mine = world.found_league(ana, name="Mine")
    assert other.pk != mine.pk
    organiser.post(address(mine, hook.pk, "remove"), {"edition": mine.edition})
    assert Webhook.objects.filter(pk=hook.pk).exists()


def test_each_webhook_adds_one_query_to_the_page(
    organiser: Client, league: League, receiver: Receiver
) -> None:
    costs = []
    for number in range(3):
        organiser.post(address(league), {"url": f"{receiver.url}&{number}"})
        read(organiser, league)  # shows the secret, and removes it from the session
        with CaptureQueriesContext(connection) as asked:
            read(organiser, league)
        costs.append(len(asked))
    assert costs[2] - costs[0] == 2
