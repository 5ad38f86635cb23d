"""Schedules, limits, claims and headers of webhooks at their edges; nothing is sent anywhere."""

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
    """Takes letters, and answers as it is told; with 204 when nothing is left to tell."""

    def __init__(self, *outcomes: DeliveryOutcome) -> None:
        self.outcomes = list(outcomes)
        self.letters: list[WebhookRequest] = []

    def __call__(self, letter: WebhookRequest) -> DeliveryOutcome:
        self.letters.append(letter)
        return self.outcomes.pop(0) if self.outcomes else TAKEN

    def results(self) -> list[int]:
        """The events that came."""
        return [json.loads(letter.body)["data"].get("results") for letter in self.letters]


TAKEN = DeliveryOutcome(Failure.NONE, 10, 204)


def failed_outcome(status: int = 500, took_ms: int = 10) -> DeliveryOutcome:
    return DeliveryOutcome(Failure.STATUS, took_ms, status, "no")


def deliver(post: Post, at: dt.datetime = NOW) -> int:
    return deliver_due(clock=lambda: at, post=post)


@pytest.fixture
def hook(league: League, ana: Player) -> Webhook:
    """Another league has one too: what is of this league goes there alone."""
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
def test_when_one_that_failed_is_tried_again(tries: int, seconds: int | None) -> None:
    wait = wait_after(tries)
    assert (wait and wait.total_seconds()) == seconds


def test_how_long_others_wait() -> None:
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
def test_a_signature_is_over_name_time_and_body_with_each_secret(tz: dt.tzinfo) -> None:
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
def test_what_an_address_says(
    settings: Settings, url: str, secure: bool, named: str, port: int, path: str
) -> None:
    settings.WEBHOOK_HTTP = True
    found = parse_target(url)
    assert (found.secure, found.host_header, found.port, found.path) == (secure, named, port, path)


@pytest.mark.parametrize("length", [300, 301])
def test_an_address_is_at_most_three_hundred_signs_long(length: int) -> None:
    url = "https://example.org/".ljust(length, "x")
    if length == 300:
        assert parse_target(url).host == "example.org"
        return
    with pytest.raises(ValueError, match="up to 300"):
        parse_target(url)


def test_of_several_addresses_the_first_is_connected_to() -> None:
    target = parse_target("https://example.org/")
    assert resolve_address(target, resolving(PUBLIC, "8.8.8.8")) == PUBLIC
    assert resolve_address(target, resolving("8.8.8.8", PUBLIC)) == "8.8.8.8"


# Delivering ---------------------------------------------------------------------------------


def test_what_a_letter_holds(hook: Webhook, league: League, happen: Callable[..., None]) -> None:
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


def test_what_happens_in_one_league_goes_to_its_address_alone(
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


def test_each_failure_waits_its_time_to_the_instant(
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
def test_an_address_is_switched_off_after_three_days_in_which_nothing_arrived(
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
def test_gone_is_one_answer_alone(
    hook: Webhook, happen: Callable[..., None], status: int, stopped: str
) -> None:
    happen(1)
    deliver(Post(failed_outcome(status)))
    assert reload_webhook(hook).stopped == stopped


@pytest.mark.parametrize(("took_ms", "seconds"), [(1000, 0), (1001, 12.012), (9900, 118.8)])
def test_who_took_longer_than_a_second_rests(
    hook: Webhook, happen: Callable[..., None], took_ms: int, seconds: float
) -> None:
    happen(1)
    deliver(Post(DeliveryOutcome(Failure.NONE, took_ms, 200)))
    assert reload_webhook(hook).next_at == NOW + dt.timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("after", "signatures"),
    [(dt.timedelta(0), 2), (dt.timedelta(days=1) - SECOND, 2), (dt.timedelta(days=1), 1)],
)
def test_the_old_secret_signs_for_a_day(
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
def test_the_kinds_that_are_wanted_come_and_no_others(
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
def test_kinds_are_kept_in_order_and_none_is_all(
    hook: Webhook, league: League, ana: Player, wanted: list[str], kept: list[str]
) -> None:
    chosen = choose_kinds(league=league, key=hook.pk, wanted=wanted, by=ana)
    assert chosen.kinds == kept
    every = choose_kinds(league=league, key=hook.pk, wanted=available_kinds(), by=ana)
    assert every.kinds == []
    assert {kind.partition(".")[0] for kind in available_kinds()} == {"league", "table"}


@pytest.mark.parametrize("wanted", [["league.closed"], ["league.imported"]])
def test_after_the_close_nothing_is_sent_to_whoever_wanted_what(
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


def test_a_claim_is_left_alone_as_long_as_a_sending_takes(
    hook: Webhook, happen: Callable[..., None]
) -> None:
    happen(1)
    Webhook.objects.filter(pk=hook.pk).update(next_at=NOW + LEASE)
    assert deliver(Post(), NOW + LEASE - SECOND) == 0
    assert deliver(Post(), NOW + LEASE) == 1


def test_what_was_changed_meanwhile_stays_changed(
    hook: Webhook, league: League, ana: Player, happen: Callable[..., None]
) -> None:
    """Switched off while a letter was under way: its arrival does not move the cursor."""
    happen(1)

    post = Post()

    def clock() -> dt.datetime:
        if post.letters:
            Webhook.objects.filter(pk=hook.pk).update(next_at=NOW, stopped=Stopped.ASKED)
        return NOW

    assert deliver_due(clock=clock, post=post) == 1
    row = reload_webhook(hook)
    assert (row.cursor, row.stopped) == (hook.cursor, Stopped.ASKED)


# Asked for by an organiser ------------------------------------------------------------------


def test_a_new_address_begins_with_what_comes_next(
    league: League, ana: Player, happen: Callable[..., None]
) -> None:
    happen(1, 2)
    made = add_webhook(league=league, url=f"  {URL} ", wanted=["league.result"], by=ana, at=NOW)
    assert (made.url, made.kinds, made.cursor) == (URL, ["league.result"], newest_number())
    assert (made.tries, made.next_at, made.created_at) == (0, NOW, NOW)
    assert (made.stopped, made.failing_since, made.old_secret) == ("", None, "")


def test_a_closed_league_takes_no_address(hook: Webhook, league: League, ana: Player) -> None:
    League.objects.filter(pk=league.pk).update(closed_at=NOW)
    with pytest.raises(OperationError, match="is closed"):
        add_webhook(league=league, url=URL + "/2", wanted=(), by=ana, at=NOW)
    with pytest.raises(OperationError, match="is closed"):
        switch_webhook(league=league, key=hook.pk, on=True, by=ana, at=NOW)
    off = switch_webhook(league=league, key=hook.pk, on=False, by=ana, at=NOW)
    assert off.stopped == Stopped.ASKED


def test_five_addresses_a_league_and_the_same_one_in_another(
    hook: Webhook, league: League, ana: Player
) -> None:
    for number in range(4):
        add_webhook(league=league, url=f"{URL}/{number}", wanted=(), by=ana, at=NOW)
    with pytest.raises(OperationError, match="at most 5") as refusal:
        add_webhook(league=league, url=f"{URL}/more", wanted=(), by=ana, at=NOW)
    assert refusal.value.field == "url"
    assert Webhook.objects.filter(url=URL).count() == 2


def test_switched_on_again_it_begins_anew(
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
def test_so_many_tests_and_repetitions_an_hour(
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


def test_a_repetition_is_of_an_event_and_fails_once(
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


def test_a_test_says_that_it_is_one(hook: Webhook, league: League, ana: Player) -> None:
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
