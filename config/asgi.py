"""ASGI application of the embedded server: pages in WSGI threads, and the live feed beside them.

Pages do not use Django's asynchronous handler, because it serves only a third as many requests.
"""

import sys
from collections.abc import Awaitable

from config import wsgi  # before our other modules: it sets Django up
from live.application import feed
from live.asgi_types import Receive, Scope, Send
from server.buffering import BufferedApplication
from server.connections import STREAMS, ConcurrencyLimit
from server.health.liveness import answer_liveness
from server.response_cache import ResponseCache

# Number of threads that render pages. Only one of these threads runs Python code at a time. The
# others wait for the database or Redis. With eight threads, two fifths of the time went into
# waiting for the lock with which Django guards a thread's language, and seven others slowed every
# page down.
PAGE_THREADS = 4
# By default a thread that renders a page holds the interpreter for 5 ms at a time. The live feed
# runs in the same process and must send events at exact times. A shorter interval interrupts small
# pages, which makes them a fifth slower.
sys.setswitchinterval(0.002)
pages = BufferedApplication(wsgi.application, PAGE_THREADS, ResponseCache())


def route(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
    """Send requests below /live/ and lifespan events to the live feed, all others to pages."""
    if scope["type"] == "lifespan" or scope["path"].startswith(STREAMS):
        return feed(scope, receive, send)
    return pages(scope, receive, send)


application = answer_liveness(ConcurrencyLimit(route))
