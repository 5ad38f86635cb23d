"""A lidia of which a table kept the result alone: the weakest evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from corridas.engine import AVISOS_TO_STOP, Ending, LidiaResult
from corridas.sheets.bounds import HUNDRED
from corridas.sheets.figures import figure_name
from corridas.sheets.notes import Notes
from corridas.sheets.outcome import Figures, Sums, result_of, settle_outcome
from corridas.sheets.people import People, read_people
from corridas.sheets.shape import at, mapping, whole

if TYPE_CHECKING:
    from corridas.sheets.course import Course

MOST_POINTS = 999
ENDINGS = {ending.value: ending for ending in Ending}


def read_score(course: Course, turn: int, value: Any) -> tuple[Notes, LidiaResult | None]:
    """What the result of a lidia comes to, taken on trust where nothing contradicts it."""
    notes, raw = Notes(turn, "score"), mapping(value)
    people = read_people(course, turn, raw, notes)
    if people is None:
        return notes, None
    ending = _ending(course, people, raw, notes)
    avisos = _avisos(ending, raw.get("avisos"), notes)
    modified = _modified(ending, raw.get("modified"), notes)
    matador, bull, kill = (_points(path, raw, notes) for path in ("matador", "bull", "kill"))
    if notes.failed() or ending is None:
        return notes, None
    figures = Figures(people, matador, bull, kill, avisos, ending is Ending.SPARED, None)
    sums = Sums(None, None, modified)
    result = result_of(course.setup, figures, sums)
    known = {
        path: claimed for path, claimed in raw.items() if path in ("trophy", "vuelta", "crowd")
    }
    settle_outcome(known, sums, result, notes)
    return notes, None if notes.failed() else result


def _ending(course: Course, people: People, raw: Mapping[str, Any], notes: Notes) -> Ending | None:
    figure, claimed = _("how it ended"), raw.get("ending")
    ending = ENDINGS.get(claimed) if isinstance(claimed, str) else None
    if claimed is None:
        notes.miss("ending", figure, _("Say how the bull left the sand."), "I-10")
        return None
    broken = people.finisher is None
    unspared = people.finisher is not None and not course.setup.order[people.finisher].indulto.size
    if ending is None or broken != (ending is Ending.BROKEN_OFF):
        sentence = _("That is no way in which this lidia can have ended.")
        notes.refuse("ending", figure, claimed, sentence, "I-16")
        return None
    if ending is Ending.SPARED and unspared:
        sentence = _("The card of this matador spares no bull: its INDULTO range is empty.")
        notes.refuse("ending", figure, claimed, sentence, "I-9")
        return None
    notes.trust("ending", figure, claimed, "I-10")
    return ending


def _avisos(ending: Ending | None, claimed: Any, notes: Notes) -> int:
    """The count of warnings: three where they ended it, none where there was no kill."""
    figure = figure_name("avisos")
    if ending is not Ending.KILLED:
        due = AVISOS_TO_STOP if ending is Ending.THREE_AVISOS else 0
        if ending is not None:
            notes.settle("avisos", figure, claimed, due, "I-10")
        return due
    avisos = whole(claimed, 0, AVISOS_TO_STOP - 1)
    if claimed is None:
        notes.miss("avisos", figure, _("Write how many warnings, or 0."), "I-18")
    elif avisos is None:
        sentence = _("A bull that was killed had from 0 to 2 warnings.")
        notes.refuse("avisos", figure, claimed, sentence, "I-10")
    else:
        notes.trust("avisos", figure, avisos, "I-10")
    return avisos or 0


def _modified(ending: Ending | None, claimed: Any, notes: Notes) -> int | None:
    figure = _("number on the card")
    if ending not in (Ending.KILLED, Ending.SPARED):
        if claimed is not None and ending is not None:
            sentence = _("A lidia that ended so has no number.")
            notes.refuse("modified", figure, claimed, sentence, "I-10")
        return None
    number = whole(claimed, 1, HUNDRED)
    if claimed is None:
        sentence = _("Write the number that was read on the matador's card.")
        notes.miss("modified", figure, sentence, "I-13")
    elif number is None:
        sentence = _("The number read on the card is one from 1 to 100.")
        notes.refuse("modified", figure, claimed, sentence, "I-13")
    else:
        notes.trust("modified", figure, number, "I-13")
    return number


def _points(path: str, raw: Mapping[str, Any], notes: Notes) -> int:
    """Totals of matador, bull and kill where the table knows them; 0 where not."""
    place = {"matador": 0, "bull": 1}.get(path)
    claimed = raw.get("kill") if place is None else at(raw.get("totals"), place)
    points = whole(claimed, -MOST_POINTS, 0 if place is None else MOST_POINTS)
    if claimed is not None and points is None:
        where = "kill" if place is None else f"totals/{place}"
        sentence = _("Points are a whole number, or stay empty.")
        notes.refuse(where, _("points"), claimed, sentence, "I-5")
    return points or 0
