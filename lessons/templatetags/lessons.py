"""Template tags that link to lessons from pages for newcomers."""

from __future__ import annotations

from django import template

from accounts.wording import active_language
from lessons.loading import all_lessons

register = template.Library()


@register.inclusion_tag("lessons/_list.html")
def lesson_list(game: str = "") -> dict[str, object]:
    """List the lessons of a game, or all lessons, with their numbers among all lessons."""
    return {"lessons": _cards(game)}


@register.inclusion_tag("lessons/_first.html")
def first_lesson(*slugs: str) -> dict[str, object]:
    """Show links to the lessons with these slugs in one line of text."""
    return {"lessons": [card for card in _cards() if card["slug"] in slugs]}


def _cards(game: str = "") -> list[dict[str, object]]:
    language = active_language()
    return [
        {
            "number": number,
            "slug": lesson.slug,
            "game": lesson.game,
            "title": lesson.title.fill(language, {}),
            "summary": lesson.summary.fill(language, {}),
            "steps": len(lesson.steps),
        }
        for number, lesson in enumerate(all_lessons(), start=1)
        if game in ("", lesson.game)
    ]
