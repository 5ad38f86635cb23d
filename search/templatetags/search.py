"""Template tags of search results."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.http import QueryDict
from django.utils.safestring import SafeString

from search import text

register = template.Library()


@register.simple_tag
def mark(shown: str, words: Sequence[str]) -> SafeString:
    """Mark what matches: `{% mark hit.title question.words %}`."""
    return text.mark(shown, words)


@register.simple_tag
def search_query(asked: str, kind: str = "", page: int = 1) -> str:
    """Return the query string of a search page."""
    query = QueryDict(mutable=True)
    query["q"] = asked
    if kind:
        query["kind"] = kind
    if page > 1:
        query["page"] = str(page)
    return query.urlencode()
