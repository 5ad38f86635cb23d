"""In which language and wording somebody reads, and the switch of languages."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from accounts.context_processors import wants_bloodless
from corridas.phrasebook import Voice

# It changes a visitor's own cookie and nothing else. Without a token in its form, a page
# that everybody sees alike can be kept and shared.
switch = csrf_exempt(set_language)


def voice_of(request: HttpRequest) -> Voice:
    """How corridas are told to a visitor."""
    return Voice(get_language() or "en", wants_bloodless(request))
