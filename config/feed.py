"""The ASGI application of the feed alone, for a proxy that routes /live/ to it."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config.connections import ConcurrencyLimit
from config.health import liveness
from live.application import feed
from live.asgi_types import Receive, Scope, Send

limited = ConcurrencyLimit(feed)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if liveness.is_liveness_check(scope):
        await liveness.send_alive(send)
    else:
        await limited(scope, receive, send)
