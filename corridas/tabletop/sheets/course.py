"""Judges the six lidias in order. Each depends on injuries and cards of the earlier ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from api.types import JSON
from corridas.engine import BULLS, Deck, LidiaResult, Rules, fill
from corridas.tabletop.sheets.cards import compare, read_cards
from corridas.tabletop.sheets.figures import read_sheet
from corridas.tabletop.sheets.frame import read_frame
from corridas.tabletop.sheets.lines import (
    CorridaCourse,
    Evidence,
    LidiaReading,
    ScoresheetLine,
    SheetReading,
    State,
)
from corridas.tabletop.sheets.notes import Notes
from corridas.tabletop.sheets.score import read_score
from corridas.tabletop.sheets.shape import cards_of, lidia_of, listed, mapping


def course_before(rules: Rules, deck: Deck, sheet: JSON, turn: int) -> CorridaCourse | None:
    """Return the state of a corrida before one of its lidias.

    Return None if the plaza or the cartel is invalid.
    """
    frame = read_frame(rules, deck, sheet)
    if frame.setup is None:
        return None
    course = CorridaCourse(frame.setup)
    for earlier in range(turn):
        if not course.open.able:
            break
        course.close(read_lidia(course, earlier, lidia_of(sheet, earlier)))
    return course


def judge(rules: Rules, deck: Deck, sheet: JSON) -> SheetReading:
    """Return the referee's judgement of a sheet, line by line (Ruling I-18).

    Invalid content never raises an exception.
    """
    frame = read_frame(rules, deck, sheet)
    if frame.setup is None:
        return SheetReading(setup=None, bulls=frame.bulls, leads=frame.leads, lines=frame.lines)
    course = CorridaCourse(frame.setup)
    lidias, lines = [], list(frame.lines)
    for turn in range(BULLS):
        if not course.open.able:
            lines += _after_the_end(sheet, turn)
            break
        reading = read_lidia(course, turn, lidia_of(sheet, turn))
        course.close(reading)
        lidias.append(reading)
    lines += _too_many(sheet)
    return SheetReading(
        setup=frame.setup,
        bulls=frame.bulls,
        leads=frame.leads,
        lines=tuple(lines),
        lidias=tuple(lidias),
        suspended=course.suspended_in is not None,
    )


def read_lidia(course: CorridaCourse, turn: int, lidia: Mapping[str, JSON]) -> LidiaReading:
    """Judge one lidia by its cards, otherwise by its scoresheet, otherwise by its result."""
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
    course: CorridaCourse, turn: int, cards: Sequence[int | None], lidia: Mapping[str, JSON]
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


def _nothing(turn: int) -> ScoresheetLine:
    return ScoresheetLine(
        path=f"lidias/{turn}",
        figure=_("lidia"),
        state=State.MISSING,
        sentence=_("Nothing has been entered for this lidia yet."),
        ruling="I-18",
    )


def _after_the_end(sheet: JSON, turn: int) -> list[ScoresheetLine]:
    written = [later for later in range(turn, BULLS) if lidia_of(sheet, later)]
    sentence = _(
        "No matador was able to continue, so the corrida was broken off after the previous bull."
    )
    return [
        ScoresheetLine(
            path=f"lidias/{later}",
            figure=_("lidia"),
            claimed=str(later + 1),
            state=State.CONTRADICTED,
            sentence=sentence,
            ruling="I-16",
        )
        for later in written
    ]


def _too_many(sheet: JSON) -> list[ScoresheetLine]:
    count = len(listed(mapping(sheet).get("lidias")))
    if count <= BULLS:
        return []
    return [
        ScoresheetLine(
            path="lidias",
            figure=_("lidias"),
            claimed=str(count),
            derived=str(BULLS),
            state=State.CONTRADICTED,
            sentence=_("A corrida has six lidias."),
            ruling="I-14",
        )
    ]
