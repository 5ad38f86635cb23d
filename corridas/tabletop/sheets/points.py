"""Judges the points of matador and bull in each tercio.

They are compared with their entries and with the cards of the deck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from api.types import JSON
from corridas.engine import MARKS, CorridaSetup
from corridas.tabletop.sheets.bounds import (
    CARDS_A_NUMBER,
    CLAVARS,
    Bounds,
    bounds_of,
    eighth,
    hurting_tercios,
)
from corridas.tabletop.sheets.draws import NO_POINTS, Marks, Points, Sides
from corridas.tabletop.sheets.notes import Notes
from corridas.tabletop.sheets.shape import at, listed, mapping, whole

MAX_POINTS = 9999
MAX_ENTRIES = 2000


class TercioPoints(NamedTuple):
    """The points and hash marks of a lidia by tercio, as they were entered."""

    tercios: tuple[Sides, Sides, Sides]
    marks: Marks

    def total(self, side: int) -> int:
        return sum(pair[side].total for pair in self.tercios)


UNKNOWN: Final[Marks] = (None, None, None)

# Minimum number of hash marks of each completed tercio.
FEWEST: Final = (MARKS, CLAVARS, MARKS)

TERCIOS: Final = (
    gettext_noop("first tercio"),
    gettext_noop("second tercio"),
    gettext_noop("third tercio"),
)
SIDES: Final = (gettext_noop("%(tercio)s, matador"), gettext_noop("%(tercio)s, bull"))


def tercio_name(tercio: int) -> str:
    return _(TERCIOS[tercio - 1])


def side_name(tercio: int, side: int) -> str:
    """Return the displayed name of a side's points in a tercio.

    The side is 0 for the matador and 1 for the bull.
    """
    return _(SIDES[side]) % {"tercio": tercio_name(tercio)}


def read_points(
    setup: CorridaSetup, raw: Mapping[str, JSON], notes: Notes, *, broken: bool
) -> TercioPoints | None:
    """Return the points by tercio, or None if they are missing or impossible."""
    marks = _marks(raw.get("marks"), notes, broken=broken)
    before = len(notes.lines)
    found = [NO_POINTS] * len(TERCIOS)
    last = _last_tercio(setup, marks, notes) if broken else len(TERCIOS)
    for tercio in (1, 2, 3):
        bounds = bounds_of(setup.rules, setup.deck, tercio, marks[tercio - 1])
        sides = _tercio(bounds, tercio, raw, notes)
        if tercio > last and any(points.total or points.entries for points in sides):
            sentence = _("The lidia must have been broken off before this tercio began.")
            totalled = [points.total for points in sides]
            notes.refuse(f"tercios/{tercio - 1}", tercio_name(tercio), totalled, sentence, "I-16")
        if len(sides) == len(SIDES):
            found[tercio - 1] = (sides[0], sides[1])
    if any(line.refuses for line in notes.lines[before:]):
        return None
    return TercioPoints((found[0], found[1], found[2]), marks)


def _last_tercio(setup: CorridaSetup, marks: Marks, notes: Notes) -> int:
    """Return the last tercio (act 1-3) during which a fight can have been broken off.

    See Ruling I-16.
    """
    hurting = hurting_tercios(setup.rules, setup.deck)
    latest = max(hurting, default=0)
    fought = [tercio for tercio, count in enumerate(marks, start=1) if count]
    if not fought:
        return latest
    last, count = fought[-1], marks[fought[-1] - 1]
    # The card that ended the lidia also counts as a hash mark (Ruling I-4).
    if last not in hurting:
        sentence = _("In this tercio, no card in this deck can injure a matador.")
        notes.refuse(f"marks/{last - 1}", _marks_name(last), count, sentence, "I-16")
    return latest


def _marks(value: JSON, notes: Notes, *, broken: bool) -> Marks:
    """Read the hash marks by tercio.

    The usual numbers need not be entered (Rulings I-4 and I-8).
    """
    if value is None:
        return UNKNOWN
    if broken:
        return _marks_until_the_end(value, notes)
    for tercio in (1, 3):
        notes.add_derived(
            f"marks/{tercio - 1}", _marks_name(tercio), at(value, tercio - 1), MARKS, "I-4"
        )
    second = whole(at(value, 1), CLAVARS, MAX_POINTS)
    if second is None:
        sentence = _("The second tercio ends with the second CLAVAR, so it has at least two marks.")
        notes.refuse("marks/1", _marks_name(2), at(value, 1), sentence, "I-8")
    else:
        notes.trust("marks/1", _marks_name(2), second, "I-8")
    return None, second, None


def _marks_until_the_end(value: JSON, notes: Notes) -> Marks:
    """Read the hash marks of a lidia that was broken off.

    Earlier tercios are complete, one may be partial, and later ones have no marks (Rulings I-4,
    I-8, I-16).
    """
    most = (MARKS, MAX_POINTS, MARKS)
    counts = [whole(at(value, tercio), 0, most[tercio]) for tercio in range(len(TERCIOS))]
    for tercio, count in enumerate(counts):
        path, figure = f"marks/{tercio}", _marks_name(tercio + 1)
        later = any(counts[tercio + 1 :])
        if count is None or (later and count < FEWEST[tercio]):
            sentence = _(
                "Tercios before the current one must have all their marks, and later tercios "
                "must have none."
            )
            notes.refuse(path, figure, at(value, tercio), sentence, "I-4")
        else:
            notes.trust(path, figure, count, "I-4")
    return counts[0], counts[1], counts[2]


def _marks_name(tercio: int) -> str:
    return _("%(tercio)s, marks") % {"tercio": tercio_name(tercio)}


def _tercio(bounds: Bounds, tercio: int, raw: Mapping[str, JSON], notes: Notes) -> list[Points]:
    entry = at(raw.get("tercios"), tercio - 1)
    read = [_side(at(entry, side), tercio, side, notes) for side in (0, 1)]
    sides = [points for points in read if points is not None]
    if len(sides) == len(read):
        _check_tercio(bounds, tercio, sides, notes)
    return sides


def _side(value: JSON, tercio: int, side: int, notes: Notes) -> Points | None:
    path, figure = f"tercios/{tercio - 1}/{side}", side_name(tercio, side)
    if value is None:
        notes.miss(path, figure, _("Enter the points, or 0."), "I-18")
        return None
    total = whole(value, -MAX_POINTS, MAX_POINTS)
    if total is not None:
        return Points(total, None)
    noted = mapping(value).get("entries") if isinstance(value, Mapping) else value
    entries = _entries(noted, path, figure, notes)
    if entries is None:
        return None
    claimed = mapping(value).get("sum")
    if claimed is not None and not notes.add_derived(path, figure, claimed, sum(entries), "I-5"):
        return None
    return Points(sum(entries), entries)


def _entries(value: JSON, path: str, figure: str, notes: Notes) -> tuple[int, ...] | None:
    """Read entries from -9 to 9, each of which is the number of one card.

    Return None if they are invalid.
    """
    entries = tuple(whole(entry, -9, 9) for entry in listed(value)[:MAX_ENTRIES])
    right = tuple(entry for entry in entries if entry is not None)
    if isinstance(value, (list, tuple)) and len(right) == len(entries):
        return right
    sentence = _("Enter the total as a whole number of points, or each score from -9 to 9.")
    notes.refuse(path, figure, value, sentence, "I-5")
    return None


def _check_tercio(bounds: Bounds, tercio: int, sides: Sequence[Points], notes: Notes) -> None:
    right = True
    for side, points in enumerate(sides):
        right = _check_side(bounds, tercio, side, points, notes) and right
    path, figure = f"tercios/{tercio - 1}", tercio_name(tercio)
    entries = [entry for points in sides for entry in points.entries or ()]
    number = eighth(entries, bounds.copies)
    if number is not None:
        sentence = _(
            "The number %(number)s is on %(cards)s cards, but it scores more often than that here."
        ) % {"number": number, "cards": CARDS_A_NUMBER}
        notes.refuse(path, figure, entries, sentence, "I-1")
        return
    totals = [points.total for points in sides]
    if right and (len(entries) > bounds.marks or not bounds.together(totals[0], totals[1])):
        sentence = _("The marks in one tercio can’t give this many points.")
        notes.refuse(path, figure, totals, sentence, "I-4")


def _check_side(bounds: Bounds, tercio: int, side: int, points: Points, notes: Notes) -> bool:
    path, figure = f"tercios/{tercio - 1}/{side}", side_name(tercio, side)
    most, least = bounds.most(side, 1), -bounds.most(side, -1)
    if not least <= points.total <= most:
        sentence = _(
            "With the cards in this deck, the value can be from %(least)s to %(most)s."
        ) % {
            "least": least,
            "most": most,
        }
        notes.refuse(path, figure, points.total, sentence, "I-4")
        return False
    if points.entries is not None and not _entries_fit(bounds, side, points.entries):
        sentence = _("The scoring cards in this deck can’t give this many scores.")
        notes.refuse(path, figure, points.entries, sentence, "I-5")
        return False
    notes.trust(path, figure, points.total, "I-5")
    return True


def _entries_fit(bounds: Bounds, side: int, entries: Sequence[int]) -> bool:
    scoring = bounds.scoring[side]
    gains = sum(entry > 0 for entry in entries)
    losses = sum(entry < 0 for entry in entries)
    within = gains <= scoring[1] and losses <= scoring[-1]
    return within and len(entries) <= scoring[1] + scoring[-1]
