"""The liveness check, answered by the ASGI server itself."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final

from live.asgi_types import Application, Receive, Scope, Send

PATHS: Final = ("/healthz", "/healthz/")
HEADERS: Final = [
    (b"content-type", b"application/json"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-length", b"15"),
]


def answer_liveness(application: Application) -> Application:
    """Return an ASGI application that answers liveness checks and passes on other requests."""

    def answering(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "http" and scope["path"] in PATHS:
            return _send_alive(send)
        return application(scope, receive, send)

    return answering


async def _send_alive(send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": b'{"alive": true}'})
