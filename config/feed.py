"""The door of the feed alone: a proxy sends it what is under /live/, pages go elsewhere."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from live.application import feed  # noqa: E402 - it asks for Django made ready
from live.asgi import Receive, Scope, Send  # noqa: E402

ALIVE = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """The feed; besides it says that it is alive."""
    if scope["type"] == "http" and scope["path"] == "/healthz":
        await send({"type": "http.response.start", "status": 200, "headers": ALIVE})
        await send({"type": "http.response.body", "body": b'{"alive": true}'})
    else:
        await feed(scope, receive, send)
