"""The words of the ring."""

from __future__ import annotations

from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from corridas.queries import glossary
from corridas.views.language import voice_of


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Every term with its meaning, in the visitor's language and wording, by first letters."""
    voice = voice_of(request)
    terms = glossary.entries(bloodless=voice.bloodless)
    told = [(entry.term, entry.meaning(voice.language), entry.kind) for entry in terms]
    letters = [
        (letter.upper(), list(group))
        for letter, group in groupby(told, key=lambda one: glossary.plain(one[0])[0])
    ]
    return render(request, "corridas/glossary.html", {"letters": letters, "number": len(told)})
