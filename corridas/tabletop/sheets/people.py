"""Judges which matadors began, finished and were injured in a lidia (Ruling I-16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from api.types import JSON
from corridas.engine import MATADORS
from corridas.tabletop.sheets.bounds import hurting_tercios
from corridas.tabletop.sheets.lines import CorridaCourse
from corridas.tabletop.sheets.notes import Notes
from corridas.tabletop.sheets.shape import excerpt, listed, whole


class People(NamedTuple):
    """The matadors of a lidia by place of appearance.

    `finisher` is None if the lidia was broken off.
    """

    starter: int
    injured: tuple[int, ...]
    finisher: int | None


def read_people(
    course: CorridaCourse, turn: int, raw: Mapping[str, JSON], notes: Notes
) -> People | None:
    """Read from a sheet which matadors began, finished and were injured in a fight (lidia).

    Return None for an impossible combination.
    """
    starter = course.open.starter(turn)
    if starter is None or not _began(course, starter, raw.get("began"), notes):
        return None
    injured = _injured(course, starter, raw.get("injured"), notes)
    if injured is None:
        return None
    able = [place for place in course.open.able if place not in injured]
    finisher = starter if starter in able else next(iter(able), None)
    right = _finished(course, finisher, raw, notes)
    return People(starter, injured, finisher) if right else None


def _named(course: CorridaCourse, place: JSON) -> str:
    known = whole(place, 0, MATADORS - 1)
    return excerpt(place) if known is None else course.names[known]


def _began(course: CorridaCourse, starter: int, claimed: JSON, notes: Notes) -> bool:
    figure, name = _("began"), course.names[starter]
    if claimed is None or (claimed == starter and not isinstance(claimed, bool)):
        entered = None if claimed is None else name
        return notes.add_derived("began", figure, entered, name, "I-16")
    place = whole(claimed, 0, MATADORS - 1)
    if place in course.out:
        words = {"name": course.names[place], "bull": course.out[place] + 1, "starter": name}
        sentence = _(
            "%(name)s was injured by bull %(bull)s and is out, so %(starter)s starts this lidia."
        ) % (words)
    else:
        sentence = _("The matador for this bull is %(starter)s.") % {"starter": name}
    notes.refuse("began", figure, _named(course, claimed), sentence, "I-16", name)
    return False


def _injured(
    course: CorridaCourse, starter: int, claimed: JSON, notes: Notes
) -> tuple[int, ...] | None:
    able = [place for place in course.open.able if place != starter]
    queue, injured = [starter, *able], []
    figure, setup = _("injured"), course.setup
    if claimed is not None and not isinstance(claimed, (list, tuple)):
        sentence = _("Enter the order in which the matadors were injured.")
        notes.refuse("injured", figure, claimed, sentence, "I-16")
        return None
    for order, place in enumerate(listed(claimed)):
        path = f"injured/{order}"
        if not queue or isinstance(place, bool) or place != queue[0]:
            sentence = _("Only the matador in the ring can be injured, in this case %(name)s.") % {
                "name": course.names[queue[0]] if queue else _("nobody")
            }
            notes.refuse(path, figure, _named(course, place), sentence, "I-16")
            return None
        if not hurting_tercios(setup.rules, setup.deck):
            sentence = _("Under these rules, no card in this deck can injure a matador.")
            notes.refuse(path, figure, _named(course, place), sentence, "I-7")
            return None
        injured.append(queue.pop(0))
        notes.trust(path, figure, _named(course, place), "I-7")
    return tuple(injured)


def _finished(
    course: CorridaCourse, finisher: int | None, raw: Mapping[str, JSON], notes: Notes
) -> bool:
    claimed, figure = raw.get("finished"), _("finished")
    derived = None if finisher is None else course.names[finisher]
    written = "finished" in raw and not (claimed is None and finisher is not None)
    if isinstance(claimed, bool) or claimed != finisher:
        entered = _named(course, claimed) or ("" if claimed is None else "—")
    else:
        entered = derived or ""
    why = (
        ""
        if finisher is not None
        else _("No matador was able to continue, so the lidia was broken off.")
    )
    return notes.add_derived(
        "finished", figure, entered or None, derived, "I-16", why=why, written=written
    )
