"""Lesson pages: every step is public, answers get an explanation, and invalid URLs an error."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from lessons.loading import SLUGS, Moment, all_lessons
from lessons.questions import options_of
from lessons.views import play_record
from tests.corridas.pages.test_spanish import English, page_texts
from tests.factories import small_circuit

pytestmark = pytest.mark.django_db

FIRST = "one-bull-on-paper"
OPTION = re.compile(
    r'<label class="choice le-option( is-right)?"> '
    r'<input type="radio" name="answer" value="([^"]*)"( checked)?>'
)


def answers(page: str) -> dict[str, tuple[bool, bool]]:
    """Return the answers of a question, and whether each is shown as correct and as chosen."""
    return {value: (bool(right), bool(chosen)) for right, value, chosen in OPTION.findall(page)}


def read(address: str, *, language: str = "en", status: int = 200) -> str:
    response = Client(headers={"accept-language": language}).get(address)
    assert response.status_code == status
    return re.sub(r"\s+", " ", response.content.decode())


def test_lesson_list_contains_every_lesson() -> None:
    page = read("/lecciones/")
    for lesson in all_lessons():
        assert f'href="/lecciones/{lesson.slug}/"' in page
        assert lesson.title.en in page
    assert "Un toro sobre el papel" in read("/lecciones/", language="es")


@pytest.mark.parametrize(
    ("language", "title"),
    [("en", "One bull on paper"), ("es", "Un toro sobre el papel")],
)
@pytest.mark.parametrize("address", ["/lecciones/", f"/lecciones/{FIRST}/"])
@pytest.mark.parametrize("wording", ["", "bloodless"])
def test_lesson_has_the_language_of_the_page_in_every_wording(
    language: str, title: str, address: str, wording: str
) -> None:
    client = Client(headers={"accept-language": language})
    client.cookies["wording"] = wording
    page = client.get(address).text
    assert f'<html lang="{language}"' in page
    assert title in page
    (lesson,) = (lesson for lesson in all_lessons() if lesson.slug == FIRST)
    other = lesson.summary.es if language == "en" else lesson.summary.en
    assert other not in page


NUMBERED = re.compile(r'href="/lecciones/([\w-]+)/"> <i aria-hidden="true">(\d+)</i>')


@pytest.mark.parametrize("game", ["", "indulto", "dominoes", "eltoro"])
def test_lesson_has_the_same_number_in_every_list(game: str) -> None:
    """The lessons of one game are not numbered from 1 again."""
    listed = Template(f"{{% load lessons %}}{{% lesson_list {game!r} %}}").render(Context())
    assert NUMBERED.findall(re.sub(r"\s+", " ", listed)) == [
        (lesson.slug, str(number))
        for number, lesson in enumerate(all_lessons(), start=1)
        if game in ("", lesson.game)
    ]


def test_lists_on_the_lessons_page_are_numbered_together() -> None:
    found = NUMBERED.findall(read("/lecciones/"))
    assert found == [(slug, str(number)) for number, slug in enumerate(SLUGS, start=1)]


@pytest.fixture(scope="module")
def english() -> English:
    return English()


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_spanish_lesson_contains_no_english(slug: str, english: English) -> None:
    lesson = next(lesson for lesson in all_lessons() if lesson.slug == slug)
    for number, step in enumerate(lesson.steps, start=1):
        page = read(f"/lecciones/{slug}/?step={number}", language="es")
        assert not english.among(page_texts(page))
        options = options_of(play_record(slug, "es"), step.ask, step.at) if step.ask else []
        for option in options:
            page = read(
                f"/lecciones/{slug}/?step={number}&sent=1&answer={option.value}", language="es"
            )
            assert not english.among(page_texts(page))


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_step_of_a_lesson_is_public(slug: str, language: str) -> None:
    """No answer is chosen yet, and the last step links to the next lesson."""
    lesson = next(lesson for lesson in all_lessons() if lesson.slug == slug)
    steps, place = len(lesson.steps), SLUGS.index(slug)
    others = [f'class="btn" href="/lecciones/{other}/"' for other in SLUGS]
    for number in range(1, steps + 1):
        page = read(f"/lecciones/{slug}/?step={number}", language=language)
        counter = f"Paso {number} de {steps}" if language == "es" else f"Step {number} of {steps}"
        assert counter in page
        assert (f'href="?step={number + 1}#step"' in page) is (number < steps)
        assert (f'href="?step={number - 1}#step"' in page) is (number > 1)
        ended = 'href="/lecciones/"> Fin' in page or 'href="/lecciones/"> Terminar' in page
        assert ended is (number == steps)
        following = others[place + 1 : place + 2] if number == steps else []
        assert [link for link in others if link in page] == following
        asks = lesson.steps[number - 1].ask is not None
        assert set(answers(page).values()) == ({(False, False)} if asks else set())
        assert "is-right" not in page
        assert "is-wrong" not in page


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_each_answer_gets_an_explanation(slug: str) -> None:
    lesson = next(lesson for lesson in all_lessons() if lesson.slug == slug)
    for number, step in enumerate(lesson.steps, start=1):
        if step.ask is None:
            continue
        options = options_of(play_record(slug, "en"), step.ask, step.at)
        right = next(option for option in options if option.right)
        wrong = next(option for option in options if not option.right)
        shown = {option.value: option.right for option in options}
        for chosen, mark, begins in (
            (right, "is-right", "Right"),
            (wrong, "is-wrong", "Incorrect"),
        ):
            page = read(f"/lecciones/{slug}/?step={number}&sent=1&answer={chosen.value}")
            assert f'class="le-answer {mark}"' in page
            assert re.search(rf"<p><b>{begins}[:.] ", page)
            assert f"Ruling {step.ask.ruling}" in page
            assert answers(page) == {
                value: (true, value == chosen.value) for value, true in shown.items()
            }


@pytest.mark.parametrize("step", ["banana", "0", "13", "-1", "", "1" * 5000, "²", "1&step=x"])
def test_step_that_does_not_exist_is_an_error(step: str) -> None:
    page = read(f"/lecciones/{FIRST}/?step={step}", status=422)
    assert "This lesson has no step" in page
    assert "Step 1 of 12" in page


@pytest.mark.parametrize("answer", ["", "&answer=", "&answer=banana", "&answer=%00"])
def test_missing_answer_is_an_error(answer: str) -> None:
    page = read(f"/lecciones/{FIRST}/?step=2&sent=1{answer}", status=422)
    assert "Choose one of the answers" in page


def test_answer_to_a_step_without_a_question_is_ignored() -> None:
    pages = [read(f"/lecciones/{FIRST}/{more}") for more in ("", "?step=1&sent=1&answer=3")]
    first, second = (page.partition("<main")[2].partition("</main>")[0] for page in pages)
    assert first == second


def test_unknown_lesson_is_not_found() -> None:
    assert Client().get("/lecciones/the-banana/").status_code == 404


@pytest.mark.parametrize("slug", SLUGS)
def test_lesson_takes_no_more_queries_than_the_list(slug: str) -> None:
    def queries(address: str) -> int:
        read(address)
        with CaptureQueriesContext(connection) as captured:
            read(address)
        return len(captured)

    assert queries(f"/lecciones/{slug}/?step=2") <= queries("/lecciones/") <= 4


def test_question_does_not_show_its_answer() -> None:
    """The card does not show the line that is read, nor the score sheet the figure in question."""
    cards = (
        read(f"/lecciones/{FIRST}/?step=2")
        .partition('class="co-cards')[2]
        .partition("</section>")[0]
    )
    assert "read" not in cards
    sheet = read("/lecciones/the-number/?step=5").partition("Score ÷")[2].partition("Drawn")[0]
    assert "pen" not in sheet
    sheet = read("/lecciones/the-number/?step=5&sent=1&answer=-7")
    assert "−7" in sheet.partition("Score ÷")[2].partition("Drawn")[0]


# Steps of lessons whose answer is shown at a later moment than the question.
ANSWERED_LATER = [
    (lesson.slug, number)
    for lesson in all_lessons()
    for number, step in enumerate(lesson.steps, start=1)
    if step.ask and step.ask.after
]


@pytest.mark.parametrize(("slug", "number"), ANSWERED_LATER)
def test_picture_shows_the_moment_of_the_answer_after_any_answer(slug: str, number: int) -> None:
    lesson = next(lesson for lesson in all_lessons() if lesson.slug == slug)
    step, record = lesson.steps[number - 1], play_record(slug, "en")
    assert step.ask is not None
    assert step.ask.after is not None

    def picture(moment: Moment, *, answered: bool) -> str:
        context = {"show": step.show, **record.pictures(moment, None if answered else step.ask)}
        return render_to_string(f"lessons/_{lesson.game}.html", context)

    before, after = picture(step.at, answered=False), picture(step.ask.after, answered=True)
    address = f"/lecciones/{slug}/?step={number}"
    page = Client().get(address).text
    assert before in page
    assert (after in page) == (after == before)
    options = options_of(record, step.ask, step.at)
    for right in (True, False):
        chosen = next(option.value for option in options if option.right == right)
        page = Client().get(f"{address}&sent=1&answer={chosen}").text
        assert after in page
        assert (before in page) == (before == after)


# A part of the page by which each picture of a lesson is recognised.
PICTURES = {
    "cards": 'class="co-drawn"',
    "ring": 'class="co-ring',
    "sheet": 'class="ru-sheet"',
    "range": 'class="ru-bar',
    "hand": 'class="le-hand"',
}


@pytest.mark.parametrize(
    ("slug", "number", "shown"),
    [
        ("one-bull-on-paper", 1, ["ring"]),
        ("one-bull-on-paper", 4, ["cards"]),
        ("one-bull-on-paper", 8, ["cards", "ring"]),
        ("one-bull-on-paper", 11, ["sheet"]),
        ("one-bull-on-paper", 12, ["sheet", "range"]),
        ("the-number", 10, ["sheet", "range"]),
        ("the-pad", 2, []),
        ("matador-in-five-moves", 1, ["hand"]),
        ("matador-in-five-moves", 2, []),
        ("matadors-and-blanks", 1, []),
        ("matadors-and-blanks", 2, ["hand"]),
    ],
)
def test_step_shows_only_its_own_pictures(slug: str, number: int, shown: list[str]) -> None:
    (lesson,) = (lesson for lesson in all_lessons() if lesson.slug == slug)
    assert sorted(lesson.steps[number - 1].show) == sorted(shown)
    page = Client().get(f"/lecciones/{slug}/?step={number}").text
    assert [name for name, part in PICTURES.items() if part in page] == shown


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("rules", "one-bull-on-paper"),
        ("dominoes_rules", "matador-in-five-moves"),
        ("eltoro_rules", "tokens-and-cards"),
        ("dominoes", "matador-in-five-moves"),
        ("eltoro", "a-day-in-el-toro"),
        ("tienta", "the-pad"),
        ("tienta_new", "the-pad"),
    ],
)
def test_lessons_are_linked_from_pages_for_newcomers(name: str, slug: str) -> None:
    small_circuit()
    assert f'href="/lecciones/{slug}/"' in read(reverse(name))


def test_home_page_links_to_the_lessons() -> None:
    small_circuit()
    assert 'href="/lecciones/"' in read("/")
