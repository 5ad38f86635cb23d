"""What later plays give away: whether somebody held a tile that had to be played (Ruling D-5).

A tile that a seat laid, or still held at the end, came to it by the deal or by one of its draws.
It cannot have been there when the seat drew or passed although it fitted and was no matador; so it
came later. Where the deal and the draws do not suffice for all its tiles, the log is no log.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from dominoes.engine.moves import Kind
from dominoes.engine.referee.course import Course, Event
from dominoes.engine.referee.written import Objection, Param
from dominoes.engine.tiles import bits, domino_set, write_tile


class Stay(NamedTuple):
    """How long a tile was in a hand: it came with draw `first` to `last`, 0 being the deal."""

    tile: int
    first: int
    last: int


def stays(course: Course, seat: int, kept: int) -> list[Stay]:
    """The tiles this seat laid or kept to the end, and the last draw that can have brought them."""
    laid = [
        Stay(event.move.tile, 0, event.draws)
        for event in course.made(seat)
        if event.move.tile is not None
    ]
    return laid + [Stay(tile, 0, course.drawn[seat]) for tile in bits(kept)]


def arrange(tiles: list[Stay], size: int, draws: int) -> dict[int, int] | None:
    """Which draw brought which tile (0: the deal, of `size` tiles); None where none can.

    The tile that is needed first comes first: the usual proof that no order is better.
    """
    waiting: list[tuple[int, int]] = []
    coming = sorted(tiles, key=lambda stay: stay.first, reverse=True)
    found: dict[int, int] = {}
    for draw in range(draws + 1):
        while coming and coming[-1].first <= draw:
            stay = coming.pop()
            heappush(waiting, (stay.last, stay.tile))
        for _room in range(1 if draw else size):
            if waiting and waiting[0][0] >= draw:
                found[heappop(waiting)[1]] = draw
        if waiting and waiting[0][0] <= draw:
            return None
    return None if coming or waiting else found


def object_to_waiting(
    course: Course, seat: int, tiles: list[Stay]
) -> tuple[list[Stay], Objection | None]:
    """The same tiles, none there when it had to be played; the first move that cannot be.

    Under `free_pass` anyone may pass or draw, and nothing follows from it.
    """
    for event in course.made(seat):
        if event.move.kind not in {Kind.DRAW, Kind.PASS}:
            continue
        if course.rules.free_pass and not event.dead:
            continue
        later = [_not_before(stay, event) for stay in tiles]
        if arrange(later, course.rules.hand_size, course.drawn[seat]) is None:
            return tiles, _could_play(tiles, later, event)
        tiles = later
    return tiles, None


def _not_before(stay: Stay, event: Event) -> Stay:
    """The stay of a tile that was not in the hand at this draw or pass, if it had to be played."""
    if not event.plain >> stay.tile & 1:
        return stay
    return stay._replace(first=max(stay.first, event.draws + 1))


def _could_play(before: list[Stay], later: list[Stay], event: Event) -> Objection:
    """The tile that was certainly there, or the likeliest of those that were."""
    moved = [new for old, new in zip(before, later, strict=True) if old != new]
    stay = min(moved or later, key=lambda stay: (stay.last, stay.tile))
    params: dict[str, Param] = {"seat": event.seat, "tile": write_tile(stay.tile)}
    if event.dead:
        return Objection("out", "not_blocked", params)
    return Objection(f"moves/{event.number}", "could_play", {**params, "move": str(event.move)})


def doubles_not_dealt(course: Course, seat: int) -> int:
    """Doubles that the first tile shows this seat was not dealt, as a bit set (Ruling D-3).

    The leader sets the highest double held, where the rules ask for it; where the highest double
    leads, nobody else was dealt a higher one.
    """
    rules = course.rules
    if not course.events or course.events[0].move.tile is None:
        return 0
    if rules.lead != "highest_double" and not (rules.set_highest_double and seat == course.leader):
        return 0
    led = course.events[0].move.tile
    doubles = domino_set(rules.highest).doubles
    return doubles & ~((2 << led) - 1) if doubles >> led & 1 else doubles


def object_to_lead(
    course: Course, seat: int, tiles: list[Stay]
) -> tuple[list[Stay], Objection | None]:
    """The tiles, no double dealt that had to lead; the objection where one was (Ruling D-3)."""
    higher = doubles_not_dealt(course, seat)
    if not higher:
        return tiles, None
    later = [
        stay._replace(first=max(stay.first, 1)) if higher >> stay.tile & 1 else stay
        for stay in tiles
    ]
    if arrange(later, course.rules.hand_size, course.drawn[seat]) is not None:
        return later, None
    tile = max(stay.tile for stay in later if higher >> stay.tile & 1)
    code = "highest_double" if seat == course.leader else "highest_double_other"
    return tiles, Objection("moves/0", code, {"seat": seat, "tile": write_tile(tile)})
