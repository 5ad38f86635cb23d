"""One POST to a checked address, limited in time and size, without redirects."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from leagues.models import Delivery
from leagues.webhooks.addresses import (
    AddressRefused,
    Resolve,
    Target,
    UnknownHost,
    parse_target,
    resolve_address,
)

Failure = Delivery.Failure
# Error, status and text of a response.
AttemptResult = tuple[Failure, int | None, str]
# Seconds for a connection, and for each read.
CONNECT_TIMEOUT: Final = 5.0
# Seconds from connecting to the end of the response, which also stops slow trickles.
TOTAL_TIMEOUT: Final = 10.0
# Bytes of a response that are read.
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
class Outcome:
    """Result of an attempt. `status` is None without a response."""

    failure: Failure
    took_ms: int
    status: int | None = None
    said: str = ""

    @property
    def arrived(self) -> bool:
        return self.failure == Failure.NONE


class _Pinned(http.client.HTTPConnection):
    """Connection to a fixed IP address under the name of a host."""

    def __init__(self, target: Target, address: str, tls: ssl.SSLContext | None) -> None:
        super().__init__(target.host, target.port, timeout=CONNECT_TIMEOUT)
        self._address, self._tls = address, tls
        self.timed_out = False

    def connect(self) -> None:
        """Connect to the checked address, whatever the name resolves to now."""
        self.sock = socket.create_connection((self._address, self.port), CONNECT_TIMEOUT)
        if self._tls is not None:
            secure = self._tls.wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock = secure  # so that `cut` works during the handshake too
            secure.do_handshake()

    def cut(self) -> None:
        """Close the connection at once, even while it waits."""
        self.timed_out = True
        try:
            if self.sock is not None:
                self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # closed already


def send_request(
    letter: WebhookRequest,
    *,
    resolve: Resolve = socket.getaddrinfo,
    trust: ssl.SSLContext | None = None,
) -> Outcome:
    """Send a request once. Never raises for errors of the receiver. `trust` are accepted
    certificates.
    """
    began = time.monotonic()
    failure, status, said = _attempt(letter, resolve, trust)
    return Outcome(failure, int((time.monotonic() - began) * 1000), status, said)


def _attempt(
    letter: WebhookRequest, resolve: Resolve, trust: ssl.SSLContext | None
) -> AttemptResult:
    try:
        target = parse_target(letter.url)
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
        told: AttemptResult = _exchange(line, target, letter)
    except (OSError, http.client.HTTPException) as error:
        told = _failure(error), None, _plain(str(error))
    finally:
        cutter.cancel()
        line.close()
    # A response that was cut off looks complete.
    return (Failure.TIMEOUT, None, "") if line.timed_out else told


def _exchange(line: _Pinned, target: Target, letter: WebhookRequest) -> AttemptResult:
    headers = {"Host": target.named, "User-Agent": USER_AGENT, "Content-Type": "application/json"}
    line.request("POST", target.path, letter.body, {**headers, **letter.headers})
    answer = line.getresponse()
    said = _plain(answer.read(MAX_READ_BYTES).decode("utf-8", "replace"))
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


def _plain(text: str) -> str:
    """Return text of another site in one line, safe for storage and display."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())[
        :MAX_ANSWER_LENGTH
    ]
