"""A webhook request over a real connection: signed, limited in time and size, never redirected."""

import json
import socket
import ssl
import threading
from typing import Any

import pytest
from pytest_django import Settings

from leagues.webhooks import delivery
from leagues.webhooks.delivery import Failure, WebhookRequest, send_request
from tests.leagues.webhooks.conftest import Receiver, drip, flood, garbage
from tests.leagues.webhooks.test_addresses import resolving


def letter(receiver: Receiver, url: str = "") -> WebhookRequest:
    return WebhookRequest(url or receiver.url, b'{"number":1}', {"webhook-id": "evt_1"})


def test_webhook_request_arrives_with_its_headers(receiver: Receiver) -> None:
    outcome = send_request(letter(receiver))
    assert (outcome.failure, outcome.status) == (Failure.NONE, 204)
    headers, body = receiver.came[0]
    assert json.loads(body) == {"number": 1}
    assert headers["content-type"] == "application/json"
    assert headers["webhook-id"] == "evt_1"
    assert headers["host"] == f"127.0.0.1:{receiver.port}"


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (500, Failure.STATUS),
        (404, Failure.STATUS),
        (302, Failure.REDIRECT),
        (307, Failure.REDIRECT),
        (garbage, Failure.PROTOCOL),
        (flood, Failure.STATUS),
    ],
)
def test_every_other_status_than_success_is_a_failure(
    receiver: Receiver, answer: Any, failure: Failure
) -> None:
    receiver.answers = [answer]
    outcome = send_request(letter(receiver))
    assert outcome.failure == failure
    assert len(receiver.came) == 1  # no request was redirected
    assert len(outcome.said) <= 200
    assert outcome.said.isprintable()


def test_response_that_is_too_slow_is_cut_off(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "TOTAL_TIMEOUT", 0.4)
    receiver.answers = [drip]
    assert send_request(letter(receiver)).failure == Failure.TIMEOUT


def test_missing_response_ends_with_a_timeout(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "CONNECT_TIMEOUT", 0.3)
    left = threading.Event()
    receiver.answers = [lambda _handler: left.wait()]
    assert send_request(letter(receiver)).failure == Failure.TIMEOUT
    left.set()


def test_refused_connection_is_a_failure(receiver: Receiver, settings: Settings) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))  # reserves a port on which no process listens
        port = deaf.getsockname()[1]
        settings.WEBHOOK_PORTS = [port]
        outcome = send_request(letter(receiver, f"http://127.0.0.1:{port}/"))
    assert outcome.failure == Failure.CONNECTION


def test_host_that_resolves_to_this_machine_is_rejected_at_every_request(
    receiver: Receiver, settings: Settings
) -> None:
    settings.WEBHOOK_ALLOW_NETWORKS = []
    url = f"http://example.org:{receiver.port}/"
    outcome = send_request(letter(receiver, url), resolve=resolving("127.0.0.1"))
    assert outcome.failure == Failure.ADDRESS
    assert receiver.came == []


def test_host_whose_address_changes_after_the_check_gets_no_request(
    receiver: Receiver, settings: Settings
) -> None:
    """The host name is resolved once, and the connection uses the address that was checked."""
    asked: list[str] = []

    def rebinding(host: str, port: int, **_more: object) -> list[Any]:
        asked.append(host)
        address = "127.0.0.1" if len(asked) == 1 else "127.0.0.2"
        found: list[Any] = resolving(address)(host, port)
        return found

    settings.WEBHOOK_ALLOW_NETWORKS = ["127.0.0.1/32"]
    url = f"http://rebinding.example:{receiver.port}/"
    outcome = send_request(letter(receiver, url), resolve=rebinding)
    assert outcome.arrived
    assert asked == ["rebinding.example"]
    assert receiver.came[0][0]["host"] == f"rebinding.example:{receiver.port}"
    again = send_request(letter(receiver, url), resolve=rebinding)
    assert again.failure == Failure.ADDRESS  # 127.0.0.2 is not allowed
    assert len(receiver.came) == 1


def test_https_url_requires_an_encrypted_connection(receiver: Receiver) -> None:
    url = receiver.url.replace("http://", "https://")
    outcome = send_request(letter(receiver, url), trust=ssl.create_default_context())
    assert outcome.failure in {Failure.TLS, Failure.CONNECTION}
    assert receiver.came == []
