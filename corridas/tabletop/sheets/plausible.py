"""Checks whether the deck has enough cards for all figures of a lidia together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from corridas.tabletop.sheets.bounds import CARDS_A_NUMBER
from corridas.tabletop.sheets.draws import UNKNOWN_POINTS, Written, can_be_drawn
from corridas.tabletop.sheets.lines import CorridaCourse
from corridas.tabletop.sheets.notes import Notes

# Value that stands for a two-card number that was drawn but is unknown.
ANY_NUMBER = 0


def check_draws(course: CorridaCourse, turn: int, written: Written, notes: Notes) -> bool:
    """Check that some sequence of cards can lead to the figures of a lidia.

    See Rulings I-3 to I-10. If there is none, a line refuses the first group of figures for which
    the cards are not enough: points, injuries, kill or numbers. Return whether there is one.
    """
    rules, deck, left = course.setup.rules, course.setup.deck, course.left(turn)
    if can_be_drawn(rules, deck, left, written):
        return True
    for path, figure, claimed, sentence, ruling, part in _parts(written):
        if part is written or not can_be_drawn(rules, deck, left, part):
            notes.refuse(path, figure, claimed, sentence, ruling)
            break
    return False


def _parts(written: Written) -> Iterator[tuple[str, str, Any, str, str, Written]]:
    """Yield the line about each group of figures, together with the figures of this group and
    of all groups before it.
    """
    points = replace(
        written,
        injuries=min(written.injuries, int(written.broken)),
        kill=(None,) * len(written.kill),
        indulto=None if written.indulto is None else ANY_NUMBER,
        number=None if written.number is None else ANY_NUMBER,
    )
    known = [tercio for tercio, count in enumerate(written.marks) if count is not None]
    if known:
        no_points = (UNKNOWN_POINTS, UNKNOWN_POINTS, UNKNOWN_POINTS)
        yield (
            f"marks/{known[-1]}",
            _("marks"),
            written.marks[known[-1]],
            _("The cards in this deck can’t give these marks."),
            "I-8",
            replace(points, tercios=no_points),
        )
    for tercio in range(len(written.tercios)):
        alone = [
            sides if at == tercio else UNKNOWN_POINTS for at, sides in enumerate(written.tercios)
        ]
        yield (
            f"tercios/{tercio}",
            _("points in a tercio"),
            [side.total for side in written.tercios[tercio]],
            _("The marks in one tercio can’t give this many points."),
            "I-4",
            replace(points, tercios=(alone[0], alone[1], alone[2])),
        )
    totals = [side.total for sides in written.tercios for side in sides]
    yield "tercios", _("points"), totals, _too_often(written), "I-3", points
    injured = replace(points, injuries=written.injuries)
    sentence = _("The marks and cards in this lidia can’t injure this many matadors.")
    yield "injured", _("injured"), written.injuries, sentence, "I-7", injured
    killed = replace(injured, kill=written.kill)
    sentence = _(
        "Given the other figures, the cards in this deck can’t produce these kill modifiers."
    )
    yield "kill", _("kill"), list(written.kill), sentence, "I-3", killed
    spared = replace(killed, indulto=written.indulto)
    sentence = _("Given the other figures, the cards in this deck can’t produce this number.")
    yield "indulto", _("number for the indulto"), written.indulto, sentence, "I-3", spared
    yield "number", _("final number"), written.number, sentence, "I-3", written


def _too_often(written: Written) -> str:
    entries = [
        abs(entry) for sides in written.tercios for side in sides for entry in side.entries or ()
    ]
    number, count = Counter(entries).most_common(1)[0] if entries else (0, 0)
    if count > CARDS_A_NUMBER:
        return _(
            "The number %(number)s is on %(cards)s cards, but it scores more often than that "
            "here, and the deck can’t have been shuffled in between."
        ) % {"number": number, "cards": CARDS_A_NUMBER}
    return _(
        "The cards in this deck can’t give the points entered for all three tercios, "
        "because each card is drawn only once before the deck is shuffled again."
    )
