"""The words of the ring."""

from __future__ import annotations

from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from corridas.queries import glossary


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Every term with its meaning in the language of the interface, by its first letter."""
    language = get_language() or "en"
    told = [(entry.term, entry.meaning(language), entry.kind) for entry in glossary.entries()]
    letters = [
        (letter.upper(), list(group))
        for letter, group in groupby(told, key=lambda one: glossary.plain(one[0])[0])
    ]
    return render(request, "corridas/glossary.html", {"letters": letters, "number": len(told)})
