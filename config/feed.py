"""The door of the feed alone: a proxy sends it what is under /live/, pages go elsewhere."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config.connections import FewAtOnce  # noqa: E402
from config.health import alive  # noqa: E402
from live.application import feed  # noqa: E402 - it asks for Django made ready
from live.asgi import Receive, Scope, Send  # noqa: E402

feed_for_few = FewAtOnce(feed)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """The feed; besides it says that it is alive."""
    if alive.is_asked(scope):
        await alive.tell(send)
    else:
        await feed_for_few(scope, receive, send)
