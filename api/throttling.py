"""How often one may ask; who asks too often is told when to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from limits.counting import counted, seconds_left

if TYPE_CHECKING:
    from rest_framework.views import APIView

SAFE = ("GET", "HEAD", "OPTIONS")


class _AMinute(BaseThrottle):
    """So many requests a minute from one person, or from one address where nobody signed in.

    Counted as those of pages are, one by one however many come at once.
    """

    setting = ""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count it where this limit concerns it; whether it is within the limit."""
        limit: int = getattr(settings, self.setting)  # read anew, so that a setting holds at once
        return not self.concerns(request) or counted(request, self.setting) <= limit

    def wait(self) -> float:
        """Seconds until one may ask again."""
        return seconds_left()

    def concerns(self, request: Request) -> bool:
        """Whether the request is of the kind that is counted."""
        raise NotImplementedError


class Reads(_AMinute):
    """Reading."""

    setting = "API_READS_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        """GET and the like."""
        return request.method in SAFE


class Writes(_AMinute):
    """Acting."""

    setting = "API_WRITES_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        """Everything else."""
        return request.method not in SAFE


class Files(_AMinute):
    """Files to be taken apart and checked, beside all acting; for views that read them."""

    setting = "FILES_A_MINUTE"

    def concerns(self, request: Request) -> bool:
        """Everything but reading."""
        return request.method not in SAFE


CHECKING = [Reads, Writes, Files]
"""What holds for a view that reads files."""
