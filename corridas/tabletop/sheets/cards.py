"""Judges a lidia (fight) by the cards that its players entered: the cards are replayed (Ruling
I-18).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from api.types import JSON
from corridas.engine import AVISO_POINTS, AVISOS_TO_STOP, Begun, LidiaRecord, LidiaResult, fill
from corridas.tabletop.sheets.figures import figure_name
from corridas.tabletop.sheets.lines import CorridaCourse
from corridas.tabletop.sheets.notes import Notes, same
from corridas.tabletop.sheets.outcome import Sums, settle_outcome
from corridas.tabletop.sheets.points import side_name, tercio_name
from corridas.tabletop.sheets.shape import at, listed, mapping, whole

NO_CARD = 255


def read_cards(
    course: CorridaCourse, turn: int, cards: Sequence[int | None]
) -> tuple[Notes, Begun | None]:
    notes = Notes(turn, "cards")
    if not course.deck_known:
        sentence = _(
            "This corrida uses one deck throughout, so cards can only be checked if the "
            "cards of every earlier bull have been entered."
        )
        notes.refuse("", _("cards"), len(cards), sentence, "I-18")
        return notes, None
    begun = course.open.look(turn, [NO_CARD if card is None else card for card in cards])
    if begun.refused is not None:
        _refuse_card(course, cards, begun.refused, notes)
    elif begun.record is None:
        sentence = ngettext(
            "The lidia is not over after %(count)s card.",
            "The lidia is not over after %(count)s cards.",
            len(cards),
        ) % {"count": len(cards)}
        notes.miss("", _("cards"), sentence, "I-18")
    else:
        _check_end(len(begun.record.draws), len(cards), notes)
    return notes, begun


def _refuse_card(
    course: CorridaCourse, cards: Sequence[int | None], position: int, notes: Notes
) -> None:
    card, numbers = cards[position], course.setup.deck.numbers
    figure = _("card %(count)s") % {"count": position + 1}
    if card is None:
        sentence = _("Cards are numbered from 0 to 69.")
        notes.refuse(f"{position}", figure, None, sentence, "I-1")
        return
    number = numbers[card]
    words = {"card": card, "number": number}
    out = {
        printed
        for printed in cards[:position]
        if printed is not None and numbers[printed] == number
    }
    if len(out) == sum(printed == number for printed in numbers):
        sentence = _(
            "This would be the eighth card with number %(number)s since the deck was last "
            "shuffled, but each number is on only seven cards."
        )
    else:
        sentence = _(
            "Card %(card)s, with number %(number)s, has already been drawn since the last shuffle."
        )
    notes.refuse(f"{position}", figure, card, sentence % words, "I-3")


def _check_end(used: int, given: int, notes: Notes) -> None:
    if given > used:
        sentence = ngettext(
            "The lidia ended with card %(used)s, but %(more)s more card has been entered.",
            "The lidia ended with card %(used)s, but %(more)s more cards have been entered.",
            given - used,
        ) % {"used": used, "more": given - used}
        notes.refuse(str(used), _("cards"), given, sentence, "I-18", used)
        return
    sentence = _("Each card is consistent with the previous card, so the lidia has been verified.")
    notes.add_derived("", _("cards"), given, used, "I-18", why=sentence)


def compare(course: CorridaCourse, turn: int, record: LidiaRecord, value: JSON) -> Notes:
    """Compare the scoresheet of a lidia with the replay of its cards.

    If there is no scoresheet, the notes contain the figures that follow from the cards.
    """
    raw = mapping(value)
    notes = Notes(turn, "sheet")
    _people(course, record.result, raw, notes)
    _tercios(record, raw, notes)
    _rest(record, raw, notes)
    settled = fill(record.events, record.result.starter).settled
    final = settled.final if settled else None
    sums = Sums(final, record.result.score, record.result.number)
    settle_outcome(raw, sums, record.result, notes)
    return notes


def _people(
    course: CorridaCourse, result: LidiaResult, raw: Mapping[str, JSON], notes: Notes
) -> None:
    for path, figure, place in (
        ("began", _("began"), result.starter),
        ("finished", _("finished"), result.finisher),
    ):
        claimed = raw.get(path)
        if claimed is not None or place is not None:
            derived = None if place is None else course.names[place]
            known = whole(claimed, 0, len(course.names) - 1)
            entered = claimed if known is None else course.names[known]
            notes.add_derived(path, figure, entered, derived, "I-16")
    injured = [course.names[place] for place in result.injured]
    claimed = raw.get("injured")
    if claimed is not None or injured:
        entered = injured if same(claimed, result.injured) else claimed
        notes.add_derived("injured", _("injured"), entered, injured, "I-16")


def _tercios(record: LidiaRecord, raw: Mapping[str, JSON], notes: Notes) -> None:
    filled = fill(record.events, record.result.starter)
    for tercio, column in enumerate(filled.tercios, start=1):
        pair = at(raw.get("tercios"), tercio - 1)
        for side, entries in enumerate((column.matador, column.bull)):
            path, figure = f"tercios/{tercio - 1}/{side}", side_name(tercio, side)
            _side(path, figure, at(pair, side), entries, notes)
        marks = at(raw.get("marks"), tercio - 1)
        figure = _("%(tercio)s, marks") % {"tercio": tercio_name(tercio)}
        notes.add_derived(f"marks/{tercio - 1}", figure, marks, column.marks, "I-4")


def _side(path: str, figure: str, claimed: JSON, entries: list[int], notes: Notes) -> None:
    if isinstance(claimed, Mapping):
        _side(path, figure, claimed.get("entries"), entries, notes)
        if claimed.get("sum") is not None:
            notes.add_derived(f"{path}/sum", figure, claimed["sum"], sum(entries), "I-5")
        return
    whole_sum = not isinstance(claimed, (list, tuple))
    notes.add_derived(path, figure, claimed, sum(entries) if whole_sum else entries, "I-5")


def _rest(record: LidiaRecord, raw: Mapping[str, JSON], notes: Notes) -> None:
    filled = fill(record.events, record.result.starter)
    if listed(raw.get("kill")) or raw.get("kill") not in (None, [], ()) or filled.modifiers:
        claimed = raw.get("kill")
        notes.add_derived("kill", figure_name("kill"), claimed, filled.modifiers, "I-10")
    taken = AVISO_POINTS * min(filled.avisos, AVISOS_TO_STOP - 1)
    notes.add_derived("avisos", figure_name("avisos"), raw.get("avisos"), filled.avisos, "I-10")
    points = raw.get("avisos_points")
    notes.add_derived("avisos_points", _("points for the avisos"), points, taken, "I-10")
    indulto = filled.indulto.number if filled.indulto else None
    drawn = filled.verdict.drawn if filled.verdict else None
    for path, derived in (("indulto", indulto), ("number", drawn)):
        claimed = raw.get(path)
        hundred = derived == 100 and whole(claimed, 0, 0) == 0
        if claimed is not None or derived is not None:
            entered = derived if hundred else claimed
            notes.add_derived(path, figure_name(path), entered, derived, "I-2")
