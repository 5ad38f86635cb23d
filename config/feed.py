"""The ASGI application of the feed alone, for a proxy that routes /live/ to it."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config.connections import ConcurrencyLimit  # noqa: E402
from config.health import liveness  # noqa: E402
from live.application import feed  # noqa: E402 - it asks for Django made ready
from live.asgi_types import Receive, Scope, Send  # noqa: E402

limited = ConcurrencyLimit(feed)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve the feed and the liveness check."""
    if liveness.is_liveness_check(scope):
        await liveness.send_alive(send)
    else:
        await limited(scope, receive, send)
