"""How much and how often pages may be sent something; programs have their own measure in `api`."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve

from config.methods import OF_PROGRAMS
from limits.counting import counted, seconds_left

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
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


def _length(request: HttpRequest) -> int:
    """What the request says it brings; nothing more is read of it than that."""
    written = request.META.get("CONTENT_LENGTH") or "0"
    return int(written) if written.isascii() and written.isdigit() else 0


def _comes_too_often(request: HttpRequest) -> bool:
    """Count a request, and once more where it brings a file to be checked."""
    if counted(request, "sent") > settings.WRITES_A_MINUTE:
        return True
    return _brings_a_file(request) and counted(request, "files") > settings.FILES_A_MINUTE


def _brings_a_file(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).url_name in READING_FILES
    except Resolver404:
        return False


def _refused(request: HttpRequest, status: int) -> HttpResponse:
    """The refusal as a page, with the seconds to wait where waiting helps."""
    answer = render(request, f"{status}.html", status=status)
    if status == 429:
        answer["Retry-After"] = str(seconds_left())
    return answer
