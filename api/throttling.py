"""Rate limits per minute, with `Retry-After`."""

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
    """Limit of requests per minute and user, or per address if nobody is signed in.

    Shares the counters of pages and is exact under concurrency.
    """

    setting = ""

    def allow_request(self, request: Request, view: APIView) -> bool:
        limit: int = getattr(settings, self.setting)  # read anew, so that a setting holds at once
        return not self.concerns(request) or count_request(request, self.setting) <= limit

    def wait(self) -> float:
        return seconds_until_reset()

    def concerns(self, request: Request) -> bool:
        raise NotImplementedError


class ReadThrottle(_PerMinuteThrottle):
    """Limit for safe methods."""

    setting = "API_READS_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        return request.method in SAFE


class WriteThrottle(_PerMinuteThrottle):
    """Limit for all other methods."""

    setting = "API_WRITES_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        return request.method not in SAFE


class FileThrottle(_PerMinuteThrottle):
    """Additional limit for views that parse and check files."""

    setting = "FILES_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        return request.method not in SAFE


# For views that read files.
FILE_THROTTLES = [ReadThrottle, WriteThrottle, FileThrottle]
