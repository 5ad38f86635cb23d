"""How much and how often pages may be sent something; programs have their own measure in `api`."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
MINUTE = 60  # seconds
OF_PROGRAMS = "/api/"
READING_FILES = frozenset({"actas", "circuit_bring", "exchange", "league_import"})
"""Pages that take files apart and check them: a record, a season, a roster, results."""


class Measure:
    """Refuse what is too large (413) or comes too often (429), before anything reads it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass on what is within measure."""
        if request.method in SAFE or request.path.startswith(OF_PROGRAMS):
            return self._get_response(request)
        if _length(request) > settings.BODY_BYTES:
            return _refused(request, 413)
        if _comes_too_often(request):
            return _refused(request, 429)
        return self._get_response(request)


def caller(request: HttpRequest) -> str:
    """The address that called, as the last proxy of ours saw it."""
    told = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if 0 < settings.PROXIES <= len(told) and told[-settings.PROXIES]:
        return told[-settings.PROXIES]
    address: str = request.META.get("REMOTE_ADDR", "")
    return address


def _length(request: HttpRequest) -> int:
    """What the request says it brings; nothing more is read of it than that."""
    written = request.META.get("CONTENT_LENGTH") or "0"
    return int(written) if written.isascii() and written.isdigit() else 0


def _comes_too_often(request: HttpRequest) -> bool:
    """Count a request, and once more where it brings a file to be checked."""
    if _counted(request, "sent") > settings.WRITES_A_MINUTE:
        return True
    return _brings_a_file(request) and _counted(request, "files") > settings.FILES_A_MINUTE


def _brings_a_file(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).url_name in READING_FILES
    except Resolver404:
        return False


def _counted(request: HttpRequest, what: str) -> int:
    """How often it came in this minute, this time counted; with the cache away nobody is counted.

    Who is not signed in is counted by address.
    """
    who = f"u{request.user.pk}" if request.user.is_authenticated else caller(request)
    key = f"{what}/{int(time.time()) // MINUTE}/{who}"
    cache.add(key, 0, timeout=2 * MINUTE)
    try:
        return int(cache.incr(key))
    except ValueError:  # the cache has forgotten it, or is away
        return 0


def _refused(request: HttpRequest, status: int) -> HttpResponse:
    """The refusal as a page, with the seconds to wait where waiting helps."""
    answer = render(request, f"{status}.html", status=status)
    if status == 429:
        answer["Retry-After"] = str(MINUTE - int(time.time()) % MINUTE)
    return answer
