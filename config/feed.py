"""ASGI application of the live feed alone, for a proxy that routes /live/ to another process."""

import os
from collections.abc import Awaitable

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from live.application import feed
from live.asgi_types import Receive, Scope, Send
from server.connections import ConcurrencyLimit
from server.health import liveness

limited = ConcurrencyLimit(feed)


def application(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
    if liveness.is_liveness_check(scope):
        return liveness.send_alive(send)
    return limited(scope, receive, send)
