"""The lessons contain real records, short texts, and only figures computed by the engines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from django.utils import translation

from accounts.wording import bloodless
from actas import DocumentPart
from corridas.engine import (
    AvisoRead,
    CorridaSetup,
    Digit,
    Ending,
    Move,
    OpenCorrida,
    Scored,
    Side,
    Stroke,
    replay_corrida,
)
from dominoes.acta import ACTA as HAND
from dominoes.engine import IllegalMove
from dominoes.engine.moves import MOVES
from eltoro.acta import ACTA as GAME
from eltoro.engine import LETTERS
from lessons.dominoes import DominoesRecord
from lessons.eltoro import ElToroRecord
from lessons.indulto import IndultoRecord
from lessons.loading import (
    MAX_STEPS,
    MAX_WORDS,
    SLUGS,
    Lesson,
    LessonQuestion,
    Moment,
    Text,
    all_lessons,
    find_lesson,
)
from lessons.questions import LessonRecord, figures_as_text, options_of, reply_to
from lessons.views import RECORDS

RULES = Path(__file__).resolve().parents[2] / "docs" / "rules"
LANGUAGES = ("en", "es")
# How an explanation begins, for a wrong and for a correct answer.
BEGINNINGS = {"en": ("Incorrect: ", "Right"), "es": ("Incorrecto: ", "Correcto")}
# Numbers written as words. "One" and the names of tercios do not count as figures.
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
    """Return the texts of the steps in order."""
    found = []
    for step in lesson.steps:
        found.append(step.text)
        if step.ask:
            found += [step.ask.question, step.ask.because]
    return found


def test_site_has_eight_lessons() -> None:
    assert len(all_lessons()) == 8
    assert [lesson.slug for lesson in all_lessons()] == list(SLUGS)


@lessons
@pytest.mark.parametrize("language", LANGUAGES)
def test_lesson_is_short(slug: str, language: str) -> None:
    lesson = lesson_of(slug)
    words = sum(len(str(getattr(text, language)).split()) for text in texts(lesson))
    assert len(lesson.steps) <= MAX_STEPS
    assert words <= MAX_WORDS
    assert sum(step.ask is not None for step in lesson.steps) >= len(lesson.steps) / 2


@lessons
def test_figures_in_lessons_are_placeholders_filled_by_the_engine(slug: str) -> None:
    for text in texts(lesson_of(slug)):
        names = [
            {name for _, name, *_ in Formatter().parse(each) if name} for each in (text.en, text.es)
        ]
        for each in (text.en, text.es):
            bare = re.sub(r"{\w+}", "", each)
            assert not re.search(r"\d", bare), each
            assert not COUNTED.search(bare), each
        assert names[0] == names[1], text  # both languages name the same


@lessons
def test_rule_rows_cited_by_a_lesson_have_not_changed(slug: str) -> None:
    """If this fails, read the lesson again, then store the new digest in its file."""
    lesson = lesson_of(slug)
    lines = (RULES / f"{lesson.game}.md").read_text(encoding="utf-8").splitlines()
    rows = [
        line
        for line in lines
        if line.startswith("|") and line.split("|")[1].strip() in lesson.cites
    ]
    assert {row.split("|")[1].strip() for row in rows} == set(lesson.cites)
    assert hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16] == lesson.rows
    rulings = {step.ask.ruling for step in lesson.steps if step.ask}
    assert rulings <= set(lesson.cites)


def test_number_of_matador_tiles_is_separate_from_their_names() -> None:
    lesson = lesson_of("matador-in-five-moves")
    record = RECORDS[lesson.game](lesson.record, "en")
    step = next(step for step in lesson.steps if "{matador_tiles}" in step.text.en)
    said = step.text.fill("en", figures_as_text(record.figures(step.at)))
    assert "holds matadors. There are 4: 0-0, 4-3, 5-2, 6-1. A matador" in said


@lessons
@languages
def test_every_step_has_texts_and_correct_answers_of_the_engine(slug: str, language: str) -> None:
    lesson = lesson_of(slug)
    with translation.override(language):
        record = RECORDS[lesson.game](lesson.record, language)
        for step in lesson.steps:
            assert step.text.fill(language, figures_as_text(record.figures(step.at)))
            assert record.pictures(step.at, step.ask)
            if step.ask is None:
                continue
            after = figures_as_text(record.figures(step.ask.after or step.at))
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
                assert reply.sentence.startswith(BEGINNINGS[language[:2]][option.right])
                assert option.label in reply.sentence
                assert all(answer.label in reply.sentence for answer in right)


@lessons
def test_correct_answers_agree_with_a_second_method(slug: str) -> None:
    """The correct answers are found again in another way: from the card-entry pad, the result,
    by trying moves, or by comparing dice.
    """
    lesson = lesson_of(slug)
    record = RECORDS[lesson.game](lesson.record, "en")
    for step in lesson.steps:
        if step.ask:
            options = options_of(record, step.ask, step.at)
            right = {option.value for option in options if option.right}
            assert right == second_reading(record, step.ask, step.at), step


def second_reading(record: LessonRecord, ask: LessonQuestion, at: Moment) -> set[str]:
    after = ask.after or at
    if ask.kind == "number":
        return {str(record.figures(after)[ask.figure])}
    if isinstance(record, IndultoRecord):
        return {of_corrida(record, ask, at)}
    if isinstance(record, DominoesRecord):
        return set(of_hand(record, at))
    assert isinstance(record, ElToroRecord)
    return set(of_town(record, ask, at, after))


def of_corrida(record: IndultoRecord, ask: LessonQuestion, at: Moment) -> str:
    showing, lidia = record.showing, record.lidia(at)
    setup = CorridaSetup(
        rules=showing.rules,
        deck=showing.deck,
        plaza_rating=showing.category,
        matadors=tuple(person.card for person in showing.matadors),
    )
    cards = list(lidia.draws[: at["card"]])
    match ask.kind:
        case "next":
            awaited = OpenCorrida(setup).look(at["turn"] - 1, cards).awaited
            return USES[type(awaited)](awaited)
        case "line":
            return next(LINES[event.tercio] for event in lidia.events if isinstance(event, Move))
        case "spared":
            return "yes" if lidia.result.ending is Ending.SPARED else "no"
        case "outcome":
            crowd, trophy = lidia.result.crowd, lidia.result.trophy
            assert trophy is not None
            name = crowd.name if crowd else trophy.name
            return name.lower().removesuffix("_orejas")
        case _:
            return {"avisos": "avisos", "number": "number"}[ask.figure]


LINES = {1: "first", 2: "second", 3: "third"}
USES: dict[type, Callable[[Any], str]] = {
    Move: lambda _: "mark",
    Scored: lambda event: "score" if event.by is Side.MATADOR else "bull_score",
    Stroke: lambda _: "stroke",
    AvisoRead: lambda _: "aviso",
    Digit: lambda event: event.purpose.value,
}


def of_hand(record: DominoesRecord, at: Moment) -> Iterator[str]:
    """Try every possible move of the hand."""
    hand = record.hand_after(at["moves"])
    for move in MOVES:
        try:
            hand.copy().play(move)
        except IllegalMove:
            continue
        yield str(move.kind) if move.tile is None else str(move.tile)


def of_town(record: ElToroRecord, ask: LessonQuestion, at: Moment, after: Moment) -> Iterator[str]:
    town, board = record.town(at), record.rules.board
    if ask.kind == "way":
        seat, number = LETTERS.index(ask.figure[0]), int(ask.figure[1:]) - 1
        die = town.runners[seat][number]
        assert die is not None
        parities = [
            sign[1] for sign, owner in town.tokens.items() if owner == seat and sign[0] == die.space
        ]
        parity = parities[0] if parities else die.face % 2
        yield board.spaces[board.spaces[die.space].ways[parity]].key
    elif ask.kind == "rolls":
        bulls = {bull.face for bull in town.bulls if bull.space == board.find_space(ask.figure)}
        for seat, runners in enumerate(town.runners):
            for die in runners:
                if die and die.space == board.find_space(ask.figure) and die.face in bulls:
                    yield f"{LETTERS[seat]}-{die.face}"
    else:
        yield from (board.write_sign(sign) for sign in town.tokens)


@lessons
def test_lesson_record_is_what_its_engine_plays(slug: str) -> None:
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
        read = HAND.read_round(DocumentPart(document(lesson, stake=stake)), number=1, seats=seats)
        assert read["moves"] == [
            {"seat": move["seat"], "move": text}
            for move, text in zip(read["moves"], lesson.record["moves"], strict=True)
        ]
        outcome = record.hand_after(len(record.moves)).outcome
        assert outcome is not None
        assert read["points"] == list(outcome.points)
    else:
        assert isinstance(record, ElToroRecord)
        written_out = document(lesson, texts=record.rules.texts)
        read = GAME.read_round(DocumentPart(written_out), number=1, seats=len(record.names))
        assert read["points"] == list(record.frames[-1][1].totals)


def document(lesson: Lesson, **members: object) -> dict[str, object]:
    moves = [{"move": text} for text in lesson.record["moves"]]
    rules, seed = lesson.record["rules"], lesson.record["seed"]
    return {"rules": rules, "seed": seed, "moves": moves, **members}
