"""Views that change the language and show the glossary."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.cookies import set_language_cookie
from accounts.redirects import redirect_back
from accounts.wording import active_language
from corridas import glossary

# Values of the header Sec-Fetch-Site for requests from this site
OWN: Final = frozenset({"same-origin", "none"})


@never_cache
@require_safe
def switch(request: HttpRequest) -> HttpResponse:
    """Change the language and redirect to the previous page.

    The view only sets a cookie of the visitor, so it accepts GET. Pages then need no CSRF token in
    a form, and can be cached and shared. Links from other sites have no effect.
    """
    language = request.GET.get("language", "")
    response = redirect_back(request, request.GET.get("next", ""))
    from_this_site = request.headers.get("Sec-Fetch-Site", "none") in OWN
    if from_this_site and language in dict(settings.LANGUAGES):
        set_language_cookie(response, language)
    return response


@require_safe
def glossary_page(request: HttpRequest) -> HttpResponse:
    language = active_language()
    terms = glossary.entries(language)
    definitions = [(entry.term, entry.meaning(language), entry.kind) for entry in terms]
    letters = [
        (letter.upper(), list(group))
        for letter, group in groupby(
            definitions, key=lambda definition: glossary.plain(definition[0])[0]
        )
    ]
    return render(
        request, "corridas/glossary.html", {"letters": letters, "number": len(definitions)}
    )
