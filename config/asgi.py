"""The ASGI application of the embedded server: pages in WSGI threads, with the feed beside them.

No page goes through Django's asynchronous handler, which serves a third as many requests.
"""

import sys
from collections.abc import Awaitable

from config import wsgi  # before the others of ours: it makes Django ready
from live.application import feed
from live.asgi_types import Receive, Scope, Send
from server.buffering import BufferedApplication
from server.connections import STREAMS, ConcurrencyLimit
from server.health import liveness
from server.response_cache import ResponseCache

# Only one of them thinks at a time. More than one is for those that wait for the database or for
# Redis. With eight, two fifths of the time went into waiting for the lock under which Django keeps
# the language of a thread, and every page was slowed down by seven others.
PAGE_THREADS = 4
# A page being rendered holds the interpreter for 5 ms at a time by default; the feed, in the same
# process, has cards to send at their instant. A shorter interval interrupts
# small pages, which makes them a fifth dearer.
sys.setswitchinterval(0.002)
pages = BufferedApplication(wsgi.application, PAGE_THREADS, ResponseCache())


def route(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
    """Send /live/ and lifespan events to the feed, everything else to pages."""
    if scope["type"] == "lifespan" or scope["path"].startswith(STREAMS):
        return feed(scope, receive, send)
    return pages(scope, receive, send)


limited = ConcurrencyLimit(route)


def application(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
    if liveness.is_liveness_check(scope):
        return liveness.send_alive(send)
    return limited(scope, receive, send)
