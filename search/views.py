"""The search page, whose script requests results while the visitor types."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from search.kinds import SearchKind, all_kinds, find_kind
from search.queries import PAGE_SIZE, HitGroup, Slice, find_groups
from search.text import MAX_LENGTH, MAX_WORDS, SearchQuery, read_question


class SearchContext(TypedDict):
    """Template context of the search page.

    `notes` are sentences about ignored parts of the query, and `said` says how much was found.
    `only` is the kind to which the list is restricted, `page` its page number and `more` whether
    another page follows.
    """

    question: SearchQuery
    groups: Sequence[HitGroup]
    notes: Sequence[str]
    said: str
    total: int
    only: SearchKind | None
    page: int
    more: bool
    kinds: Sequence[SearchKind]


@never_cache
@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """Show the results for `?q=` in groups, or with `?kind=` one kind, page by page."""
    question = read_question(request.GET.get("q", ""))
    asked_kind = request.GET.get("kind", "")
    only = find_kind(asked_kind)
    page = _page(request.GET.get("page", "")) if only else 1
    page, groups = _find_page(request, question, only, page)
    total = sum(group.total for group in groups)
    notes = notes_on(question)
    if asked_kind and only is None:
        notes.append(_("This kind of result does not exist, so all results are shown."))
    context: SearchContext = {
        "question": question,
        "groups": groups,
        "notes": notes,
        "said": result_message(request, question, total),
        "total": total,
        "only": only,
        "page": page,
        "more": only is not None and total > page * PAGE_SIZE,
        "kinds": all_kinds(),
    }
    part_of_page = "#results" if request.headers.get("HX-Request") == "true" else ""
    return render(request, f"search/page.html{part_of_page}", context)


def _find_page(
    request: HttpRequest, question: SearchQuery, only: SearchKind | None, page: int
) -> tuple[int, list[HitGroup]]:
    """Return the page number and the results. If the page does not exist, return the last page."""

    def read(number: int) -> list[HitGroup]:
        part = Slice((number - 1) * PAGE_SIZE, PAGE_SIZE) if only else Slice()
        return find_groups(request, question.words, only=only, part=part)

    groups = read(page)
    if page == 1 or any(group.hits for group in groups):
        return page, groups
    first = read(1)
    last = max(1, math.ceil(sum(group.total for group in first) / PAGE_SIZE))
    return last, first if last == 1 else read(last)


def _page(text: str) -> int:
    """Return the page number in this text, or 1 if it is not a number."""
    return max(1, int(text)) if text.isdecimal() and len(text) < 6 else 1


def result_message(request: HttpRequest, question: SearchQuery, total: int) -> str:
    """Return a sentence for the visitor that says how much was found, or why nothing could be
    found.
    """
    if question.words:
        if total:
            return ngettext("%(total)s result", "%(total)s results", total) % {"total": total}
        return _("No word that begins like this was found. Try fewer letters or another word.")
    if question.text or request.GET.get("q"):
        return _("Enter letters or digits. A search for punctuation marks alone finds nothing.")
    return _("Enter a name, a place, a date or a year, such as “Sevilla 14 May”.")


def notes_on(question: SearchQuery) -> list[str]:
    """Return a sentence for the visitor about each part of a query that was ignored."""
    notes = []
    if question.cut:
        notes.append(
            _("Only the first %(letters)s characters and %(words)s words were searched for.")
            % {"letters": MAX_LENGTH, "words": MAX_WORDS}
        )
    if question.signs and question.words:
        notes.append(
            _(
                "Signs such as * and words such as NEAR have no special meaning here. Each "
                "result contains all the words that you enter."
            )
        )
    return notes
