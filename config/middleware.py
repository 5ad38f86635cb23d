"""Middleware for security headers, HTTP methods, languages, users, limits, htmx and invalid values.

Some replace Django's own middleware and skip work that most requests do not need. Code that runs
for every request reads `request.META`, because `request.headers` copies all headers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.contrib.admin.views.main import SEARCH_VAR
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.base import BaseStorage
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase, HttpResponseRedirectBase
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import cached_property

from api.resources import not_found
from core.keys import MAX_KEY
from core.limits.rate_limits import count_request, seconds_until_reset

# HTTP methods that pages accept. API views define their own methods.
PAGE_METHODS: Final = ("GET", "HEAD", "POST", "OPTIONS")
API_PREFIX: Final = "/api/"


class PolicyMiddleware(CSPMiddleware):
    """Sends the Content-Security-Policy of the settings.

    It is built only once, because no view changes it.
    """

    @cached_property
    def _policy(self) -> str:
        return build_policy()

    def process_request(self, request: HttpRequest) -> None:
        """Do nothing: no page has inline scripts, so none needs a nonce."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if not (
            settings.DEBUG and response.status_code in {404, 500}
        ):  # Django's debug pages have inline scripts
            response.headers.setdefault(HEADER, self._policy)
        return response


class AllowedMethodsMiddleware:
    """Returns 405 for other HTTP methods, before CSRF tokens and sessions are checked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in PAGE_METHODS or request.path_info.startswith(API_PREFIX):
            return self._get_response(request)
        return HttpResponseNotAllowed(PAGE_METHODS[:3])


class LanguageMiddleware(LocaleMiddleware):
    """Django's LocaleMiddleware without support for languages in URLs."""

    def process_request(self, request: HttpRequest) -> None:
        translation.activate(translation.get_language_from_request(request))
        request.LANGUAGE_CODE = translation.get_language()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
        return response


class UserMiddleware(AuthenticationMiddleware):
    """Django's AuthenticationMiddleware, without loading a user if there is no session cookie."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            request.user = AnonymousUser()
            request.session.accessed = True  # for `Vary: Cookie`, as if it had been read


class MessageStorage(FallbackStorage):
    """Django's default message storage, created only if there are messages, which is rare."""

    def __init__(self, request: HttpRequest) -> None:
        BaseStorage.__init__(self, request)
        self._used_storages: set[BaseStorage] = set()

    @cached_property
    def storages(self) -> list[BaseStorage]:
        return [storage(self.request) for storage in (CookieMessages, SessionStorage)]


class CookieMessages(CookieStorage):
    cookie_name = settings.MESSAGES_COOKIE_NAME


SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
# URL names of pages on which files are parsed and checked: a record, a season, a roster, or
# results.
FILE_VIEWS = frozenset({"actas", "circuit_bring", "exchange", "league_import"})


class RequestLimitMiddleware:
    """Rejects requests that are too large (413) or too frequent (429) before reading them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in SAFE_METHODS or request.path.startswith(API_PREFIX):
            return self._get_response(request)
        if _declared_length(request) > settings.BODY_BYTES:
            return _refusal(request, 413)
        if _is_rate_limited(request):
            return _refusal(request, 429)
        return self._get_response(request)


def _declared_length(request: HttpRequest) -> int:
    written = request.META.get("CONTENT_LENGTH") or "0"
    return int(written) if written.isascii() and written.isdigit() else 0


def _is_rate_limited(request: HttpRequest) -> bool:
    """Count the request for the rate limit, and count it again if it uploads a file to check.

    Returns True if one of the two limits is exceeded.
    """
    if count_request(request, "sent") > settings.WRITES_A_MINUTE:
        return True
    return _uploads_file(request) and count_request(request, "files") > settings.FILES_A_MINUTE


def _uploads_file(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).url_name in FILE_VIEWS
    except Resolver404:
        return False


def _refusal(request: HttpRequest, status: int) -> HttpResponse:
    answer = render(request, f"{status}.html", status=status)
    if status == 429:
        answer["Retry-After"] = str(seconds_until_reset())
    return answer


class HtmxRedirectMiddleware:
    """Replaces redirects of htmx requests by the header `HX-Redirect`.

    Otherwise the browser would follow the redirect before htmx sees it, and htmx would insert the
    whole target page into the current page. Boosted forms still get redirects, because they select
    a part of the target page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if isinstance(response, HttpResponseRedirectBase):
            by_htmx = request.headers.get("HX-Request") and not request.headers.get("HX-Boosted")
            if by_htmx:
                response["HX-Redirect"] = response["Location"]
                del response["Location"]
                response.status_code = 204
        return response


NUL = "\0"


class UnstorableValuesMiddleware:
    """Rejects values that a database cannot store.

    Numbers in URLs that are larger than any key return 404. In query strings of the admin, such
    numbers and NUL characters return 400.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: Mapping[str, object]
    ) -> HttpResponseBase | None:
        """Return the API's 404 response, or raise Http404 or BadRequest."""
        if any(isinstance(value, int) and value > MAX_KEY for value in kwargs.values()):
            if request.path_info.startswith(API_PREFIX):
                return not_found(request)
            raise Http404("no such number")
        match = request.resolver_match
        if match is not None and match.app_name == "admin":
            for name, values in request.GET.lists():
                if NUL in name or any(NUL in value for value in values):
                    raise BadRequest("A query holds no NUL.")
                if name != SEARCH_VAR and any(map(_has_huge_number, values)):
                    raise BadRequest("No row has this number.")
        return None


def _has_huge_number(text: str) -> bool:
    """Return True if the text contains a number larger than any key.

    The text may be a list, as in `?id__in=1,2`.
    """
    for part in text.split(","):
        with suppress(ValueError):
            if abs(int(part)) > MAX_KEY:
                return True
    return False
