"""Bloodless wording: a variant of each language, with its own message catalogue.

`es-velvet` is Spanish in bloodless wording. `locale/es_Velvet` contains only the messages that
differ from `locale/es`. Variants are not in `settings.LANGUAGES`, so the browser's language header
and the language cookie cannot select them. Only the user's preference does. `request.LANGUAGE_CODE`
remains the language without its variant.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

BLOODLESS: Final = "bloodless"
# Language subtag of the bloodless variant. A subtag may have at most eight letters. With a longer
# one, Django would not find number formats.
VARIANT: Final = "velvet"

# Path prefixes that never use the bloodless wording. API clients choose a wording with a parameter,
# and the admin uses the terms of the rulebook.
USUAL_PREFIXES: Final = ("/api/", "/admin/")


def wants_bloodless(request: HttpRequest) -> bool:
    return request.COOKIES.get(settings.WORDING_COOKIE_NAME) == BLOODLESS


def bloodless(language: str) -> str:
    return f"{usual(language)}-{VARIANT}"


def usual(language: str) -> str:
    return language.removesuffix(f"-{VARIANT}")


def is_bloodless(language: str) -> bool:
    return language.endswith(f"-{VARIANT}")


def active_language() -> str:
    return translation.get_language() or "en"


def ordinal(number: int) -> str:
    """Format a place in a ranking: 1st, 2nd ... in English, 1.º in Spanish."""
    if usual(active_language()) == "es":
        return f"{number}.º"
    ending = (
        "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"


def usual_wording() -> AbstractContextManager[None]:
    """Activate the language without its bloodless variant.

    Texts that quote the rulebook use the usual wording.
    """
    return translation.override(usual(active_language()))


class WordingMiddleware:
    """Activate the bloodless variant of the request's language for visitors who want it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not wants_bloodless(request) or request.path.startswith(USUAL_PREFIXES):
            return self._get_response(request)
        with translation.override(bloodless(active_language())):
            return self._get_response(request)
