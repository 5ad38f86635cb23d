"""The six lidias one after the other: who is able, and what has left the deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from corridas.engine import (
    BULLS,
    CorridaSetup,
    Deck,
    Ending,
    LidiaResult,
    OpenCorrida,
    Rules,
    fill,
)
from corridas.sheets.cards import compare, read_cards
from corridas.sheets.figures import read_sheet
from corridas.sheets.frame import read_frame
from corridas.sheets.lines import Evidence, LidiaReading, Line, Reading, State
from corridas.sheets.notes import Notes
from corridas.sheets.score import read_score
from corridas.sheets.shape import cards_of, lidia_of, listed, mapping


class Course:
    """How far a corrida has come while its lidias are read.

    `out`: in which turn (0-5) a matador was put out, by place. `deck_known`: whether every card
    that has left a deck which runs through the corrida is known (Ruling I-3).
    """

    def __init__(self, setup: CorridaSetup) -> None:
        self.setup = setup
        self.open = OpenCorrida(setup)
        self.out: dict[int, int] = {}
        self.deck_known = True
        self.suspended_in: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The matadors in the order of appearance."""
        return tuple(card.name for card in self.setup.order)

    def close(self, reading: LidiaReading) -> None:
        """Go on after a lidia: who was hurt is out, and its cards are known or not."""
        if reading.result is not None:
            self.open.put_out(reading.result.injured)
            self.out.update(dict.fromkeys(reading.result.injured, reading.turn))
            if reading.result.ending is Ending.BROKEN_OFF or not self.open.able:
                self.suspended_in = reading.turn
        if self.setup.rules.shuffle == "when_exhausted" and not reading.draws:
            self.deck_known = False


def course_before(rules: Rules, deck: Deck, sheet: Any, turn: int) -> Course | None:
    """The course as it stands before a turn; None where plaza or cartel cannot be read."""
    frame = read_frame(rules, deck, sheet)
    if frame.setup is None:
        return None
    course = Course(frame.setup)
    for earlier in range(turn):
        if not course.open.able:
            break
        course.close(read_lidia(course, earlier, lidia_of(sheet, earlier)))
    return course


def judge(rules: Rules, deck: Deck, sheet: Any) -> Reading:
    """What a sheet comes to, line by line (Ruling I-18); never raises for bad content."""
    frame = read_frame(rules, deck, sheet)
    if frame.setup is None:
        return Reading(setup=None, bulls=frame.bulls, leads=frame.leads, lines=frame.lines)
    course = Course(frame.setup)
    lidias, lines = [], list(frame.lines)
    for turn in range(BULLS):
        if not course.open.able:
            lines += _after_the_end(course, sheet, turn)
            break
        reading = read_lidia(course, turn, lidia_of(sheet, turn))
        course.close(reading)
        lidias.append(reading)
    lines += _too_many(sheet)
    return Reading(
        setup=frame.setup,
        bulls=frame.bulls,
        leads=frame.leads,
        lines=tuple(lines),
        lidias=tuple(lidias),
        suspended=course.suspended_in is not None,
    )


def read_lidia(course: Course, turn: int, lidia: Mapping[str, Any]) -> LidiaReading:
    """One lidia, by its cards, its sheet or its score; cards weigh most."""
    cards = cards_of(lidia)
    if cards is not None:
        return _by_cards(course, turn, cards, lidia)
    if lidia.get("sheet") is not None:
        notes, result = read_sheet(course, turn, lidia["sheet"])
        return _reading(turn, notes, result, Evidence.SHEET)
    if lidia.get("score") is not None:
        notes, result = read_score(course, turn, lidia["score"])
        return _reading(turn, notes, result, Evidence.SCORE)
    return LidiaReading(turn=turn, lines=(_nothing(turn),))


def _reading(
    turn: int, notes: Notes, result: LidiaResult | None, evidence: Evidence
) -> LidiaReading:
    return LidiaReading(turn=turn, lines=tuple(notes.lines), result=result, evidence=evidence)


def _by_cards(
    course: Course, turn: int, cards: Sequence[int | None], lidia: Mapping[str, Any]
) -> LidiaReading:
    notes, begun = read_cards(course, turn, cards)
    if begun is None or begun.record is None or notes.failed():
        filled = fill(begun.events, begun.starter) if begun else None
        return LidiaReading(
            turn=turn, lines=tuple(notes.lines), scoresheet=filled, evidence=Evidence.CARDS
        )
    record = begun.record
    course.open.go_on(turn, record.draws)
    beside = compare(course, turn, record, lidia.get("sheet"))
    return LidiaReading(
        turn=turn,
        lines=(*notes.lines, *beside.lines),
        result=None if beside.failed() else record.result,
        draws=record.draws,
        scoresheet=fill(record.events, record.result.starter),
        evidence=Evidence.CARDS,
    )


def _nothing(turn: int) -> Line:
    return Line(
        path=f"lidias/{turn}",
        figure=_("lidia"),
        state=State.MISSING,
        sentence=_("Nothing has been entered for this lidia yet."),
        ruling="I-18",
    )


def _after_the_end(course: Course, sheet: Any, turn: int) -> list[Line]:
    """Lidias that are written down though nobody was able to fight them."""
    written = [later for later in range(turn, BULLS) if lidia_of(sheet, later)]
    sentence = _(
        "No matador was able to continue, so the corrida was broken off after the previous bull."
    )
    return [
        Line(
            path=f"lidias/{later}",
            figure=_("lidia"),
            claimed=str(later + 1),
            state=State.CONTRADICTED,
            sentence=sentence,
            ruling="I-16",
        )
        for later in written
    ]


def _too_many(sheet: Any) -> list[Line]:
    count = len(listed(mapping(sheet).get("lidias")))
    if count <= BULLS:
        return []
    return [
        Line(
            path="lidias",
            figure=_("lidias"),
            claimed=str(count),
            derived=str(BULLS),
            state=State.CONTRADICTED,
            sentence=_("A corrida has six lidias."),
            ruling="I-14",
        )
    ]
