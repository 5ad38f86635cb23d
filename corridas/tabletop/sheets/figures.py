"""Judges a lidia by its scoresheet: every figure that follows from others is recalculated.

See Ruling I-18.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from api.types import JSON
from corridas.engine import AVISO_POINTS, AVISOS_TO_STOP, STROKES, LidiaResult, MatadorCard
from corridas.tabletop.sheets.bounds import HUNDRED, strokes_of
from corridas.tabletop.sheets.draws import Written
from corridas.tabletop.sheets.lines import CorridaCourse
from corridas.tabletop.sheets.notes import Notes
from corridas.tabletop.sheets.outcome import LidiaFigures, result_of, settle_outcome, sums_of
from corridas.tabletop.sheets.people import People, read_people
from corridas.tabletop.sheets.plausible import check_draws
from corridas.tabletop.sheets.points import TercioPoints, read_points
from corridas.tabletop.sheets.shape import listed, mapping, whole

LEAST_MODIFIER = -999


def read_sheet(course: CorridaCourse, turn: int, value: JSON) -> tuple[Notes, LidiaResult | None]:
    """Judge the scoresheet of a lidia.

    Return the notes, and the result, or None if the sheet is impossible or incomplete.
    """
    notes, raw = Notes(turn, "sheet"), mapping(value)
    people = read_people(course, turn, raw, notes)
    broken = people is not None and people.finisher is None
    points = read_points(course.setup, raw, notes, broken=broken)
    if people is None or points is None:
        return notes, None
    figures = _figures(course, people, (points.total(0), points.total(1)), raw, notes)
    if figures is None or notes.failed():
        return notes, None
    if not check_draws(course, turn, _written(course, points, figures, raw), notes):
        return notes, None
    sums = sums_of(course.setup, figures)
    result = result_of(course.setup, figures, sums)
    settle_outcome(raw, sums, result, notes)
    return notes, None if notes.failed() else result


def _written(
    course: CorridaCourse, points: TercioPoints, figures: LidiaFigures, raw: Mapping[str, JSON]
) -> Written:
    """Return the figures of a scoresheet that say which cards were drawn."""
    people = figures.people
    aviso = None if people.finisher is None else course.setup.order[people.finisher].aviso
    fought = people.finisher is not None and figures.bull > 0
    return Written(
        tercios=points.tercios,
        marks=points.marks,
        injuries=len(people.injured),
        broken=people.finisher is None,
        kill=tuple(listed(raw.get("kill"))),
        avisos=figures.avisos,
        aviso=aviso,
        indulto=(raw["indulto"] or HUNDRED) if fought else None,
        number=figures.drawn,
    )


def _figures(
    course: CorridaCourse,
    people: People,
    totals: tuple[int, int],
    raw: Mapping[str, JSON],
    notes: Notes,
) -> LidiaFigures | None:
    matador, bull = totals
    if people.finisher is None:
        sentence = _(
            "No matador was able to continue, so the lidia was broken off during a tercio."
        )
        _nothing_more(raw, notes, ("indulto", "kill", "avisos", "number"), sentence)
        return LidiaFigures(people, matador, bull, 0, 0, False, None)
    card = course.setup.order[people.finisher]
    spared = _indulto(bull, card, raw.get("indulto"), notes)
    kill, avisos = 0, 0
    if spared:
        _nothing_more(
            raw, notes, ("kill", "avisos"), _("A bull that is spared is not killed."), "I-9"
        )
    else:
        tally = _kill(course, card, raw, notes)
        if tally is None:
            return None
        kill, avisos = tally
    if avisos == AVISOS_TO_STOP:
        sentence = _("The third aviso ends the lidia, so there is no final number.")
        _nothing_more(raw, notes, ("number",), sentence, "I-10")
        return LidiaFigures(people, matador, bull, kill, avisos, False, None)
    drawn = _number(raw.get("number"), "number", _("final number"), "I-13", notes)
    if drawn is None:
        return None
    return LidiaFigures(people, matador, bull, kill, avisos, spared, drawn)


FIGURES: Final = {
    "indulto": gettext_noop("number for the indulto"),
    "kill": gettext_noop("kill"),
    "avisos": gettext_noop("avisos"),
    "number": gettext_noop("final number"),
}


def figure_name(path: str) -> str:
    return _(FIGURES[path])


def _nothing_more(
    raw: Mapping[str, JSON],
    notes: Notes,
    paths: Sequence[str],
    sentence: str,
    ruling: str = "I-16",
) -> None:
    for path in paths:
        claimed = raw.get(path)
        nothing = claimed is None or (isinstance(claimed, (list, tuple)) and not claimed)
        if not (nothing or (path == "avisos" and whole(claimed, 0, 0) == 0)):
            notes.refuse(path, figure_name(path), claimed, sentence, ruling)


def _indulto(bull: int, card: MatadorCard, claimed: JSON, notes: Notes) -> bool:
    """Return whether the bull was spared, calculated from its points and the number drawn (Ruling
    I-9).
    """
    figure = figure_name("indulto")
    if bull <= 0:
        if claimed is not None:
            sentence = _(
                "The bull’s score is %(points)s, but a bull can only be spared if its score is "
                "above 0."
            ) % {"points": bull}
            notes.refuse("indulto", figure, claimed, sentence, "I-9")
        return False
    number = _number(claimed, "indulto", figure, "I-9", notes)
    return number is not None and number in card.indulto


def _number(claimed: JSON, path: str, figure: str, ruling: str, notes: Notes) -> int | None:
    """Read a number made of two cards, from 1 to 100.

    0 is accepted for 00, which counts as 100 (Ruling I-2). Return None if it is missing or invalid.
    """
    if claimed is None:
        notes.miss(path, figure, _("Enter the number that was drawn."), ruling)
        return None
    number = whole(claimed, 0, HUNDRED)
    if number is None:
        sentence = _("Two cards give a number from 1 to 100.")
        notes.refuse(path, figure, claimed, sentence, "I-2")
        return None
    notes.trust(path, figure, claimed, ruling)
    return number or HUNDRED


def _kill(
    course: CorridaCourse, card: MatadorCard, raw: Mapping[str, JSON], notes: Notes
) -> tuple[int, int] | None:
    """Return the sum of the kill modifiers and the number of avisos (warnings).

    See Ruling I-10. Return None if the figures are invalid.
    """
    avisos = _avisos(raw.get("avisos"), notes)
    modifiers = _modifiers(course, raw.get("kill"), avisos, notes)
    if avisos is None or modifiers is None:
        return None
    if not _warned(course, card, modifiers, avisos, notes):
        return None
    taken = AVISO_POINTS * min(avisos, AVISOS_TO_STOP - 1)
    path, figure = "avisos_points", _("points for the avisos")
    notes.add_derived(path, figure, raw.get(path), taken, "I-10")
    return sum(modifiers), avisos


def _avisos(claimed: JSON, notes: Notes) -> int | None:
    avisos = whole(claimed, 0, AVISOS_TO_STOP)
    if claimed is None:
        notes.miss("avisos", figure_name("avisos"), _("Enter the number of avisos, or 0."), "I-18")
    elif avisos is None:
        sentence = _("Enter a number of avisos from 0 to 3.")
        notes.refuse("avisos", figure_name("avisos"), claimed, sentence, "I-10")
    return avisos


def _modifiers(
    course: CorridaCourse, claimed: JSON, avisos: int | None, notes: Notes
) -> list[int] | None:
    """Read the modifiers of the kill cards.

    There are five, or at least three if a third aviso (warning) ended the kill. Return None if they
    are invalid.
    """
    figure, before = figure_name("kill"), len(notes.lines)
    if claimed is None or (isinstance(claimed, (list, tuple)) and not claimed):
        sentence = _("Enter all five kill modifiers, including zeros.")
        notes.miss("kill", figure, sentence, "I-10")
        return None
    given = listed(claimed)
    least = AVISOS_TO_STOP if avisos == AVISOS_TO_STOP else STROKES
    if not least <= len(given) <= STROKES:
        sentence = _("The kill takes five cards; only a third aviso ends it earlier.")
        notes.refuse("kill", figure, claimed, sentence, "I-10", STROKES)
        return None
    modifiers: list[int] = []
    for stroke, value in enumerate(given):
        modifier = _modifier(course, stroke, value, modifiers, notes)
        if modifier is not None:
            modifiers.append(modifier)
    return None if any(line.refuses for line in notes.lines[before:]) else modifiers


def _modifier(
    course: CorridaCourse, stroke: int, value: JSON, before: Sequence[int], notes: Notes
) -> int | None:
    """Read the modifier of one kill card.

    It is rejected if the deck has no such card, or if it comes more often than two decks allow.
    """
    path = f"kill/{stroke}"
    figure = _("kill card %(stroke)s") % {"stroke": stroke + 1}
    modifier = whole(value, LEAST_MODIFIER, 0)
    kills = Counter(course.setup.deck.kills)
    if modifier is None or not kills[modifier]:
        sentence = _("No card in this deck has this kill modifier.")
        notes.refuse(path, figure, value, sentence, "I-1")
        return None
    if before.count(modifier) >= 2 * kills[modifier]:
        sentence = _("This deck does not have so many cards with this modifier.")
        notes.refuse(path, figure, value, sentence, "I-1")
        return None
    notes.trust(path, figure, modifier, "I-10")
    return modifier


def _warned(
    course: CorridaCourse, card: MatadorCard, modifiers: Sequence[int], avisos: int, notes: Notes
) -> bool:
    strokes = strokes_of(course.setup.deck, modifiers, card.aviso)
    stopped = avisos == AVISOS_TO_STOP
    counted = strokes[:-1] if stopped else strokes
    wanted = avisos - stopped
    most = sum(stroke.can_warn for stroke in counted)
    least = sum(not stroke.can_be_silent for stroke in counted)
    last = not stopped or strokes[-1].can_warn
    figure = figure_name("avisos")
    if last and least <= wanted <= most:
        notes.trust("avisos", figure, avisos, "I-10")
        return True
    sentence = _(
        "With these kill cards, the AVISO range of %(name)s, %(range)s, can’t have come up "
        "this many times."
    ) % {"name": course.name_of(card), "range": card.aviso}
    notes.refuse("avisos", figure, avisos, sentence, "I-10")
    return False
