"""The lessons themselves: real records, short texts, and no figure but the engine's."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from string import Formatter

import pytest
from django.utils import translation

from accounts.wording import bloodless
from actas import Part
from corridas.engine import CorridaSetup, replay_corrida
from dominoes.acta import ACTA as HAND
from eltoro.acta import ACTA as GAME
from lessons.dominoes import DominoesRecord
from lessons.eltoro import ElToroRecord
from lessons.indulto import IndultoRecord
from lessons.loading import MAX_STEPS, MAX_WORDS, SLUGS, Lesson, Text, all_lessons, find_lesson
from lessons.questions import Record, options_of, reply_to, written
from lessons.views import RECORDS

RULES = Path(__file__).resolve().parents[2] / "docs" / "rules"
LANGUAGES = ("en", "es")
# Figures in words; one and the names of tercios are no figures
COUNTED = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|seventy|hundred|half of it"
    r"|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|veinte|setenta|cien)\b",
    re.IGNORECASE,
)

lessons = pytest.mark.parametrize("slug", SLUGS)
languages = pytest.mark.parametrize("language", [*LANGUAGES, *map(bloodless, LANGUAGES)])


def lesson_of(slug: str) -> Lesson:
    lesson = find_lesson(slug)
    assert lesson is not None
    return lesson


def texts(lesson: Lesson) -> list[Text]:
    """The texts of the steps, in their order."""
    found = []
    for step in lesson.steps:
        found.append(step.text)
        if step.ask:
            found += [step.ask.question, step.ask.because]
    return found


def test_there_are_eight() -> None:
    assert len(all_lessons()) == 8
    assert [lesson.slug for lesson in all_lessons()] == list(SLUGS)


@lessons
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_is_short(slug: str, language: str) -> None:
    lesson = lesson_of(slug)
    words = sum(len(str(getattr(text, language)).split()) for text in texts(lesson))
    assert len(lesson.steps) <= MAX_STEPS
    assert words <= MAX_WORDS
    assert sum(step.ask is not None for step in lesson.steps) >= len(lesson.steps) / 2


@lessons
def test_figures_are_the_engines(slug: str) -> None:
    for text in texts(lesson_of(slug)):
        names = [{name for _, name, *_ in Formatter().parse(each) if name} for each in (text.en, text.es)]
        for each in (text.en, text.es):
            bare = re.sub(r"{\w+}", "", each)
            assert not re.search(r"\d", bare), each
            assert not COUNTED.search(bare), each
        assert names[0] == names[1], text  # both languages name the same


@lessons
def test_the_rows_it_cites_have_not_changed(slug: str) -> None:
    """After a change, read the lesson again, then store the new digest in its file."""
    lesson = lesson_of(slug)
    lines = (RULES / f"{lesson.game}.md").read_text(encoding="utf-8").splitlines()
    rows = [
        line for line in lines if line.startswith("|") and line.split("|")[1].strip() in lesson.cites
    ]
    assert {row.split("|")[1].strip() for row in rows} == set(lesson.cites)
    assert hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16] == lesson.rows
    rulings = {step.ask.ruling for step in lesson.steps if step.ask}
    assert rulings <= set(lesson.cites)


@lessons
@languages
def test_every_step_is_told_and_every_answer_is_the_engines(slug: str, language: str) -> None:
    lesson = lesson_of(slug)
    with translation.override(language):
        record = RECORDS[lesson.game](lesson.record, language)
        for step in lesson.steps:
            assert step.text.fill(language, written(record.figures(step.at)))
            assert record.pictures(step.at, step.ask)
            if step.ask is None:
                continue
            after = written(record.figures(step.ask.after or step.at))
            because = step.ask.because.fill(language, after)
            options = options_of(record, step.ask, step.at)
            assert len({option.value for option in options}) == len(options) > 1
            assert len({option.label for option in options}) == len(options)
            right = [option for option in options if option.right]
            assert right, step.ask
            assert len(right) < len(options), step.ask
            for option in options:
                reply = reply_to(option, options, because, step.ask.ruling)
                assert reply.right is option.right
                assert all(answer.label in reply.sentence for answer in right)
            check_answers(record, lesson, language)


def check_answers(record: Record, lesson: Lesson, language: str) -> None:
    """Compare answers to a record that is played for each question again."""
    again = RECORDS[lesson.game](lesson.record, language)
    for step in lesson.steps:
        if step.ask:
            assert options_of(record, step.ask, step.at) == options_of(again, step.ask, step.at)


@lessons
def test_a_record_is_what_its_engine_plays(slug: str) -> None:
    lesson = lesson_of(slug)
    record = RECORDS[lesson.game](lesson.record, "en")
    if isinstance(record, IndultoRecord):
        showing = record.showing
        setup = CorridaSetup(
            rules=showing.rules,
            deck=showing.deck,
            plaza_rating=showing.category,
            matadors=tuple(person.card for person in showing.matadors),
        )
        draws = [lidia.draws for lidia in showing.record.lidias]
        assert replay_corrida(setup, showing.record.sorteo, draws) == showing.record
    elif isinstance(record, DominoesRecord):
        seats = len(record.names)
        stake = {"leaders": [record.leader], "totals": [0] * seats}
        read = HAND.read_round(Part(document(lesson, stake=stake)), number=1, seats=seats)
        assert read["moves"] == [
            {"seat": move["seat"], "move": text}
            for move, text in zip(read["moves"], lesson.record["moves"], strict=True)
        ]
        outcome = record.hand_after(len(record.moves)).outcome
        assert outcome is not None
        assert read["points"] == list(outcome.points)
    else:
        assert isinstance(record, ElToroRecord)
        read = GAME.read_round(Part(document(lesson)), number=1, seats=len(record.names))
        assert read["points"] == list(record.frames[-1][1].totals)


def document(lesson: Lesson, **members: object) -> dict[str, object]:
    moves = [{"move": text} for text in lesson.record["moves"]]
    rules, seed = lesson.record["rules"], lesson.record["seed"]
    return {"rules": rules, "seed": seed, "moves": moves, **members}
