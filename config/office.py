"""What no page of the office can answer is refused before it is asked of a database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

NUL = "\0"


class RefuseNul:
    """A query with a NUL in it is no query: PostgreSQL takes no such text."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass it on."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Raise `BadRequest` where a page of the office is asked with a NUL."""
        match = request.resolver_match
        if match is None or match.app_name != "admin":
            return
        for name, values in request.GET.lists():
            if NUL in name or any(NUL in value for value in values):
                raise BadRequest("A query holds no NUL.")
