"""How often one may ask; who asks too often is told when to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from limits.rate_limits import count_request, seconds_until_reset

if TYPE_CHECKING:
    from rest_framework.views import APIView

SAFE = ("GET", "HEAD", "OPTIONS")


class _PerMinuteThrottle(BaseThrottle):
    """So many requests a minute from one person, or from one address where nobody signed in.

    Counted as those of pages are, one by one however many come at once.
    """

    setting = ""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count it where this limit concerns it; whether it is within the limit."""
        limit: int = getattr(settings, self.setting)  # read anew, so that a setting holds at once
        return not self.concerns(request) or count_request(request, self.setting) <= limit

    def wait(self) -> float:
        """Seconds until one may ask again."""
        return seconds_until_reset()

    def concerns(self, request: Request) -> bool:
        """Whether the request is of the kind that is counted."""
        raise NotImplementedError


class ReadThrottle(_PerMinuteThrottle):
    """Reading."""

    setting = "API_READS_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        """GET and the like."""
        return request.method in SAFE


class WriteThrottle(_PerMinuteThrottle):
    """Acting."""

    setting = "API_WRITES_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        """Everything else."""
        return request.method not in SAFE


class FileThrottle(_PerMinuteThrottle):
    """Files to be taken apart and checked, beside all acting; for views that read them."""

    setting = "FILES_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        """Everything but reading."""
        return request.method not in SAFE


FILE_THROTTLES = [ReadThrottle, WriteThrottle, FileThrottle]
"""What holds for a view that reads files."""
