"""Responses with an acta as a file, and with the result of checking it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from actas.envelope import Document, to_bytes
from actas.verification import check

FINAL_CACHE_CONTROL: Final = "max-age=3600, stale-while-revalidate=86400"
"""It never changes, but may cease to be public: so caches ask again in time."""
NO_CACHE: Final = "no-cache"
TEMPLATE_VERSION: Final = "1"
"""Raise with the look of the verdict: what browsers have kept is then asked for anew."""


def file_response(
    request: HttpRequest, document: Document, *, name: str, public: bool, final: bool
) -> HttpResponse:
    """The acta as a file of this name, or that it has not changed.

    `public`: whether shared caches may keep it. `final`: whether it can never change; one that
    names people can, and is asked for again each time.
    """
    owner, keep = "public" if public else "private", FINAL_CACHE_CONTROL if final else NO_CACHE
    tag = f'"{document["digest"]}"'
    if request.headers.get("If-None-Match") == tag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(to_bytes(document), content_type="application/json; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    response["ETag"], response["Cache-Control"] = tag, f"{owner}, {keep}"
    if not public:
        patch_vary_headers(response, ("Cookie",))
    return response


def verdict_response(
    request: HttpRequest, document: Document, *, of: str, back: str, record: str
) -> HttpResponse:
    """The verdict on an acta as a page, or where a script asks as a fragment.

    `of` says in words what it is of; `back` and `record` are the addresses of that and of the acta.
    """
    tag = f'"verdict-{document["digest"]}-{get_language()}-{TEMPLATE_VERSION}"'
    if request.headers.get("If-None-Match") == tag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        context = {"verdict": check(document), "document": document}
        response = render_verdict(request, context | {"of": of, "back": back, "record": record})
    response["ETag"], response["Cache-Control"] = tag, f"private, {NO_CACHE}"
    patch_vary_headers(response, ("HX-Request", "Accept-Language", "Cookie"))
    return response


def missing_response(
    request: HttpRequest, reason: LookupError, *, of: str, back: str
) -> HttpResponse:
    """Why there is no acta of this, or not yet (`actas.NotYet`), as a page that is not found."""
    context = {"reason": str(reason), "of": of, "back": back}
    response = render(request, "actas/none.html", context, status=404)
    response["Cache-Control"] = "private, no-store"
    return response


def render_verdict(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """A verdict on the page of a record, or as the fragment alone."""
    fragment = bool(request.headers.get("HX-Request"))
    return render(request, f"actas/{'_verdict' if fragment else 'verdict'}.html", dict(context))
