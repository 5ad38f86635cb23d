"""Webhook deliveries of league events: order, signatures, retries and giving up."""

import datetime as dt
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from events.numbering import publish
from leagues.exceptions import NotAllowed, OperationError
from leagues.league.operations import close_league
from leagues.models import Delivery, League, Player, Webhook
from leagues.webhooks.delivery import (
    LEASE,
    RETRY_WAITS,
    DeliveryOutcome,
    Failure,
    WebhookRequest,
    deliver_due,
)
from leagues.webhooks.operations import (
    MAX_TESTS_PER_HOUR,
    add_webhook,
    deliver_again,
    remove_webhook,
    renew_secret,
    send_test,
    switch_webhook,
)
from tests.leagues import world
from tests.leagues.webhooks.conftest import Receiver
from tests.leagues.world import NOW

DOCS = Path(__file__).resolve().parents[3] / "docs" / "events.md"
State = Delivery.State
Happen = Callable[..., None]


def deliver(at: dt.datetime = NOW) -> int:
    return deliver_due(clock=lambda: at)


def delivered_results(receiver: Receiver) -> list[int]:
    return [json.loads(body)["data"]["results"] for _headers, body in receiver.came]


def reload_webhook(hook: Webhook) -> Webhook:
    return Webhook.objects.get(pk=hook.pk)


