"""Delivery of webhooks: events are claimed, sent outside of any transaction, and recorded.

In each round, one event is sent to every webhook with pending events, all at the same time. Rounds
are repeated until nothing is left or the time budget is used up. A slow receiver delays a round by
ten seconds at most. It is then paused, for longer the slower it was. A request is a POST to a
checked IP address, limited in time and size, without redirects.
"""

from __future__ import annotations

import datetime as dt
import http.client
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from api.types import JSONObject
from events.kinds import kinds
from events.models import Event
from events.representation import compact_json, event_json, format_instant, public_events
from leagues.models import Delivery, Webhook
from leagues.webhooks import signatures
from leagues.webhooks.addresses import (
    AddressRefused,
    Resolve,
    TargetUrl,
    UnknownHost,
    parse_target,
    resolve_address,
)

Failure = Delivery.Failure
# Result of a request: the error (if any), the HTTP status, and the text of the response.
AttemptResult = tuple[Failure, int | None, str]
# Time limit in seconds for connecting to a receiver, and for each read from it.
CONNECT_TIMEOUT: Final = 5.0
# Time limit in seconds from connecting to the end of the response. It also stops receivers that
# respond very slowly byte by byte.
TOTAL_TIMEOUT: Final = 10.0
# Maximum number of bytes of a receiver's response that are read.
MAX_READ_BYTES: Final = 1024
MAX_ANSWER_LENGTH: Final = 200
SUCCESS: Final = range(200, 300)
REDIRECTS: Final = range(300, 400)
USER_AGENT: Final = "Temporada-Webhooks/1"


@dataclass(frozen=True, slots=True)
class WebhookRequest:
    url: str
    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """Result of an attempt to send an event. `status` is None if there was no response."""

    failure: Failure
    took_ms: int
    status: int | None = None
    said: str = ""

    @property
    def arrived(self) -> bool:
        return self.failure == Failure.NONE


class _Pinned(http.client.HTTPConnection):
    """HTTP connection to a fixed IP address, which sends the host name for TLS and the Host
    header.
    """

    def __init__(self, target: TargetUrl, address: str, tls: ssl.SSLContext | None) -> None:
        super().__init__(target.host, target.port, timeout=CONNECT_TIMEOUT)
        self._address, self._tls = address, tls
        self.timed_out = False

    def connect(self) -> None:
        """Connect to the checked IP address, even if the name resolves to a different one by
        now.
        """
        self.sock = socket.create_connection((self._address, self.port), CONNECT_TIMEOUT)
        if self._tls is not None:
            secure = self._tls.wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock = secure  # so that `cut` works during the handshake too
            secure.do_handshake()

    def cut(self) -> None:
        """Close the connection at once, even while another thread waits for it."""
        self.timed_out = True
        try:
            if self.sock is not None:
                self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # closed already


def send_request(
    request: WebhookRequest,
    *,
    resolve: Resolve = socket.getaddrinfo,
    trust: ssl.SSLContext | None = None,
) -> DeliveryOutcome:
    """Send a request once. Never raises for errors of the receiver.

    `trust` are the accepted certificates.
    """
    began = time.monotonic()
    failure, status, said = _attempt_delivery(request, resolve, trust)
    return DeliveryOutcome(failure, int((time.monotonic() - began) * 1000), status, said)


def _attempt_delivery(
    request: WebhookRequest, resolve: Resolve, trust: ssl.SSLContext | None
) -> AttemptResult:
    try:
        target = parse_target(request.url)
        address = resolve_address(target, resolve)
    except UnknownHost as error:
        return Failure.NAME, None, str(error)[:MAX_ANSWER_LENGTH]
    except AddressRefused as error:
        return Failure.ADDRESS, None, str(error)[:MAX_ANSWER_LENGTH]
    tls = (trust or ssl.create_default_context()) if target.secure else None
    line = _Pinned(target, address, tls)
    cutter = threading.Timer(TOTAL_TIMEOUT, line.cut)
    cutter.start()
    try:
        result: AttemptResult = _exchange(line, target, request)
    except (OSError, http.client.HTTPException) as error:
        result = _failure(error), None, _plain_text(str(error))
    finally:
        cutter.cancel()
        line.close()
    # A response that was cut off by the time limit looks complete, so this is checked separately.
    return (Failure.TIMEOUT, None, "") if line.timed_out else result


