"""A process says that it is alive, whatever its pages are at."""

from __future__ import annotations

from typing import Final

from live.asgi import Scope, Send

PATHS: Final = ("/healthz", "/healthz/")
HEADERS: Final = [
    (b"content-type", b"application/json"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-length", b"15"),
]


def is_asked(scope: Scope) -> bool:
    """Whether a request asks for nothing else."""
    return scope["type"] == "http" and scope["path"] in PATHS


async def tell(send: Send) -> None:
    """Say so."""
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": b'{"alive": true}'})
