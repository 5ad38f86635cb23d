"""Back to the page somebody came from, as long as it is one of this site."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme


def redirect_back(request: HttpRequest, wanted: str, otherwise: str = "/") -> HttpResponseRedirect:
    """To the address `wanted`, or to `otherwise` where that leads elsewhere or nowhere.

    Both are addresses: a word would be taken for the name of a page by `redirect`.
    """
    own = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure())
    return HttpResponseRedirect(wanted if own and wanted.startswith("/") else otherwise)
