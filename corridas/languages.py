"""The language and wording of a reader, the language switch, and the glossary page."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.cookies import set_language_cookie, wants_bloodless
from accounts.redirects import redirect_back
from corridas import glossary
from corridas.stage.phrasebook import Voice

# Values of Sec-Fetch-Site for a request that comes from this site
OWN: Final = frozenset({"same-origin", "none"})


@never_cache
@require_safe
def switch(request: HttpRequest) -> HttpResponse:
    """Switch the language and return to the previous page.

    It only sets the visitor's own cookie, so it needs no POST. Without a CSRF token in its form,
    pages can be cached and shared. A link from another site changes nothing.
    """
    language = request.GET.get("language", "")
    response = redirect_back(request, request.GET.get("next", ""))
    if language in dict(settings.LANGUAGES) and _is_own(request):
        set_language_cookie(response, language)
    return response


def _is_own(request: HttpRequest) -> bool:
    return request.headers.get("Sec-Fetch-Site", "none") in OWN


def voice_of(request: HttpRequest) -> Voice:
    return Voice(get_language() or "en", wants_bloodless(request))


@require_safe
def glossary_page(request: HttpRequest) -> HttpResponse:
    voice = voice_of(request)
    terms = glossary.entries(bloodless=voice.bloodless)
    told = [(entry.term, entry.meaning(voice.language), entry.kind) for entry in terms]
    letters = [
        (letter.upper(), list(group))
        for letter, group in groupby(told, key=lambda one: glossary.plain(one[0])[0])
    ]
    return render(request, "corridas/glossary.html", {"letters": letters, "number": len(told)})
