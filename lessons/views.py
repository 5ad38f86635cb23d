"""The list of lessons, and the page with a lesson's steps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.wording import active_language
from lessons.dominoes import DominoesRecord
from lessons.eltoro import ElToroRecord
from lessons.indulto import IndultoRecord
from lessons.loading import GameName, Lesson, all_lessons, find_lesson
from lessons.questions import LessonRecord, figures_as_text, options_of, reply_to

RECORDS: Final[Mapping[GameName, type[LessonRecord]]] = {
    "indulto": IndultoRecord,
    "dominoes": DominoesRecord,
    "eltoro": ElToroRecord,
}


@lru_cache(maxsize=64)
def play_record(slug: str, language: str) -> LessonRecord:
    """Return the recorded game of a lesson, replayed by its engine. The result is cached."""
    lesson = find_lesson(slug)
    assert lesson is not None
    return RECORDS[lesson.game](lesson.record, language)


@require_safe
def lessons_page(request: HttpRequest) -> HttpResponse:
    return render(request, "lessons/list.html", {"count": len(all_lessons())})


@require_safe
def lesson_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a step of a lesson.

    With `?answer=`, say whether the answer is right and show the game at the moment of the answer.
    """
    lesson = find_lesson(slug)
    if lesson is None:
        raise Http404("no lesson")
    language = active_language()
    number, problem = _read_step(request.GET.get("step", "1"), lesson)
    step = lesson.steps[number - 1]
    record = play_record(slug, language)
    chosen = None if problem else request.GET.get("answer", "" if "sent" in request.GET else None)
    options = options_of(record, step.ask, step.at) if step.ask else []
    reply = None
    if step.ask and chosen is not None:
        option = next((each for each in options if each.value == chosen), None)
        if option is None:
            problem = _("Choose one of the answers, then press “Check answer”.")
        else:
            after = figures_as_text(record.figures(step.ask.after or step.at))
            reply = reply_to(
                option, options, step.ask.because.fill(language, after), step.ask.ruling
            )
    at = step.ask.after or step.at if reply and step.ask else step.at
    figures = figures_as_text(record.figures(step.at))
    context = {
        "lesson": lesson,
        "title": lesson.title.fill(language, {}),
        "summary": lesson.summary.fill(language, {}),
        "pictures": f"lessons/_{lesson.game}.html",
        "show": step.show,
        "number": number,
        "steps": len(lesson.steps),
        "previous": number - 1,
        "following": number + 1 if number < len(lesson.steps) else None,
        "next_lesson": _next_lesson(lesson),
        "text": step.text.fill(language, figures),
        "question": step.ask.question.fill(language, figures) if step.ask else "",
        "options": options,
        "chosen": chosen,
        "reply": reply,
        "problem": problem,
        **record.pictures(at, None if reply else step.ask),
    }
    return render(request, "lessons/lesson.html", context, status=422 if problem else 200)


def _read_step(text: str, lesson: Lesson) -> tuple[int, str]:
    """Return the number of the lesson's step in this text, and an error message if the text
    is not a valid number.
    """
    steps = len(lesson.steps)
    if text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= steps:
        return int(text), ""
    shown = text if len(text) <= 20 else f"{text[:20]}…"
    sentence = _("This lesson has no step “%(step)s”: its steps are numbered from 1 to %(steps)s.")
    return 1, sentence % {"step": shown, "steps": steps}


def _next_lesson(lesson: Lesson) -> dict[str, str] | None:
    lessons = all_lessons()
    place = lessons.index(lesson) + 1
    if place == len(lessons):
        return None
    following = lessons[place]
    return {"slug": following.slug, "title": following.title.fill(active_language(), {})}
