"""Count requests per user or address and minute, exactly even with concurrent requests."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

if TYPE_CHECKING:
    from rest_framework.request import Request

MINUTE: Final = 60  # seconds
# Prefix of the cache keys under which requests are counted.
COUNTER_PREFIX: Final = "counted/"


def client_address(request: HttpRequest | Request) -> str:
    peer: str = request.META.get("REMOTE_ADDR", "")
    return address_behind_proxies(request.headers.get("X-Forwarded-For", ""), peer)


def address_behind_proxies(forwarded: str, peer: str) -> str:
    """Return the client's IP address, as reported by the outermost of our own proxies.

    `forwarded` is the header `X-Forwarded-For`, `peer` the address of the connection.
    """
    addresses = [part.strip() for part in forwarded.split(",")]
    if 0 < settings.PROXIES <= len(addresses) and addresses[-settings.PROXIES]:
        return addresses[-settings.PROXIES]
    return peer


def count_request(request: HttpRequest | Request, what: str) -> int:
    """Count this request and return the number of such requests in the current minute.

    `what` names the counter. Anonymous requests count against their IP address. If the cache is
    unreachable, every process counts its own requests.
    """
    who = f"u{request.user.pk}" if request.user.is_authenticated else client_address(request)
    key = f"{COUNTER_PREFIX}{what}/{int(time.time()) // MINUTE}/{who}"
    cache.add(key, 0, timeout=2 * MINUTE)
    try:
        return int(cache.incr(key))
    except ValueError:  # evicted between the two calls
        return 1


def seconds_until_reset() -> int:
    return MINUTE - int(time.time()) % MINUTE
