"""Edge cases of webhooks: retry times, limits, claims and headers. No request is really sent."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from events.numbering import newest_number, publish
from events.operations import record_event
from leagues.exceptions import OperationError
from leagues.models import Delivery, League, Player, Webhook
from leagues.webhooks import signatures as webhooks_signatures
from leagues.webhooks.addresses import parse_target, resolve_address
from leagues.webhooks.delivery import (
    BATCH_SIZE,
    LEASE,
    MAX_DELIVERIES,
    MAX_FAILING_TIME,
    PROMPT_MS,
    REST_FACTOR,
    RETRY_WAITS,
    TIME_BUDGET,
    DeliveryOutcome,
    Failure,
    WebhookRequest,
    deliver_due,
    wait_after,
)
from leagues.webhooks.operations import (
    MAX_TESTS_PER_HOUR,
    add_webhook,
    available_kinds,
    choose_kinds,
    deliver_again,
    renew_secret,
    send_test,
    switch_webhook,
)
from tests.leagues import world
from tests.leagues.webhooks.test_addresses import PUBLIC, resolving
from tests.leagues.world import NOW

SECOND = dt.timedelta(seconds=1)
URL = f"https://{PUBLIC}/hook"
State, Stopped = Delivery.State, Webhook.Stopped


class Post:
    """Collects requests and returns the given outcomes, then status 204."""

    def __init__(self, *outcomes: DeliveryOutcome) -> None:
        self.outcomes = list(outcomes)
        self.letters: list[WebhookRequest] = []

    def __call__(self, letter: WebhookRequest) -> DeliveryOutcome:
        self.letters.append(letter)
        return self.outcomes.pop(0) if self.outcomes else TAKEN

    def results(self) -> list[int]:
        """Return the data of the received events."""
        return [json.loads(letter.body)["data"].get("results") for letter in self.letters]


TAKEN = DeliveryOutcome(Failure.NONE, 10, 204)


def failed_outcome(status: int = 500, took_ms: int = 10) -> DeliveryOutcome:
    return DeliveryOutcome(Failure.STATUS, took_ms, status, "no")


def deliver(post: Post, at: dt.datetime = NOW) -> int:
    return deliver_due(clock=lambda: at, post=post)


@pytest.fixture
def hook(league: League, ana: Player) -> Webhook:
    """Create a webhook of this league, and one with the same URL in another league."""
    publish(at=NOW)
    other = world.found_league(ana, name="Other")
    publish(at=NOW)
    add_webhook(league=other, url=URL, wanted=(), by=ana, at=NOW)
    return add_webhook(league=league, url=URL, wanted=(), by=ana, at=NOW)


def reload_webhook(hook: Webhook) -> Webhook:
    return Webhook.objects.get(pk=hook.pk)


@pytest.mark.parametrize(
    ("tries", "seconds"),
    [
        (1, 5), (2, 30), (3, 120), (4, 600), (5, 3600), (6, 14_400), (7, 43_200), (8, None),
        (9, None),
    ],
)  # fmt: skip
def test_failed_delivery_waits_the_expected_time_before_each_retry(
    tries: int, seconds: int | None
) -> None:
    wait = wait_after(tries)
    assert (wait and wait.total_seconds()) == seconds


def test_webhooks_have_the_expected_time_limits_and_batch_sizes() -> None:
    assert (dt.timedelta(minutes=1), dt.timedelta(days=3)) == (LEASE, MAX_FAILING_TIME)
    assert (BATCH_SIZE, MAX_DELIVERIES, PROMPT_MS, REST_FACTOR, MAX_TESTS_PER_HOUR) == (
        16,
        100,
        1000,
        12,
        20,
    )
    assert dt.timedelta(seconds=20) == TIME_BUDGET


@pytest.mark.parametrize("tz", [dt.UTC, dt.timezone(dt.timedelta(hours=2))])
def test_signature_covers_id_time_and_body_with_each_secret(tz: dt.tzinfo) -> None:
    secrets = [webhooks_signatures.new_secret(), webhooks_signatures.new_secret()]
    headers = webhooks_signatures.signature_headers(
        "evt_1", dt.datetime.fromtimestamp(1_700_000_000, tz), b'{"a":"\xc3\xb1"}', secrets
    )
    assert headers["webhook-id"] == "evt_1"
    assert headers["webhook-timestamp"] == "1700000000"
    signed = b'evt_1.1700000000.{"a":"\xc3\xb1"}'
    expected = []
    for secret in secrets:
        assert secret.startswith("whsec_")
        key = base64.b64decode(secret.removeprefix("whsec_"))
        assert len(key) == 32
        mark = hmac.new(key, signed, hashlib.sha256).digest()
        expected.append("v1," + base64.b64encode(mark).decode())
    assert headers["webhook-signature"] == " ".join(expected)
    assert len(set(expected)) == 2


@pytest.mark.parametrize(
    ("url", "secure", "named", "port", "path"),
    [
        ("https://example.org", True, "example.org", 443, "/"),
        ("https://Example.org:443/a?b=c&d", True, "example.org", 443, "/a?b=c&d"),
        ("https://example.org:80/", True, "example.org:80", 80, "/"),
        ("https://[2606:2800::1]/x", True, "[2606:2800::1]", 443, "/x"),
        ("http://example.org/", False, "example.org", 80, "/"),
        ("http://example.org:443/", False, "example.org:443", 443, "/"),
    ],
)
def test_webhook_url_is_parsed(
    settings: Settings, url: str, secure: bool, named: str, port: int, path: str
) -> None:
    settings.WEBHOOK_HTTP = True
    found = parse_target(url)
    assert (found.secure, found.host_header, found.port, found.path) == (secure, named, port, path)


@pytest.mark.parametrize("length", [300, 301])
def test_webhook_url_has_at_most_300_characters(length: int) -> None:
    url = "https://example.org/".ljust(length, "x")
    if length == 300:
        assert parse_target(url).host == "example.org"
        return
    with pytest.raises(ValueError, match="up to 300"):
        parse_target(url)


def test_first_of_several_ip_addresses_is_used() -> None:
    target = parse_target("https://example.org/")
    assert resolve_address(target, resolving(PUBLIC, "8.8.8.8")) == PUBLIC
    assert resolve_address(target, resolving("8.8.8.8", PUBLIC)) == "8.8.8.8"


# Delivering


def test_delivery_sends_the_event_with_id_and_signature_and_is_stored(
    hook: Webhook, league: League, happen: Callable[..., None]
) -> None:
    post = Post()
    happen(7)
    assert deliver(post) == 1
    (letter,) = post.letters
    number = newest_number()
    assert letter.url == URL
    assert json.loads(letter.body) == {
        "number": number,
        "kind": "league.imported",
        "subject": f"league/{league.pk}",
        "at": "2026-03-05T20:00:00Z",
        "circuit": None,
        "league": league.slug,
        "page": f"/leagues/{league.slug}/results/",
        "data": {"results": 7},
    }
    assert letter.headers["webhook-id"] == f"evt_{number}_{hook.pk}"
    assert letter.headers["webhook-timestamp"] == str(int(NOW.timestamp()))
    assert len(letter.headers["webhook-signature"].split()) == 1
    kept = Delivery.objects.get()
    assert (kept.webhook, kept.event, kept.kind) == (hook, number, "league.imported")
    assert (kept.cause, kept.attempt, kept.state) == ("event", 1, "delivered")
    assert (kept.status, kept.took_ms, kept.failure, kept.next_at) == (204, 10, "", None)
    assert (
        reload_webhook(hook).cursor,
        reload_webhook(hook).tries,
        reload_webhook(hook).next_at,
    ) == (number, 0, NOW)


def test_events_of_a_league_are_sent_only_to_its_own_webhook(
    hook: Webhook, happen: Callable[..., None]
) -> None:
    other = Webhook.objects.exclude(pk=hook.pk).get()
    happen(1)
    record_event(
        kind="league.imported", subject="league/0", at=NOW, data={"results": 99},
        league=other.league_id,
    )  # fmt: skip
    happen(2)
    post = Post()
    assert deliver(post) == 3
    came = [
        (letter.headers["webhook-id"].rpartition("_")[2], result)
        for letter, result in zip(post.letters, post.results(), strict=True)
    ]
    assert [result for key, result in came if key == str(hook.pk)] == [1, 2]
    assert [result for key, result in came if key == str(other.pk)] == [99]


def test_each_failed_delivery_waits_exactly_its_time(
    hook: Webhook, happen: Callable[..., None]
) -> None:
    post = Post(*[failed_outcome(503)] * 8)
    happen(1, 2)
    at = NOW
    for tries, wait in enumerate(RETRY_WAITS, start=1):
        assert deliver(post, at) == 1
        row = reload_webhook(hook)
        assert (row.tries, row.next_at, row.failing_since) == (tries, at + wait, NOW)
        last = Delivery.objects.latest("pk")
        assert (last.attempt, last.state, last.next_at) == (tries, "failed", at + wait)
        assert deliver(post, at + wait - SECOND) == 0
        at += wait
    assert deliver(post, at) == 2, "given up, and the next sent"
    assert post.results() == [1] * 8 + [2]
    states = list(Delivery.objects.order_by("pk").values_list("state", "attempt"))
    assert states[-2:] == [("given_up", 8), ("delivered", 1)]
    row = reload_webhook(hook)
    assert (row.tries, row.failing_since, row.stopped) == (0, None, "")


@pytest.mark.parametrize(
    ("since", "stopped"),
    [
        (MAX_FAILING_TIME, Stopped.FAILING),
        (MAX_FAILING_TIME - SECOND, Stopped.NOT),
        (None, Stopped.NOT),
    ],
)
@pytest.mark.parametrize("tries", [0, 7])
def test_webhook_is_disabled_after_three_days_without_a_delivery(
    hook: Webhook,
    happen: Callable[..., None],
    since: dt.timedelta | None,
    stopped: str,
    tries: int,
) -> None:
    begun = NOW - since if since else None
    Webhook.objects.filter(pk=hook.pk).update(failing_since=begun, tries=tries)
    happen(1)
    deliver(Post(failed_outcome()))
    assert (reload_webhook(hook).stopped, reload_webhook(hook).failing_since) == (
        stopped,
        begun or NOW,
    )


@pytest.mark.parametrize(
    ("status", "stopped"),
    [(410, Stopped.GONE), (404, Stopped.NOT), (500, Stopped.NOT)],
)
def test_only_status_410_disables_a_webhook_at_once(
    hook: Webhook, happen: Callable[..., None], status: int, stopped: str
) -> None:
    happen(1)
    deliver(Post(failed_outcome(status)))
    assert reload_webhook(hook).stopped == stopped


@pytest.mark.parametrize(("took_ms", "seconds"), [(1000, 0), (1001, 12.012), (9900, 118.8)])
def test_receiver_slower_than_a_second_gets_a_pause(
    hook: Webhook, happen: Callable[..., None], took_ms: int, seconds: float
) -> None:
    happen(1)
    deliver(Post(DeliveryOutcome(Failure.NONE, took_ms, 200)))
    assert reload_webhook(hook).next_at == NOW + dt.timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("after", "signatures"),
    [(dt.timedelta(0), 2), (dt.timedelta(days=1) - SECOND, 2), (dt.timedelta(days=1), 1)],
)
def test_old_secret_signs_for_exactly_a_day(
    hook: Webhook, league: League, ana: Player, happen: Callable[..., None],
    after: dt.timedelta, signatures: int,
) -> None:  # fmt: skip
    changed = renew_secret(league=league, key=hook.pk, by=ana, at=NOW)
    assert (changed.old_secret, changed.changed_at) == (hook.secret, NOW)
    happen(1)
    post = Post()
    deliver(post, NOW + after)
    assert len(post.letters[0].headers["webhook-signature"].split()) == signatures


@pytest.mark.parametrize(
    ("wanted", "came"),
    [
        ([], ["league.imported", "league.result_withdrawn", "league.imported"]),
        (["league.result_withdrawn"], ["league.result_withdrawn"]),
        (["league.imported"], ["league.imported", "league.imported"]),
        (["table.over"], []),
    ],
)
def test_only_wanted_kinds_of_events_are_sent(
    hook: Webhook, league: League, ana: Player, wanted: list[str], came: list[str]
) -> None:
    assert choose_kinds(league=league, key=hook.pk, wanted=wanted, by=ana).kinds == wanted
    for kind, data in (
        ("league.imported", {"results": 1}),
        ("league.result_withdrawn", {"match": 3, "fixture": None}),
        ("league.imported", {"results": 2}),
    ):
        subject = "match/3" if "match" in data else f"league/{league.pk}"
        record_event(kind=kind, subject=subject, at=NOW, data=data, league=league.pk)
    publish(at=NOW)
    post = Post()
    assert deliver(post) == len(came)
    assert [json.loads(letter.body)["kind"] for letter in post.letters] == came
    assert reload_webhook(hook).cursor == newest_number()


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        ([], []),
        (["league.result", "league.closed", "league.result"], ["league.closed", "league.result"]),
    ],
)
def test_wanted_kinds_are_stored_sorted_and_none_means_all(
    hook: Webhook, league: League, ana: Player, wanted: list[str], kept: list[str]
) -> None:
    chosen = choose_kinds(league=league, key=hook.pk, wanted=wanted, by=ana)
    assert chosen.kinds == kept
    every = choose_kinds(league=league, key=hook.pk, wanted=available_kinds(), by=ana)
    assert every.kinds == []
    assert {kind.partition(".")[0] for kind in available_kinds()} == {"league", "table"}


@pytest.mark.parametrize("wanted", [["league.closed"], ["league.imported"]])
def test_no_event_is_sent_after_the_end_of_a_league(
    hook: Webhook, league: League, ana: Player, happen: Callable[..., None], wanted: list[str]
) -> None:
    choose_kinds(league=league, key=hook.pk, wanted=wanted, by=ana)
    record_event(
        kind="league.closed", subject=f"league/{league.pk}", at=NOW,
        data={"name": league.name}, league=league.pk,
    )  # fmt: skip
    publish(at=NOW)
    happen(1)
    post = Post()
    assert deliver(post) == ("league.closed" in wanted)
    assert reload_webhook(hook).stopped == Stopped.CLOSED


def test_claimed_webhook_is_free_again_after_its_lease(
    hook: Webhook, happen: Callable[..., None]
) -> None:
    happen(1)
    Webhook.objects.filter(pk=hook.pk).update(next_at=NOW + LEASE)
    assert deliver(Post(), NOW + LEASE - SECOND) == 0
    assert deliver(Post(), NOW + LEASE) == 1


def test_webhook_disabled_during_a_delivery_stays_disabled(
    hook: Webhook, league: League, ana: Player, happen: Callable[..., None]
) -> None:
    """The outcome of the delivery must not change which event the webhook sends next."""
    happen(1)

    post = Post()

    def clock() -> dt.datetime:
        if post.letters:
            Webhook.objects.filter(pk=hook.pk).update(next_at=NOW, stopped=Stopped.ASKED)
        return NOW

    assert deliver_due(clock=clock, post=post) == 1
    row = reload_webhook(hook)
    assert (row.cursor, row.stopped) == (hook.cursor, Stopped.ASKED)


# The following tests are about deliveries that an organiser requests.


def test_new_webhook_starts_with_future_events(
    league: League, ana: Player, happen: Callable[..., None]
) -> None:
    happen(1, 2)
    made = add_webhook(league=league, url=f"  {URL} ", wanted=["league.result"], by=ana, at=NOW)
    assert (made.url, made.kinds, made.cursor) == (URL, ["league.result"], newest_number())
    assert (made.tries, made.next_at, made.created_at) == (0, NOW, NOW)
    assert (made.stopped, made.failing_since, made.old_secret) == ("", None, "")


def test_closed_league_accepts_no_webhooks(hook: Webhook, league: League, ana: Player) -> None:
    League.objects.filter(pk=league.pk).update(closed_at=NOW)
    with pytest.raises(OperationError, match="is closed"):
        add_webhook(league=league, url=URL + "/2", wanted=(), by=ana, at=NOW)
    with pytest.raises(OperationError, match="is closed"):
        switch_webhook(league=league, key=hook.pk, on=True, by=ana, at=NOW)
    off = switch_webhook(league=league, key=hook.pk, on=False, by=ana, at=NOW)
    assert off.stopped == Stopped.ASKED


def test_league_has_at_most_five_webhooks_with_different_urls(
    hook: Webhook, league: League, ana: Player
) -> None:
    for number in range(4):
        add_webhook(league=league, url=f"{URL}/{number}", wanted=(), by=ana, at=NOW)
    with pytest.raises(OperationError, match="at most 5") as refusal:
        add_webhook(league=league, url=f"{URL}/more", wanted=(), by=ana, at=NOW)
    assert refusal.value.field == "url"
    assert Webhook.objects.filter(url=URL).count() == 2


def test_enabled_webhook_starts_again_with_future_events(
    hook: Webhook, league: League, ana: Player, happen: Callable[..., None]
) -> None:
    Webhook.objects.filter(pk=hook.pk).update(
        tries=3, failing_since=NOW, stopped=Stopped.FAILING, next_at=NOW + LEASE
    )
    happen(1)
    row = switch_webhook(league=league, key=hook.pk, on=True, by=ana, at=NOW + SECOND)
    row.refresh_from_db()
    assert (row.tries, row.failing_since, row.stopped) == (0, None, "")
    assert (row.next_at, row.cursor) == (NOW + SECOND, newest_number())
    happen(2)
    off = switch_webhook(league=league, key=hook.pk, on=False, by=ana, at=NOW)
    assert off.cursor == row.cursor, "off keeps its place"


@pytest.mark.parametrize(
    ("made", "age", "allowed"),
    [
        (MAX_TESTS_PER_HOUR - 1, SECOND, True),
        (MAX_TESTS_PER_HOUR, SECOND, False),
        (MAX_TESTS_PER_HOUR, dt.timedelta(hours=1) - SECOND, False),
        (MAX_TESTS_PER_HOUR, dt.timedelta(hours=1), True),
    ],
)
def test_tests_and_repetitions_of_webhooks_are_limited_an_hour(
    hook: Webhook, league: League, ana: Player, made: int, age: dt.timedelta, allowed: bool
) -> None:
    other = Webhook.objects.exclude(pk=hook.pk).get()

    def row(webhook: Webhook, cause: str) -> Delivery:
        return Delivery(
            webhook=webhook, identifier="t", kind="webhook.test", cause=cause, state="waiting",
            at=NOW - age,
        )  # fmt: skip

    Delivery.objects.bulk_create(
        [row(hook, "test" if number % 2 else "again") for number in range(made)]
        + [row(hook, "event") for _ in range(3)]
        + [row(other, "test") for _ in range(3)]
    )
    if allowed:
        assert send_test(league=league, key=hook.pk, by=ana, at=NOW).state == "waiting"
        return
    with pytest.raises(OperationError, match="at most 20"):
        send_test(league=league, key=hook.pk, by=ana, at=NOW)


def test_repeated_delivery_has_the_same_event_and_is_tried_once(
    hook: Webhook, league: League, ana: Player, happen: Callable[..., None]
) -> None:
    happen(1)
    deliver(Post())
    sent = Delivery.objects.get()
    again = deliver_again(league=league, key=hook.pk, delivery=sent.pk, by=ana, at=NOW)
    assert (again.identifier, again.event, again.attempt) == (sent.identifier, sent.event, 2)
    assert (again.cause, again.state, again.next_at) == ("again", "waiting", NOW)
    post = Post(failed_outcome())
    assert deliver(post, NOW - SECOND) == 0, "not before its time"
    assert deliver(post) == 1
    again.refresh_from_db()
    assert (again.state, again.next_at) == (State.GIVEN_UP, None)
    assert reload_webhook(hook).failing_since is None, "only what happens counts"
    test = send_test(league=league, key=hook.pk, by=ana, at=NOW)
    with pytest.raises(OperationError, match="no longer exists"):
        deliver_again(league=league, key=hook.pk, delivery=test.pk, by=ana, at=NOW)
    other = Webhook.objects.exclude(pk=hook.pk).get()
    with pytest.raises(OperationError, match="no longer exists"):
        deliver_again(league=other.league, key=other.pk, delivery=sent.pk, by=ana, at=NOW)


def test_test_delivery_is_marked_as_a_test(hook: Webhook, league: League, ana: Player) -> None:
    send_test(league=league, key=hook.pk, by=ana, at=NOW)
    post = Post()
    assert deliver(post) == 1
    told: dict[str, Any] = json.loads(post.letters[0].body)
    assert told == {
        "number": None, "kind": "webhook.test", "subject": f"league/{league.pk}",
        "at": "2026-03-05T20:00:00Z", "circuit": None, "league": league.slug, "page": "",
        "data": {},
    }  # fmt: skip
    assert Delivery.objects.get().state == State.DELIVERED
