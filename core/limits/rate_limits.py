"""Counting requests per caller and minute, exact however many come at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

if TYPE_CHECKING:
    from rest_framework.request import Request

MINUTE: Final = 60  # seconds
# Prefix of the counters' cache keys.
COUNTER_PREFIX: Final = "counted/"


def client_address(request: HttpRequest | Request) -> str:
    """Return the client's address as reported by the last of our proxies."""
    addresses = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if 0 < settings.PROXIES <= len(addresses) and addresses[-settings.PROXIES]:
        return addresses[-settings.PROXIES]
    address: str = request.META.get("REMOTE_ADDR", "")
    return address


def count_request(request: HttpRequest | Request, what: str) -> int:
    """Count this request and return the count of the current minute.

    Anonymous requests count against their address. Without the cache every process counts for
    itself.
    """
    who = f"u{request.user.pk}" if request.user.is_authenticated else client_address(request)
    key = f"{COUNTER_PREFIX}{what}/{int(time.time()) // MINUTE}/{who}"
    cache.add(key, 0, timeout=2 * MINUTE)
    try:
        return int(cache.incr(key))
    except ValueError:  # forgotten between the two
        return 1


def seconds_until_reset() -> int:
    return MINUTE - int(time.time()) % MINUTE
