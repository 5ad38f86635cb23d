"""Pages are read and sent to; whatever else a program asks of them is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

OF_PAGES: Final = ("GET", "HEAD", "POST", "OPTIONS")
OF_PROGRAMS: Final = "/api/"
"""Addresses that say themselves which methods they have."""


class PageMethods:
    """Answer 405 before anything looks at a token or a session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass it on."""
        if request.method in OF_PAGES or request.path_info.startswith(OF_PROGRAMS):
            return self._get_response(request)
        return HttpResponseNotAllowed(OF_PAGES[:3])