def verified(headers: dict[str, str], body: bytes, secret: str) -> bool:
    """Verify a signature with the code in the documentation."""
    lines = re.search(r"```python verify\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert lines is not None
    room: dict[str, object] = {}
    exec(lines[1], room)
    return room["verify"](headers, body, secret)  # type: ignore[no-any-return,operator]


def test_events_arrive_in_order_once_and_with_a_signature(
    hook: Webhook, receiver: Receiver, happen: Happen
) -> None:
    happen(1, 2, 3)
    assert deliver() == 3
    assert delivered_results(receiver) == [1, 2, 3]
    assert deliver() == 0
    for headers, body in receiver.came:
        assert verified(headers, body, hook.secret)
        assert not verified(headers, body + b" ", hook.secret)
    assert len({headers["webhook-id"] for headers, _ in receiver.came}) == 3


def test_earlier_events_and_events_of_other_leagues_are_not_sent(
    hook: Webhook, receiver: Receiver, happen: Happen, ana: Player
) -> None:
    world.found_league(ana, name="Another")
    publish(at=NOW)
    assert deliver() == 0
    happen(5)
    deliver()
    assert delivered_results(receiver) == [5]


def test_unwanted_kinds_of_events_are_skipped(
    hook: Webhook, receiver: Receiver, happen: Happen
) -> None:
    Webhook.objects.update(kinds=["league.result"])
    happen(1, 2)
    assert deliver() == 0
    assert reload_webhook(hook).cursor > hook.cursor


def test_failed_delivery_is_retried_and_delays_later_events(
    hook: Webhook, receiver: Receiver, happen: Happen
) -> None:
    receiver.answers = [500, 503]
    happen(1, 2)
    assert deliver() == 1
    assert deliver(NOW + RETRY_WAITS[0] - dt.timedelta(seconds=1)) == 0
    assert deliver(NOW + RETRY_WAITS[0]) == 1
    assert reload_webhook(hook).failing_since == NOW
    assert deliver(NOW + RETRY_WAITS[0] + RETRY_WAITS[1]) == 2
    assert delivered_results(receiver) == [1, 1, 1, 2]
    names = [headers["webhook-id"] for headers, _ in receiver.came]
    assert names[0] == names[1] == names[2] != names[3]
    assert reload_webhook(hook).failing_since is None
    states = list(Delivery.objects.order_by("pk").values_list("state", "attempt", "status"))
    assert states == [
        (State.FAILED, 1, 500), (State.FAILED, 2, 503),
        (State.DELIVERED, 3, 204), (State.DELIVERED, 1, 204),
    ]  # fmt: skip


def test_delivery_is_given_up_after_the_last_retry_and_the_next_is_sent(
    hook: Webhook, receiver: Receiver, happen: Happen
) -> None:
    receiver.answers = [500] * (len(RETRY_WAITS) + 1)
    happen(1, 2)
    at = NOW
    for wait in RETRY_WAITS:
        deliver(at)
        at += wait
    deliver(at)
    assert delivered_results(receiver) == [1] * (len(RETRY_WAITS) + 1) + [2]
    assert Delivery.objects.filter(state=State.GIVEN_UP).count() == 1


def test_webhook_is_disabled_after_failing_for_three_days(
    hook: Webhook, receiver: Receiver, happen: Happen, client: Client, ana: Player
) -> None:
    happen(1)
    Webhook.objects.update(failing_since=NOW - dt.timedelta(days=3))
    receiver.answers = [500]
    deliver()
    assert reload_webhook(hook).stopped == Webhook.Stopped.FAILING
    happen(2)
    assert deliver(NOW + dt.timedelta(days=1)) == 0
    assert ana.user is not None
    client.force_login(ana.user)
    page = client.get(reverse("league_webhooks", args=[hook.league.slug])).content.decode()
    assert "deliveries have failed for three days" in page


def test_webhook_that_answers_410_gone_is_disabled(
    hook: Webhook, receiver: Receiver, happen: Happen
) -> None:
    receiver.answers = [410]
    happen(1)
    deliver()
    assert reload_webhook(hook).stopped == Webhook.Stopped.GONE


def test_end_of_a_league_is_the_last_event_sent(
    hook: Webhook, league: League, receiver: Receiver, happen: Happen, ana: Player
) -> None:
    close_league(league=league, by=ana, at=NOW)
    publish(at=NOW)
    happen(1)
    deliver()
    assert [json.loads(body)["kind"] for _, body in receiver.came] == ["league.closed"]
    assert reload_webhook(hook).stopped == Webhook.Stopped.CLOSED


def test_delivery_is_repeated_if_the_worker_died_after_sending(
    hook: Webhook, happen: Happen
) -> None:
    letters: list[WebhookRequest] = []

    def dying(letter: WebhookRequest) -> DeliveryOutcome:
        letters.append(letter)
        raise KeyboardInterrupt

    happen(1)
    with pytest.raises(KeyboardInterrupt):
        deliver_due(clock=lambda: NOW, post=dying)
    assert deliver(NOW + LEASE - dt.timedelta(seconds=1)) == 0  # a worker may still be sending

    def taking(letter: WebhookRequest) -> DeliveryOutcome:
        letters.append(letter)
        return DeliveryOutcome(Failure.NONE, 1, 200)

    assert deliver_due(clock=lambda: NOW + LEASE, post=taking) == 1
    assert letters[0].headers["webhook-id"] == letters[1].headers["webhook-id"]
    assert letters[0].body == letters[1].body


def test_slow_receiver_does_not_delay_other_webhooks(
    hook: Webhook, league: League, ana: Player, receiver: Receiver, happen: Happen
) -> None:
    other = receiver.url + "&other"
    add_webhook(league=league, url=other, wanted=(), by=ana, at=NOW)
    happen(1, 2, 3)
    came: list[str] = []

    def post(letter: WebhookRequest) -> DeliveryOutcome:
        came.append(letter.url)
        slow = letter.url == receiver.url
        return DeliveryOutcome(Failure.TIMEOUT if slow else Failure.NONE, 1)

    deliver_due(clock=lambda: NOW, post=post)
    assert came.count(other) == 3
    assert came.count(receiver.url) == 1


def test_slow_receiver_gets_longer_pauses_between_deliveries(
    hook: Webhook, league: League, ana: Player, receiver: Receiver, happen: Happen
) -> None:
    other = receiver.url + "&other"
    add_webhook(league=league, url=other, wanted=(), by=ana, at=NOW)
    happen(1, 2)
    came: list[str] = []

    def post(letter: WebhookRequest) -> DeliveryOutcome:
        came.append(letter.url)
        return DeliveryOutcome(Failure.NONE, 9_900 if letter.url == receiver.url else 40)

    deliver_due(clock=lambda: NOW, post=post)
    assert sorted(came) == sorted([receiver.url, other, other])
    deliver_due(clock=lambda: NOW + dt.timedelta(minutes=2), post=post)
    assert came.count(receiver.url) == 2


def test_delivery_is_signed_with_old_and_new_secret_for_a_day(
    hook: Webhook, league: League, ana: Player, receiver: Receiver, happen: Happen
) -> None:
    changed = renew_secret(league=league, key=hook.pk, by=ana, at=NOW)
    assert changed.secret != hook.secret
    happen(1)
    deliver()
    assert all(verified(*receiver.came[0], secret) for secret in (hook.secret, changed.secret))
    happen(2)
    deliver(NOW + dt.timedelta(days=1))
    assert not verified(*receiver.came[1], hook.secret)
    assert verified(*receiver.came[1], changed.secret)


def test_test_and_repeated_deliveries_store_their_outcome(
    hook: Webhook, league: League, ana: Player, receiver: Receiver, happen: Happen
) -> None:
    test = send_test(league=league, key=hook.pk, by=ana, at=NOW)
    receiver.answers = [503]
    assert deliver() == 1
    test.refresh_from_db()
    assert (test.state, test.status) == (State.GIVEN_UP, 503)
    assert json.loads(receiver.came[0][1])["kind"] == "webhook.test"
    happen(7)
    deliver()
    sent = Delivery.objects.get(event__isnull=False)
    again = deliver_again(league=league, key=hook.pk, delivery=sent.pk, by=ana, at=NOW)
    deliver()
    again.refresh_from_db()
    assert (again.state, again.attempt) == (State.DELIVERED, 2)
    assert delivered_results(Receiver(came=receiver.came[1:])) == [7, 7]
    assert receiver.came[1][0]["webhook-id"] == receiver.came[2][0]["webhook-id"]


def test_number_of_test_deliveries_an_hour_is_limited(
    hook: Webhook, league: League, ana: Player
) -> None:
    for _ in range(MAX_TESTS_PER_HOUR):
        send_test(league=league, key=hook.pk, by=ana, at=NOW)
    with pytest.raises(OperationError, match="an hour"):
        send_test(league=league, key=hook.pk, by=ana, at=NOW)
    send_test(league=league, key=hook.pk, by=ana, at=NOW + dt.timedelta(hours=1))


def test_webhook_is_disabled_enabled_and_removed(
    hook: Webhook, league: League, ana: Player, receiver: Receiver, happen: Happen
) -> None:
    switch_webhook(league=league, key=hook.pk, on=False, by=ana, at=NOW)
    happen(1)
    assert deliver() == 0
    switch_webhook(league=league, key=hook.pk, on=True, by=ana, at=NOW)
    happen(2)
    deliver()
    assert delivered_results(receiver) == [2]
    remove_webhook(league=league, key=hook.pk, by=ana)
    happen(3)
    assert deliver() == 0
    with pytest.raises(OperationError, match="has been removed"):
        send_test(league=league, key=hook.pk, by=ana, at=NOW)


def test_only_organisers_can_add_webhooks_and_only_a_few(
    hook: Webhook, league: League, ana: Player, receiver: Receiver, settings: Settings
) -> None:
    blas = world.account("blas")
    world.enter_league(league, blas)
    with pytest.raises(NotAllowed):
        add_webhook(league=league, url=receiver.url + "&x", wanted=(), by=blas, at=NOW)
    with pytest.raises(OperationError, match="already been added"):
        add_webhook(league=league, url=receiver.url, wanted=(), by=ana, at=NOW)
    with pytest.raises(OperationError, match="type of event does not exist"):
        add_webhook(league=league, url=receiver.url + "&x", wanted=["corrida.posted"], by=ana,
                    at=NOW)  # fmt: skip
    settings.WEBHOOKS_A_LEAGUE = 1
    with pytest.raises(OperationError, match="at most 1"):
        add_webhook(league=league, url=receiver.url + "&x", wanted=(), by=ana, at=NOW)


def test_old_deliveries_are_deleted(
    hook: Webhook, receiver: Receiver, happen: Happen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leagues.webhooks.delivery.MAX_DELIVERIES", 3)
    happen(*range(6))
    deliver()
    assert Delivery.objects.count() == 3
