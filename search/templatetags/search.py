"""Template tags for search results."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString

from search import text

register = template.Library()


@register.simple_tag
def mark(shown: str, words: Sequence[str]) -> SafeString:
    """Highlight the parts of a text that match: `{% mark hit.title question.words %}`."""
    return text.mark_words(shown, words)
