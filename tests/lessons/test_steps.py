"""What a step of a lesson shows before and after an answer, and the figures in its texts."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string

from lessons.loading import SLUGS, find_lesson
from lessons.questions import AnswerOption, options_of, reply_to
from lessons.views import play_record
from tests.lessons.test_pages import FIRST, answers, read

pytestmark = pytest.mark.django_db

# Figures by lesson and step. Most are answers that the reader must choose from.
FIGURES = [
    ("one-bull-on-paper", 1, {"left": 70, "cards": 0, "marks_left": 10}),
    ("one-bull-on-paper", 4, {"left": 66, "cards": 4, "marks": 3, "points": 8, "scored": 8}),
    ("one-bull-on-paper", 7, {"points": 8, "scored": -9, "worth": 9}),
    ("the-number", 2, {"clock": 25, "clock_reversed": 52}),
    ("the-number", 3, {"avisos": 2, "avisos_cost": -18, "aviso_cost": 9, "kill": -30}),
    ("the-number", 4, {"points": 33, "final": -15, "without_avisos": 3, "with_bull": -27}),
    ("the-number", 6, {"drawn": 61, "score": -7, "sum_undivided": 46, "sum": 54, "number": 54}),
    ("the-number", 9, {"drawn": 92, "score": 13, "final": 26, "sum": 105, "number": 100}),
    ("matador-in-five-moves", 4, {"left_end": 6, "left_need": 1, "right_end": 4, "right_need": 3}),
    ("matador-in-five-moves", 9, {"own_pips": 0, "pips": 3, "points": 3}),
    ("matadors-and-blanks", 2, {"own_matadors": 2, "held": 6, "fitting": 3}),
    ("matadors-and-blanks", 7, {"held": 3, "fitting": 0}),
    ("a-day-in-el-toro", 3, {"step": 1, "bull_1_space": "2", "bull_1_face": 5, "trampled": 0}),
    ("a-day-in-el-toro", 6, {"running_1": 8, "each": 9, "trampled": 1}),
    ("a-day-in-el-toro", 8, {"step": 3, "a7_face": 6}),
    (
        "a-day-in-el-toro",
        10,
        {"arrivals_0": "4 × Restaurant (3), 2 × Bookstore (2), 3 × China Shop (6)"},
    ),
]


@pytest.mark.parametrize(("slug", "number", "expected"), FIGURES)
def test_figures_of_a_step_are_those_of_its_moment(
    slug: str, number: int, expected: dict[str, int | str]
) -> None:
    lesson = find_lesson(slug)
    assert lesson is not None
    figures = play_record(slug, "en").figures(lesson.steps[number - 1].at)
    assert {name: figures[name] for name in expected} == expected


def test_first_step_has_no_question_and_no_step_before_it() -> None:
    page = read(f"/lecciones/{FIRST}/")
    assert 'rel="prev"' not in page
    assert 'class="btn go" href="?step=2#step" rel="next"' in page
    assert "Finish lesson" not in page
    assert "<fieldset" not in page
    assert 'role="alert"' not in page
    spanish = read(f"/lecciones/{FIRST}/", language="es")
    lesson = find_lesson(FIRST)
    assert lesson is not None
    assert lesson.steps[0].text.es.partition("{")[0] in spanish


def test_question_is_shown_without_its_answer() -> None:
    page = read(f"/lecciones/{FIRST}/?step=3")
    assert 'href="?step=2#step" rel="prev"' in page
    assert 'class="btn" href="?step=4#step" rel="next"' in page
    assert f'action="/lecciones/{FIRST}/#answer"' in page
    assert '<input type="hidden" name="step" value="3">' in page
    assert '<input type="hidden" name="sent" value="1">' in page
    assert '<button class="btn go">Check answer</button>' in page
    assert 'class="le-answer"' in page
    assert len(answers(page)) > 1
    assert set(answers(page).values()) == {(False, False)}


@pytest.mark.parametrize("right", [True, False])
def test_answer_is_marked_and_explained(right: bool) -> None:
    lesson, record = find_lesson(FIRST), play_record(FIRST, "en")
    assert lesson is not None
    step = lesson.steps[2]
    assert step.ask is not None
    options = options_of(record, step.ask, step.at)
    chosen = next(option for option in options if option.right is right)
    page = read(f"/lecciones/{FIRST}/?step=3&sent=1&answer={chosen.value}")
    assert answers(page) == {
        option.value: (option.right, option.value == chosen.value) for option in options
    }
    assert f'class="le-answer {"is-right" if right else "is-wrong"}"' in page
    assert f"(Ruling {step.ask.ruling})" in page
    assert step.ask.because.en.partition("{")[0] in page
    assert '<button class="btn">Check answer</button>' in page
    assert 'class="btn go" href="?step=4#step" rel="next"' in page


def test_missing_answer_is_reported_once_below_the_question() -> None:
    page = read(f"/lecciones/{FIRST}/?step=3&sent=1", status=422)
    assert page.count("Choose one of the answers") == 1
    assert "note error" not in page


def test_last_step_leads_to_the_next_lesson_and_to_the_list() -> None:
    """The last lesson has no next one."""
    for slug, following in ((SLUGS[-2], SLUGS[-1]), (SLUGS[-1], None)):
        lesson = find_lesson(slug)
        assert lesson is not None
        steps = len(lesson.steps)
        page = read(f"/lecciones/{slug}/?step={steps}")
        assert f"Step {steps} of {steps}" in page
        assert f'<progress value="{steps}" max="{steps}"' in page
        assert 'rel="next"' not in page
        asks = lesson.steps[-1].ask is not None
        assert f'class="btn{"" if asks else " go"}" href="/lecciones/"> Finish lesson' in page
        links = re.findall(r'class="btn" href="/lecciones/([\w-]+)/"> Next lesson: ', page)
        assert links == ([following] if following else [])
    assert 'class="btn go" href="/lecciones/"> Finish' in read(f"/lecciones/{FIRST}/?step=12")


@pytest.mark.parametrize(
    ("step", "shown"),
    [("x" * 20, "x" * 20), ("x" * 21, "x" * 20 + "…"), ("٣", "٣"), ("0001", "0001")],
)
def test_step_that_does_not_exist_is_named_up_to_20_characters(step: str, shown: str) -> None:
    page = read(f"/lecciones/{FIRST}/?step={step}", status=422)
    assert f"This lesson has no step “{shown}”" in page


@pytest.mark.parametrize(
    ("right", "chosen", "sentence"),
    [
        ("a", "a", "Right: A."),
        ("a", "b", "Incorrect: B. The answer is: A."),
        ("ab", "b", "Right. All of these answers are correct: A; B."),
        ("ab", "c", "Incorrect: C. The correct answers are: A; B."),
        ("abc", "c", "Right. All of these answers are correct: A; B; C."),
    ],
)
def test_reply_names_every_right_answer(right: str, chosen: str, sentence: str) -> None:
    """It begins with the reason of the engine, if there is one."""
    options = [
        AnswerOption(
            value=name, label=name.upper(), right=name in right, why="" if name in right else "Why."
        )
        for name in "abc"
    ]
    option = next(each for each in options if each.value == chosen)
    reply = reply_to(option, options, "Because.", "I-1")
    assert (reply.right, reply.sentence, reply.ruling) == (chosen in right, sentence, "I-1")
    assert reply.because == ("Because." if reply.right else "Why. Because.")


def offered(slug: str, number: int) -> dict[str, tuple[bool, str]]:
    """Return the labels of the answers, and for each whether it is right and why not."""
    lesson = find_lesson(slug)
    assert lesson is not None
    step = lesson.steps[number - 1]
    assert step.ask is not None
    options = options_of(play_record(slug, "en"), step.ask, step.at)
    return {option.label: (option.right, option.why) for option in options}


# The answers to questions by lesson and step, in their order. Right answers begin with a star.
ANSWERS = [
    ("one-bull-on-paper", 2, "*first second third bull kill"),
    ("one-bull-on-paper", 3, "mark *score bull_score stroke"),
    ("one-bull-on-paper", 4, "2 *3 4 8"),
    ("one-bull-on-paper", 10, "stroke *aviso final"),
    ("the-number", 2, "24 *25 26 52"),
    ("the-number", 7, "silencio division aplausos ovacion *oreja dos rabo"),
    ("the-indulto", 2, "mark score bull_score *indulto stroke"),
    ("the-indulto", 3, "yes *no"),
    ("the-indulto", 6, "*yes no"),
    (
        "the-pad",
        10,
        "tercios-0-0 tercios-0-1 tercios-1-0 tercios-1-1 tercios-2-0 tercios-2-1 *avisos number",
    ),
    ("matador-in-five-moves", 3, "*2 *5 6 *7 *12 25 27 draw"),
    ("matadors-and-blanks", 7, "6 9 10 *draw"),
    ("a-day-in-el-toro", 4, "torre *mirador"),
    ("a-day-in-el-toro", 5, "a-2 *a-4 a-6 *b-4"),
    ("tokens-and-cards", 11, "mercado/even mercado/odd pozo/even *pozo/odd faro/even faro/odd"),
]


@pytest.mark.parametrize(("slug", "number", "expected"), ANSWERS)
def test_answers_to_a_question_are_in_their_order(slug: str, number: int, expected: str) -> None:
    lesson = find_lesson(slug)
    assert lesson is not None
    step = lesson.steps[number - 1]
    assert step.ask is not None
    options = options_of(play_record(slug, "en"), step.ask, step.at)
    assert [f"{'*' * option.right}{option.value}" for option in options] == expected.split()


@pytest.mark.parametrize(
    ("slug", "styles"),
    [
        ("the-pad", {"card", "corrida", "rules"}),
        ("matadors-and-blanks", {"league", "domino"}),
        ("tokens-and-cards", {"league", "eltoro"}),
    ],
)
def test_lesson_has_the_styles_of_its_game(slug: str, styles: set[str]) -> None:
    page = read(f"/lecciones/{slug}/")
    found = set(re.findall(r'href="[^"]*css/(\w+)(?:\.\w+)?\.css"', page))
    assert found & {"card", "corrida", "rules", "league", "domino", "eltoro"} == styles


def test_tiles_that_do_not_fit_are_explained() -> None:
    """Passing is offered only if no tile is left to draw."""
    tiles = offered("matadors-and-blanks", 3)
    assert len(tiles) == 7
    assert [right for right, _why in tiles.values()].count(True) == 1
    for label, (right, why) in tiles.items():
        assert bool(why) is not right
        if "-" in label and not right:
            assert why.startswith(f"Neither half of the {label} makes 7 with an open end.")
    assert list(tiles)[-1] == "draw a tile"
    assert list(offered("matadors-and-blanks", 9))[-1] in ("draw a tile", "pass")


def test_figure_of_a_map_is_highlighted_only_while_its_way_is_asked_for() -> None:
    lesson = find_lesson("a-day-in-el-toro")
    assert lesson is not None
    record = play_record(lesson.slug, "en")

    def drawn(number: int, *, answered: bool = False) -> str:
        step = lesson.steps[number - 1]
        context = record.pictures(step.at, None if answered else step.ask)
        return str(render_to_string("lessons/_eltoro.html", context))

    assert drawn(4) != drawn(4, answered=True)
    assert drawn(5) == drawn(5, answered=True), "a space is asked for, not a runner"


def test_range_of_a_verdict_is_shown_only_after_its_question() -> None:
    lesson = find_lesson("the-number")
    assert lesson is not None
    record = play_record("the-number", "en")
    asked, told = lesson.steps[6], lesson.steps[9]
    assert record.pictures(asked.at, asked.ask)["sum"] is None
    assert record.pictures(told.at, None)["sum"] is not None
    bands = offered("the-number", 7)
    assert [label for label, (right, _why) in bands.items() if right]
    parts = [re.fullmatch(r".+ \((\d+)–(\d+)\)", label) for label in bands]
    assert all(parts)
    ranges = [(int(part[1]), int(part[2])) for part in parts if part]
    assert (ranges[0][0], ranges[-1][1]) == (1, 100)
    assert all(end + 1 == start for (_s, end), (start, _e) in pairwise(ranges))


def test_links_to_first_lessons_are_separated_by_dots() -> None:
    tag = '{% load lessons %}{% first_lesson "the-pad" "the-number" %}'
    text = " ".join(re.sub(r"<[^>]+>", "", Template(tag).render(Context())).split())
    assert text.startswith("New here? Lesson: ")
    assert text.count("Lesson: ") == 2
    assert text.count("·") == 1
    assert not text.endswith("·")
    assert not Template("{% load lessons %}{% first_lesson %}").render(Context()).strip()


def test_list_of_lessons_counts_their_steps() -> None:
    page = read("/lecciones/")
    counts = [int(count) for count in re.findall(r'<span class="steps"> (\d+) steps </span>', page)]
    lessons = [find_lesson(slug) for slug in SLUGS]
    assert counts == [len(lesson.steps) for lesson in lessons if lesson]


def test_hands_are_shown_with_their_players_after_the_last_move() -> None:
    """A train without tiles is not drawn."""
    lesson = find_lesson("matador-in-five-moves")
    assert lesson is not None
    last = read(f"/lecciones/{lesson.slug}/?step={len(lesson.steps)}")
    assert re.findall(r"<h3>Tiles of (\w+)</h3>", last) == ["Ana", "Bruno"]
    hand = last.partition("Tiles of Ana</h3>")[2].partition("</div>")[0]
    assert re.sub(r"<[^>]+>", "", hand).strip() == "none"
    assert 'class="le-train"' in last
    assert 'class="le-train"' not in read(f"/lecciones/{lesson.slug}/?step=1")
