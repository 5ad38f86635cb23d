"""The moves of a hand, tapped on a train that offers only what can have been."""

from __future__ import annotations

from typing import Any, Final

from dominoes import words
from dominoes.engine import (
    Course,
    NotationError,
    Said,
    View,
    bit_set,
    bits,
    read_tile,
    walk,
    write_tile,
)
from dominoes.forms import Writing
from dominoes.stage import picture, rack
from dominoes.stage.rack import RackTile
from dominoes.views.at_match import AtMatch
from leagues.forms import parse_number

TAPPED: Final = "tile:"
LAID: Final = "move:"
"""What the buttons of the train send: a tile tapped, or a move chosen."""


def course_of(at: AtMatch, writing: Writing) -> Course | None:
    """The course of the hand so far, up to the first move that cannot be; None: nobody led."""
    leader = parse_number(writing.leader)
    if leader is None or not 0 <= leader < at.players:
        return None
    return walk(at.rules, at.players, leader, writing.moves)[0]


def moving(at: AtMatch, writing: Writing) -> dict[str, Any]:
    """What the page draws of the train, and what it offers whose turn it is."""
    course = course_of(at, writing)
    if course is None:
        return {"course": None}
    view = seen(course)
    choices = _choices(view, known_elsewhere(at, writing, course))
    return {
        "course": course,
        "scene": {"train": picture(view), "ends": words.ends_now(view.ends) if view.ends else ""},
        "turn": None if course.turn is None else at.names[course.turn],
        "turn_seat": course.turn,
        "choices": choices,
        "waits": [str(move) for move in course.waits()],
        "tapped": next((held for held in choices if held.name == named(writing.tile)), None),
        "log": _log(at, course),
        "counts": list(zip(at.names, course.counts, strict=True)),
    }


def seen(course: Course) -> View:
    """The table as everybody saw it; whose turn it is may hold every tile not laid."""
    free = bits(course.held(0))
    return View(
        rules=course.rules,
        players=course.players,
        seat=course.turn,
        leader=course.leader,
        turn=course.turn,
        held=bit_set(free),
        counts=tuple(course.counts),
        boneyard=course.boneyard,
        can_draw=course.can_draw,
        ends=course.ends,
        legal=(*course.plays(), *course.waits()),
        codes=tuple(event.move.code for event in course.events),
        totals=(0,) * len(course.rules.sides(course.players)),
        outcome=None,
        revealed=None,
    )


def known_elsewhere(at: AtMatch, writing: Writing, course: Course) -> int:
    """Tiles that were ticked as left with somebody: nobody laid them."""
    found = 0
    for seat in range(at.players):
        for text in writing.tiles.get(str(seat), ()):
            try:
                found |= 1 << read_tile(text)
            except NotationError:
                continue
    return found & course.tiles.all


def _choices(view: View, kept: int) -> list[RackTile]:
    """The tiles that fit, the highest first; not those that are known to be left with somebody."""
    fitting = [held for held in rack(view, {}).tiles if held.fits and not kept >> held.tile & 1]
    return sorted(fitting, key=lambda held: held.tile, reverse=True)


def named(text: str) -> str:
    """A tile in notation as people write it; empty where it is none."""
    try:
        return words.hyphened(write_tile(read_tile(text)))
    except NotationError:
        return ""


def lay(course: Course, text: str) -> str:
    """The move that lays this tile where there is one way only; empty where there are more."""
    try:
        tile = read_tile(text)
    except NotationError:
        return ""
    found = course.plays(1 << tile)
    return str(found[0]) if len(found) == 1 else ""


def _log(at: AtMatch, course: Course) -> list[dict[str, Any]]:
    """The moves so far in sentences, the latest first."""
    told: list[dict[str, Any]] = []
    ends = None
    again = Course(course.rules, course.players, course.leader)
    for event in course.events:
        if event.dead:
            break
        said = Said(event.seat, event.move, ends)
        sentence = words.said(course.rules, said, at.names[event.seat])
        told.append({"seat": event.seat, "text": sentence, "name": at.names[event.seat]})
        again.add(str(event.move))
        ends = again.ends
    return told[::-1]
