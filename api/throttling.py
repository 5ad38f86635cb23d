"""API rate limits per minute, with `Retry-After`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from core.limits.rate_limits import count_request, seconds_until_reset

if TYPE_CHECKING:
    from rest_framework.views import APIView

SAFE = ("GET", "HEAD", "OPTIONS")


class _PerMinuteThrottle(BaseThrottle):
    """Limit of requests per minute and user, or per IP address for anonymous requests.

    Requests to pages count too. The count is exact even with concurrent requests.
    """

    setting = ""

    def allow_request(self, request: Request, view: APIView) -> bool:
        limit: int = getattr(settings, self.setting)  # read each time: it may change
        return not self.concerns(request) or count_request(request, self.setting) <= limit

    def wait(self) -> float:
        return seconds_until_reset()

    def concerns(self, request: Request) -> bool:
        raise NotImplementedError


class ReadThrottle(_PerMinuteThrottle):
    """Rate limit for GET, HEAD and OPTIONS requests."""

    setting = "API_READS_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        return request.method in SAFE


class WriteThrottle(_PerMinuteThrottle):
    """Rate limit for requests with unsafe methods."""

    setting = "API_WRITES_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        return request.method not in SAFE


class FileThrottle(_PerMinuteThrottle):
    """Additional rate limit for views that parse and check uploaded files."""

    setting = "FILES_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        return request.method not in SAFE


# Throttle classes of API views that parse uploaded files.
FILE_THROTTLES = [ReadThrottle, WriteThrottle, FileThrottle]
