"""Redirects that htmx can follow."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirectBase


class ClientRedirects:
    """Answer htmx with `HX-Redirect` instead of a redirect.

    A browser follows a redirect before htmx sees it, and the whole page it leads to would be put
    into a part of this one. Boosted forms are left alone: they pick their part of that page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass it on; what comes back as a redirect goes out as a header."""
        response = self._get_response(request)
        by_htmx = request.headers.get("HX-Request") and not request.headers.get("HX-Boosted")
        if by_htmx and isinstance(response, HttpResponseRedirectBase):
            response["HX-Redirect"] = response["Location"]
            del response["Location"]
            response.status_code = 204
        return response
