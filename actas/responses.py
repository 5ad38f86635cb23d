"""HTTP responses with a record as a file, or with the result of checking it."""

from __future__ import annotations

from typing import Final, TypedDict

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from actas.envelope import Document, to_bytes
from actas.verification import VerificationResult, check

# Cache-Control header of a record that can no longer change. The record may later be hidden from
# the public, so caches must revalidate it.
FINAL_CACHE_CONTROL: Final = "max-age=3600, stale-while-revalidate=86400"
NO_CACHE: Final = "no-cache"
# Part of the ETag of pages with the result of a check. Raise this number when the template changes,
# so that browsers fetch the page again.
TEMPLATE_VERSION: Final = "1"


def file_response(
    request: HttpRequest, document: Document, *, name: str, public: bool, final: bool
) -> HttpResponse:
    """Return a record as a file with this name, or 304 if the client has the current version.

    `public` allows shared caches to store it. `final` means that the record can never change. A
    record with display names can change, so clients revalidate it each time.
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


class VerdictContext(TypedDict):
    verdict: VerificationResult
    document: Document
    of: str
    back: str
    record: str


def verdict_response(
    request: HttpRequest, document: Document, *, of: str, back: str, record: str
) -> HttpResponse:
    """Return the result of checking a record as a page, or as a fragment for htmx.

    `of` describes the subject of the record. `back` is the path of the subject's page and `record`
    the path of the record.
    """
    tag = f'"verdict-{document["digest"]}-{request.LANGUAGE_CODE}-{TEMPLATE_VERSION}"'
    if request.headers.get("If-None-Match") == tag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        context: VerdictContext = {
            "verdict": check(document),
            "document": document,
            "of": of,
            "back": back,
            "record": record,
        }
        part = "#verdict" if request.headers.get("HX-Request") else ""
        response = render(request, f"actas/verdict.html{part}", context)
    response["ETag"], response["Cache-Control"] = tag, f"private, {NO_CACHE}"
    patch_vary_headers(response, ("HX-Request", "Accept-Language", "Cookie"))
    return response


def missing_response(
    request: HttpRequest, reason: LookupError, *, of: str, back: str
) -> HttpResponse:
    """Return a 404 page that says why there is no record.

    `reason` is an `actas.NotYet`.
    """
    context = {"reason": str(reason), "of": of, "back": back}
    response = render(request, "actas/none.html", context, status=404)
    response["Cache-Control"] = "private, no-store"
    return response
