"""Forms with many fields: calendars, questions of an import, lists of the admin.

Django refuses requests with more than 1,000 fields, because a stranger could keep the site busy
with them. That limit still applies to visitors who are not signed in, and to all other pages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qsl

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import Resolver404, resolve
from django.utils.datastructures import MultiValueDict

# The calendar of a circuit, and the preview of an import with its questions.
PAGES: Final = frozenset({"circuit_calendar", "circuit_new", "league_import"})
# More than any of these pages offers: a calendar of 2,000 rows has 18,000.
MAX_FIELDS: Final = 20_000
URL_ENCODED: Final = "application/x-www-form-urlencoded"
UTF_8: Final = "utf-8"


class LargeFormMiddleware:
    """Reads large forms of signed-in users on the pages that have them.

    Django has one limit for all requests. So the form is parsed here, before anything else reads
    `request.POST`.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "POST" and _may_be_large(request) and _is_allowed(request):
            _read(request)
        return self._get_response(request)


def _may_be_large(request: HttpRequest) -> bool:
    """Return whether there is room for more fields than Django reads: each has two letters."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
    return request.content_type == URL_ENCODED and length.isdecimal() and int(length) > 2 * most


def _is_allowed(request: HttpRequest) -> bool:
    try:
        page = resolve(request.path_info)
    except Resolver404:
        return False
    if page.app_name == "admin":
        return request.user.is_active and bool(getattr(request.user, "is_staff", False))
    return page.url_name in PAGES and request.user.is_authenticated


def _read(request: HttpRequest) -> None:
    """Set the form of the request, if it is large. Raise `TooManyFieldsSent` beyond the limit."""
    if request.body.count(b"&") < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:
        return
    if (request.encoding or UTF_8).lower() != UTF_8:
        return  # Django refuses it
    try:
        fields = parse_qsl(
            request.body.decode(errors="replace"),
            keep_blank_values=True,
            errors="replace",
            max_num_fields=MAX_FIELDS,
        )
    except ValueError as error:
        raise TooManyFieldsSent(f"The form has more than {MAX_FIELDS} fields.") from error
    form = QueryDict(mutable=True, encoding=UTF_8)
    for name, value in fields:
        form.appendlist(name, value)
    form._mutable = False
    request.POST = form  # type: ignore[assignment]
    # Otherwise Django would parse the body again for the files, of which such a form has none.
    request._files = MultiValueDict()  # type: ignore[attr-defined]