def _exchange(line: _Pinned, target: TargetUrl, request: WebhookRequest) -> AttemptResult:
    headers = {
        "Host": target.host_header,
        "User-Agent": USER_AGENT,
        "Content-Type": "application/json",
    }
    line.request("POST", target.path, request.body, {**headers, **request.headers})
    answer = line.getresponse()
    said = _plain_text(answer.read(MAX_READ_BYTES).decode("utf-8", "replace"))
    if answer.status in SUCCESS:
        return Failure.NONE, answer.status, said
    redirected = answer.status in REDIRECTS
    return (Failure.REDIRECT if redirected else Failure.STATUS), answer.status, said


def _failure(error: Exception) -> Failure:
    if isinstance(error, TimeoutError):
        return Failure.TIMEOUT
    if isinstance(error, ssl.SSLError):
        return Failure.TLS
    return Failure.PROTOCOL if isinstance(error, http.client.HTTPException) else Failure.CONNECTION


def _plain_text(text: str) -> str:
    """Return a receiver's response text in one line, safe for storage and display."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())[
        :MAX_ANSWER_LENGTH
    ]


# Waiting times before each further attempt to send an event. There are eight attempts in seventeen
# hours.
RETRY_WAITS: Final = tuple(
    dt.timedelta(seconds=seconds) for seconds in (5, 30, 120, 600, 3600, 4 * 3600, 12 * 3600)
)
# A webhook is stopped if no delivery has succeeded for this long.
MAX_FAILING_TIME: Final = dt.timedelta(days=3)
# Duration of a worker's claim on a webhook. If the worker dies, the event is sent again after this
# time.
LEASE: Final = dt.timedelta(seconds=60)


def wait_after(tries: int) -> dt.timedelta | None:
    """Return the waiting time after `tries` failed attempts, or None to give up."""
    return RETRY_WAITS[tries - 1] if tries <= len(RETRY_WAITS) else None


log = logging.getLogger(__name__)

Clock = Callable[[], dt.datetime]
Post = Callable[[WebhookRequest], DeliveryOutcome]

# Maximum number of webhooks contacted at the same time.
BATCH_SIZE: Final = 16
# Time after which a worker begins no further round of deliveries, because it has other tasks.
TIME_BUDGET: Final = dt.timedelta(seconds=20)
# Receivers that take longer than this to respond are paused for `REST_FACTOR` times as long.
PROMPT_MS: Final = 1000
REST_FACTOR: Final = 12
# Maximum number of deliveries stored per webhook.
MAX_DELIVERIES: Final = 100
# Time for which requests are also signed with the previous secret.
SECRET_OVERLAP: Final = dt.timedelta(days=1)
# Maximum number of events of unwanted kinds that are skipped in one round.
MAX_PASSED_EVENTS: Final = 100
HTTP_GONE: Final = 410
CLOSING_EVENT: Final = "league.closed"
TEST_EVENT: Final = "webhook.test"

State, Cause, Stopped = Delivery.State, Delivery.Cause, Webhook.Stopped


class DeliveryAttempt(NamedTuple):
    """An attempt to send an event.

    `row` is the stored delivery of a test or a repetition, else None.
    """

    hook: Webhook
    kind: str
    number: int | None
    identifier: str
    body: bytes
    row: Delivery | None


def deliver_due(*, clock: Clock, post: Post = send_request) -> int:
    begun, sent = clock(), 0
    while clock() - begun < TIME_BUDGET:
        now = clock()
        requested = _requested_jobs(now)
        jobs = [*requested, *_in_turn(now, BATCH_SIZE - len(requested))]
        if not jobs:
            break
        requests = [_request_of(job, now) for job in jobs]
        with ThreadPoolExecutor(BATCH_SIZE) as threads:
            outcomes = list(threads.map(post, requests))
        for job, outcome in zip(jobs, outcomes, strict=True):
            _record_outcome(job, outcome, at=clock())
        sent += len(jobs)
    return sent


def _requested_jobs(at: dt.datetime) -> list[DeliveryAttempt]:
    waiting = Delivery.objects.filter(state=State.WAITING, next_at__lte=at)
    rows = waiting.select_related("webhook__league").order_by("next_at")[:BATCH_SIZE]
    return [job for row in rows if _claimed_row(row, at) and (job := _job_of(row, at))]


def _claimed_row(row: Delivery, at: dt.datetime) -> bool:
    unclaimed = Delivery.objects.filter(pk=row.pk, state=State.WAITING, next_at=row.next_at)
    return bool(unclaimed.update(next_at=at + LEASE))


def _job_of(row: Delivery, at: dt.datetime) -> DeliveryAttempt | None:
    if row.cause == Cause.TEST:
        return DeliveryAttempt(
            row.webhook, row.kind, None, row.identifier, _test_body(row, at), row
        )
    event = Event.objects.filter(number=row.event, league=row.webhook.league_id).first()
    if event is None or event.kind not in kinds:
        row.delete()
        return None
    return DeliveryAttempt(row.webhook, row.kind, event.number, row.identifier, _body(event), row)


def _test_body(row: Delivery, at: dt.datetime) -> bytes:
    document: JSONObject = {
        "number": None,
        "kind": TEST_EVENT,
        "subject": f"league/{row.webhook.league_id}",
        "at": format_instant(at),
        "circuit": None,
        "league": row.webhook.league.slug,
        "page": "",
        "data": {},
    }
    return compact_json(document).encode()


def _body(event: Event) -> bytes:
    return compact_json(event_json(public_events([event])[0])).encode()


def _in_turn(at: dt.datetime, most: int) -> list[DeliveryAttempt]:
    news = Event.objects.filter(league=OuterRef("league"), number__gt=OuterRef("cursor"))
    due = Webhook.objects.filter(Exists(news), stopped=Stopped.NOT, next_at__lte=at)
    hooks = due.select_related("league").order_by("next_at", "pk")[:most]
    return [job for hook in hooks if _claimed(hook, at) and (job := _next_or_none(hook, at))]


def _claimed(hook: Webhook, at: dt.datetime) -> bool:
    """Claim a webhook for one attempt. Returns False if another worker has claimed it."""
    unclaimed = Webhook.objects.filter(pk=hook.pk, next_at=hook.next_at, stopped=Stopped.NOT)
    claimed = unclaimed.update(next_at=at + LEASE)
    hook.next_at = at + LEASE
    return bool(claimed)


def _next_or_none(hook: Webhook, at: dt.datetime) -> DeliveryAttempt | None:
    try:
        return _next_delivery(hook, at)
    except Exception:
        log.exception("Nothing can be sent to webhook %s", hook.pk)
        return None


def _next_delivery(hook: Webhook, at: dt.datetime) -> DeliveryAttempt | None:
    news = Event.objects.filter(league=hook.league_id, number__gt=hook.cursor).order_by("number")
    passed = hook.cursor
    for event in news[:MAX_PASSED_EVENTS]:
        if event.kind in (hook.kinds or kinds):
            return DeliveryAttempt(
                hook, event.kind, event.number, delivery_identifier(hook, event), _body(event), None
            )
        if event.kind == CLOSING_EVENT:
            _update(hook, cursor=event.number, next_at=at, stopped=Stopped.CLOSED)
            return None
        passed = event.number or passed
    _update(hook, cursor=passed, next_at=at)
    return None


def delivery_identifier(hook: Webhook, event: Event) -> str:
    return f"evt_{event.number}_{hook.pk}"


def _update(hook: Webhook, **columns: object) -> None:
    """Update a claimed webhook, unless it was changed meanwhile."""
    Webhook.objects.filter(pk=hook.pk, cursor=hook.cursor, next_at=hook.next_at).update(**columns)


def _request_of(job: DeliveryAttempt, at: dt.datetime) -> WebhookRequest:
    hook = job.hook
    secrets = [hook.secret]
    if hook.old_secret and hook.changed_at and at - hook.changed_at < SECRET_OVERLAP:
        secrets.append(hook.old_secret)
    headers = signatures.signature_headers(job.identifier, at, job.body, secrets)
    return WebhookRequest(hook.url, job.body, headers)


@transaction.atomic
def _record_outcome(job: DeliveryAttempt, outcome: DeliveryOutcome, *, at: dt.datetime) -> None:
    # The webhook is locked, so that deleting the league meanwhile leaves no delivery behind.
    if not Webhook.objects.select_for_update().filter(pk=job.hook.pk).exists():
        return
    if job.row is not None:
        state = State.DELIVERED if outcome.arrived else State.GIVEN_UP
        _store_delivery(job.row, outcome, state, at=at)
        return
    tries = job.hook.tries + 1
    wait = wait_after(tries)
    row = Delivery(
        webhook=job.hook,
        identifier=job.identifier,
        event=job.number,
        kind=job.kind,
        cause=Cause.EVENT,
        attempt=tries,
    )
    if outcome.arrived:
        _store_delivery(row, outcome, State.DELIVERED, at=at)
        _go_on(job, at + _pause_after(outcome), failing_since=None)
    elif wait is None:
        _store_delivery(row, outcome, State.GIVEN_UP, at=at)
        _go_on(job, at, **_failing(job.hook, outcome, at))
    else:
        _store_delivery(row, outcome, State.FAILED, at=at, next_at=at + wait)
        _update(
            job.hook, tries=F("tries") + 1, next_at=at + wait, **_failing(job.hook, outcome, at)
        )


def _pause_after(outcome: DeliveryOutcome) -> dt.timedelta:
    """Return how long a slow receiver is paused.

    It is paused because it delays the other receivers of a round.
    """
    slow = outcome.took_ms > PROMPT_MS
    return dt.timedelta(milliseconds=outcome.took_ms * REST_FACTOR if slow else 0)


def _go_on(job: DeliveryAttempt, at: dt.datetime, **columns: object) -> None:
    """Move the cursor to the next event. If the league was closed, the webhook stops."""
    closed = {"stopped": Stopped.CLOSED} if job.kind == CLOSING_EVENT else {}
    _update(job.hook, cursor=job.number, tries=0, next_at=at, **{**columns, **closed})


def _failing(hook: Webhook, outcome: DeliveryOutcome, at: dt.datetime) -> dict[str, object]:
    """Return the columns to update after a failed attempt, such as the time since which deliveries
    have failed.

    The webhook is stopped if its URL is gone (HTTP status 410) or deliveries have failed for too
    long.
    """
    since = hook.failing_since or at
    columns: dict[str, object] = {"failing_since": since}
    if outcome.status == HTTP_GONE:
        columns["stopped"] = Stopped.GONE
    elif at - since >= MAX_FAILING_TIME:
        columns["stopped"] = Stopped.FAILING
    return columns


def _store_delivery(
    row: Delivery,
    outcome: DeliveryOutcome,
    state: Delivery.State,
    *,
    at: dt.datetime,
    next_at: dt.datetime | None = None,
) -> None:
    row.state, row.at, row.next_at = state, at, next_at
    row.status, row.took_ms = outcome.status, outcome.took_ms
    row.failure, row.said = outcome.failure, outcome.said
    row.save()
    old = Delivery.objects.filter(webhook=row.webhook_id).order_by("-pk")
    for oldest in list(old.values_list("pk", flat=True)[MAX_DELIVERIES : MAX_DELIVERIES + 1]):
        Delivery.objects.filter(webhook=row.webhook_id, pk__lte=oldest).delete()
