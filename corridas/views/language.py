"""In which language and wording somebody reads, and the switch of languages."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.context_processors import wants_bloodless
from accounts.preferences import remember_language
from accounts.redirects import redirect_back
from corridas.phrasebook import Voice

OWN: Final = frozenset({"same-origin", "none"})
"""Where a browser says a press comes from that is a press on a page of this site."""


@never_cache
@require_safe
def switch(request: HttpRequest) -> HttpResponse:
    """Back to the page one is on, in another language.

    It changes a visitor's own cookie and nothing else, so it is asked for like a page: without a
    token in its form, a page that everybody sees alike can be kept and shared. A link from
    another site changes nothing.
    """
    language = request.GET.get("language", "")
    response = redirect_back(request, request.GET.get("next", ""))
    if language in dict(settings.LANGUAGES) and _is_own(request):
        remember_language(response, language)
    return response


def _is_own(request: HttpRequest) -> bool:
    return request.headers.get("Sec-Fetch-Site", "none") in OWN


def voice_of(request: HttpRequest) -> Voice:
    """How corridas are told to a visitor."""
    return Voice(get_language() or "en", wants_bloodless(request))
