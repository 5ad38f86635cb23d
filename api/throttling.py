"""How often one may ask; who asks too often is told when to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:
    from rest_framework.views import APIView

SAFE = ("GET", "HEAD", "OPTIONS")


class _AMinute(SimpleRateThrottle):
    """So many requests a minute from one person, or from one address where nobody signed in."""

    setting = ""

    def get_rate(self) -> str:
        """Read anew for every request, so that a setting holds at once."""
        return f"{getattr(settings, self.setting)}/min"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Who is counted; None where this limit does not concern the request."""
        if not self.concerns(request):
            return None
        person: Any = request.user
        ident = f"u{person.pk}" if person.is_authenticated else self.get_ident(request)
        return f"throttle/{self.setting}/{ident}"

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
