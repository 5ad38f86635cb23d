"""The liveness check, answered by the ASGI server itself."""

from __future__ import annotations

from typing import Final

from live.asgi_types import Scope, Send

PATHS: Final = ("/healthz", "/healthz/")
HEADERS: Final = [
    (b"content-type", b"application/json"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-length", b"15"),
]


def is_liveness_check(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["path"] in PATHS


async def send_alive(send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": b'{"alive": true}'})
