"""Redirect to the previous page, within this site only."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme


def redirect_back(request: HttpRequest, wanted: str, otherwise: str = "/") -> HttpResponseRedirect:
    """Redirect to `wanted`, or to `otherwise` if `wanted` is not a path on this site.

    Both arguments are paths. Django's `redirect` would take a plain word for a view name.
    """
    own = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure())
    return HttpResponseRedirect(wanted if own and wanted.startswith("/") else otherwise)
