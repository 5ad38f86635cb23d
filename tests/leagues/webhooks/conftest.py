"""A webhook receiver on localhost, which a setting allows, and a league with a webhook."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pytest_django import Settings

from events.numbering import publish
from events.operations import record_event
from leagues.models import League, Player, Webhook
from leagues.webhooks.operations import add_webhook
from tests.leagues import world
from tests.leagues.world import NOW


@dataclass
class Receiver:
    """Stores received requests and answers with given statuses or with faulty behaviour."""

    port: int = 0
    answers: list[Any] = field(default_factory=list)
    came: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?for=us"


def _handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.came.append((headers, body))
            answer = receiver.answers.pop(0) if receiver.answers else 204
            if callable(answer):
                answer(self)
                return
            self.send_response(answer)
            self.send_header("Location", "http://127.0.0.1:1/secret")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            pass

    return Handler


def drip(handler: BaseHTTPRequestHandler) -> None:
    """Answer one byte at a time, without end."""
    try:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while True:
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.05)
    except OSError:
        return


def garbage(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"220 mail.example ESMTP\r\n")


def flood(handler: BaseHTTPRequestHandler) -> None:
    """Answer with an error and a very long body."""
    handler.wfile.write(b"HTTP/1.1 500 Oh\r\n\r\n" + "¡no!\x00\n".encode() * 100_000)


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    receiver = Receiver()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(receiver))
    receiver.port = server.server_address[1]
    settings.WEBHOOK_ALLOW_NETWORKS = ["127.0.0.0/8"]
    settings.WEBHOOK_HTTP = True
    settings.WEBHOOK_PORTS = [443, 80, receiver.port]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield receiver
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def ana(db: None) -> Player:
    return world.account("ana")


@pytest.fixture
def league(ana: Player) -> League:
    return world.found_league(ana)


@pytest.fixture
def hook(league: League, ana: Player, receiver: Receiver) -> Webhook:
    publish(at=NOW)
    return add_webhook(league=league, url=receiver.url, wanted=(), by=ana, at=NOW)


@pytest.fixture
def happen(league: League) -> Callable[..., None]:
    """Return a function that records events of the league and publishes them.

    `publish` gives the events their numbers, because no transaction commits in these tests.
    """

    def happen(*results: int) -> None:
        subject = f"league/{league.pk}"
        for one in results:
            data = {"results": one}
            record_event(
                kind="league.imported", subject=subject, at=NOW, data=data, league=league.pk
            )
        publish(at=NOW)

    return happen
