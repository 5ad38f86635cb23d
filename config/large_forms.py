"""Middleware for large forms: calendars of seasons, questions about an import, and admin lists.

Django rejects requests with more than 1,000 fields, because attackers could keep the site busy with
them. That limit still applies to visitors who are not signed in, and to all other pages.
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

# URL names of pages with large forms: the calendar of a circuit, and the preview of an import with
# its questions.
PAGES: Final = frozenset({"circuit_calendar", "circuit_new", "league_import"})
# Maximum number of fields of a large form. A calendar of 2,000 rows has 18,000.
MAX_FIELDS: Final = 20_000
URL_ENCODED: Final = "application/x-www-form-urlencoded"
UTF_8: Final = "utf-8"


class LargeFormMiddleware:
    """Parses large forms of signed-in users on the pages that have them.

    Django has a single limit for all requests. So this middleware parses the form before anything
    reads `request.POST`.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "POST" and _may_be_large(request) and _is_allowed(request):
            _read_form(request)
        return self._get_response(request)


def _may_be_large(request: HttpRequest) -> bool:
    """Return whether the body is long enough to have more fields than Django allows.

    Each field has at least two characters.
    """
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


def _read_form(request: HttpRequest) -> None:
    """Set `request.POST` from the body if the form is large.

    Raises `TooManyFieldsSent` if it has more than `MAX_FIELDS` fields.
    """
    if request.body.count(b"&") < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:
        return
    if (request.encoding or UTF_8).lower() != UTF_8:
        return  # Django rejects other encodings itself
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
    # Otherwise Django would parse the body again for uploaded files. A form of this type has none.
    request._files = MultiValueDict()  # type: ignore[attr-defined]
