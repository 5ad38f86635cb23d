"""Judges a lidia of which only the result was entered, which is the weakest evidence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product

from django.utils.translation import gettext as _

from api.types import JSON
from corridas.engine import (
    AVISO_POINTS,
    AVISOS_TO_STOP,
    STROKES,
    Ending,
    LidiaResult,
    MatadorCard,
    divide,
    final_score,
    modify,
)
from corridas.tabletop.sheets.bounds import HUNDRED, kill_sums, totals_of
from corridas.tabletop.sheets.draws import UNKNOWN_POINTS, Written
from corridas.tabletop.sheets.figures import figure_name
from corridas.tabletop.sheets.lines import CorridaCourse
from corridas.tabletop.sheets.notes import Notes
from corridas.tabletop.sheets.outcome import LidiaFigures, Sums, result_of, settle_outcome
from corridas.tabletop.sheets.people import People, read_people
from corridas.tabletop.sheets.plausible import ANY_NUMBER, check_draws
from corridas.tabletop.sheets.shape import at, mapping, whole

MAX_POINTS = 99_999
ENDINGS = {ending.value: ending for ending in Ending}


def read_score(course: CorridaCourse, turn: int, value: JSON) -> tuple[Notes, LidiaResult | None]:
    """Judge the result of a lidia. It is accepted unless something contradicts it.

    Return the notes, and the result or None.
    """
    notes, raw = Notes(turn, "score"), mapping(value)
    people = read_people(course, turn, raw, notes)
    if people is None:
        return notes, None
    ending = _ending(course, people, raw, notes)
    avisos = _avisos(ending, raw.get("avisos"), notes)
    modified = _modified(ending, raw.get("modified"), notes)
    totals = [_total(course, side, raw, notes) for side in (0, 1)]
    kill = _points("kill", raw.get("kill"), -MAX_POINTS, 0, notes)
    if notes.failed() or ending is None:
        return notes, None
    if people.finisher is not None:
        card = course.setup.order[people.finisher]
        _check_ending(course, card, ending, totals[1], notes)
        kills = _check_kill(course, card, ending, avisos, kill, notes)
        _check_number(course, modified, avisos, totals, kills, notes)
    elif kill:
        _refuse_kill(kill, notes)
    if notes.failed():
        return notes, None
    if not check_draws(course, turn, _written(course, people, ending, avisos), notes):
        return notes, None
    matador, bull = (total or 0 for total in totals)
    spared = ending is Ending.SPARED
    figures = LidiaFigures(people, matador, bull, kill or 0, avisos, spared, None)
    sums = Sums(None, None, modified)
    result = result_of(course.setup, figures, sums)
    known = {
        path: claimed for path, claimed in raw.items() if path in ("trophy", "vuelta", "crowd")
    }
    settle_outcome(known, sums, result, notes)
    return notes, None if notes.failed() else result


def _written(course: CorridaCourse, people: People, ending: Ending | None, avisos: int) -> Written:
    """Return what the result says about the cards drawn: injuries, avisos, and other draws."""
    aviso = None if people.finisher is None else course.setup.order[people.finisher].aviso
    strokes = {Ending.KILLED: STROKES, Ending.THREE_AVISOS: AVISOS_TO_STOP}
    numbered = ending in (Ending.KILLED, Ending.SPARED)
    return Written(
        tercios=(UNKNOWN_POINTS, UNKNOWN_POINTS, UNKNOWN_POINTS),
        injuries=len(people.injured),
        broken=people.finisher is None,
        kill=(None,) * (strokes.get(ending, 0) if ending else 0),
        avisos=avisos,
        aviso=aviso,
        indulto=ANY_NUMBER if ending is Ending.SPARED else None,
        number=ANY_NUMBER if numbered else None,
    )


def _ending(
    course: CorridaCourse, people: People, raw: Mapping[str, JSON], notes: Notes
) -> Ending | None:
    figure, claimed = _("how it ended"), raw.get("ending")
    ending = ENDINGS.get(claimed) if isinstance(claimed, str) else None
    if claimed is None:
        notes.miss("ending", figure, _("Choose how the lidia ended."), "I-10")
        return None
    broken = people.finisher is None
    unspared = people.finisher is not None and not course.setup.order[people.finisher].indulto.size
    if ending is None or broken != (ending is Ending.BROKEN_OFF):
        sentence = _("This lidia can’t have ended this way.")
        notes.refuse("ending", figure, claimed, sentence, "I-16")
        return None
    if ending is Ending.SPARED and unspared:
        sentence = _("This matador’s card can’t spare a bull because its INDULTO range is empty.")
        notes.refuse("ending", figure, claimed, sentence, "I-9")
        return None
    notes.trust("ending", figure, claimed, "I-10")
    return ending


def _avisos(ending: Ending | None, claimed: JSON, notes: Notes) -> int:
    """Return the number of avisos (warnings).

    There are three if they ended the lidia, and none if the bull was not killed.
    """
    figure = figure_name("avisos")
    if ending is not Ending.KILLED:
        due = AVISOS_TO_STOP if ending is Ending.THREE_AVISOS else 0
        if ending is not None:
            notes.add_derived("avisos", figure, claimed, due, "I-10")
        return due
    avisos = whole(claimed, 0, AVISOS_TO_STOP - 1)
    if claimed is None:
        notes.miss("avisos", figure, _("Enter the number of avisos, or 0."), "I-18")
    elif avisos is None:
        sentence = _("For a bull that was killed, enter 0, 1 or 2 avisos.")
        notes.refuse("avisos", figure, claimed, sentence, "I-10")
    else:
        notes.trust("avisos", figure, avisos, "I-10")
    return avisos or 0


def _modified(ending: Ending | None, claimed: JSON, notes: Notes) -> int | None:
    figure = _("number on the card")
    if ending not in (Ending.KILLED, Ending.SPARED):
        if claimed is not None and ending is not None:
            sentence = _("A lidia that ended this way has no final number.")
            notes.refuse("modified", figure, claimed, sentence, "I-10")
        return None
    number = whole(claimed, 1, HUNDRED)
    if claimed is None:
        sentence = _("Enter the number that was read on the matador’s card.")
        notes.miss("modified", figure, sentence, "I-13")
    elif number is None:
        sentence = _("Enter the number read on the card, from 1 to 100.")
        notes.refuse("modified", figure, claimed, sentence, "I-13")
    else:
        notes.trust("modified", figure, number, "I-13")
    return number


def _points(path: str, claimed: JSON, least: int, most: int, notes: Notes) -> int | None:
    points = whole(claimed, least, most)
    if claimed is not None and points is None:
        sentence = _("Enter a whole number of points, or leave the field empty.")
        notes.refuse(path, _("points"), claimed, sentence, "I-5")
    return points


def _total(course: CorridaCourse, side: int, raw: Mapping[str, JSON], notes: Notes) -> int | None:
    """Read the total points of a side, which must be possible with the deck.

    The side is 0 for the matador and 1 for the bull. See Rulings I-4 and I-5.
    """
    path = f"totals/{side}"
    total = _points(path, at(raw.get("totals"), side), -MAX_POINTS, MAX_POINTS, notes)
    least, most = totals_of(course.setup.rules, course.setup.deck, side)
    if total is not None and not least <= total <= most:
        sentence = _(
            "With the cards in this deck, the value can be from %(least)s to %(most)s."
        ) % {
            "least": least,
            "most": most,
        }
        notes.refuse(path, _("points"), total, sentence, "I-4")
    return total


def _check_ending(
    course: CorridaCourse, card: MatadorCard, ending: Ending, bull: int | None, notes: Notes
) -> None:
    """Check that an indulto fits the bull's points and the matador's INDULTO range.

    See Ruling I-9.
    """
    figure = _("how it ended")
    if ending is Ending.SPARED:
        most = totals_of(course.setup.rules, course.setup.deck, 1)[1] if bull is None else bull
        if most <= 0:
            sentence = _(
                "The bull’s score is %(points)s, but a bull can only be spared if its score is "
                "above 0."
            ) % {"points": most}
            notes.refuse("ending", figure, ending.value, sentence, "I-9")
    elif bull is not None and bull > 0 and card.indulto.size == HUNDRED:
        sentence = _(
            "The bull has more than 0 points, and on the card of %(name)s every number spares it."
        )
        notes.refuse(
            "ending", figure, ending.value, sentence % {"name": course.name_of(card)}, "I-9"
        )


def _check_kill(
    course: CorridaCourse,
    card: MatadorCard,
    ending: Ending,
    avisos: int,
    kill: int | None,
    notes: Notes,
) -> Collection[int]:
    """Return the possible sums of the kill, for this number of avisos and the sum entered.

    See Ruling I-10.
    """
    if ending is Ending.SPARED:
        if kill:
            _refuse_kill(kill, notes)
        return (0,)
    sums = kill_sums(course.setup.deck, card.aviso, avisos)
    if not sums:
        sentence = _("The AVISO range of %(name)s, %(range)s, can’t give this many avisos.") % {
            "name": course.name_of(card),
            "range": card.aviso,
        }
        notes.refuse("avisos", figure_name("avisos"), avisos, sentence, "I-10")
    elif kill is not None and kill not in sums:
        sentence = _(
            "With this many avisos, the kill cards in this deck can’t add up to this value."
        )
        notes.refuse("kill", figure_name("kill"), kill, sentence, "I-10")
    return sums if kill is None else (kill,)


def _refuse_kill(kill: int, notes: Notes) -> None:
    sentence = _("There was no kill, so there can be no points for the kill.")
    notes.refuse("kill", figure_name("kill"), kill, sentence, "I-9")


def _check_number(
    course: CorridaCourse,
    modified: int | None,
    avisos: int,
    totals: Sequence[int | None],
    kills: Collection[int],
    notes: Notes,
) -> None:
    """Check that the number read on the card fits the points (Rulings I-11 to I-13)."""
    if modified is None or not kills:
        return
    setup = course.setup
    spans = [
        totals_of(setup.rules, setup.deck, side) if total is None else (total, total)
        for side, total in enumerate(totals)
    ]
    scores = [
        divide(final_score(matador, bull, taken, setup.rules.bull_points), setup.plaza_rating)
        for matador, bull in product(*spans)
        for taken in (kill + AVISO_POINTS * avisos for kill in (min(kills), max(kills)))
    ]
    least, most = modify(1, min(scores)), modify(HUNDRED, max(scores))
    if not least <= modified <= most:
        sentence = _("With these points, the number must be from %(least)s to %(most)s.") % {
            "least": least,
            "most": most,
        }
        notes.refuse("modified", _("number on the card"), modified, sentence, "I-13")
