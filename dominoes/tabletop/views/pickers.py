"""Tile pickers and the train of the entry form. They offer only what is possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dominoes.engine import (
    Course,
    NotationError,
    PublicMove,
    Rules,
    View,
    bit_set,
    bits,
    domino_set,
    follow_moves,
    read_tile,
    write_tile,
)
from dominoes.stage import DrawnTile, build_rack, draw_tile, draw_train, sentences
from dominoes.stage.rack import RackTile
from dominoes.tabletop.forms import HandForm
from dominoes.tabletop.views.match_sheet import MatchSheet
from leagues.forms import parse_number

# Up to a double-six set, a suit fits into one row.
MAX_SINGLE_ROW = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class PickerTile:
    """One tile of a picker. `others`: the seats that hold it too. `laid`: it is in the train."""

    number: int
    drawn: DrawnTile
    value: str
    name: str
    checked: bool
    others: tuple[int, ...]
    turned: bool
    laid: bool

    @property
    def classes(self) -> str:
        names = ["is-turned"] if self.turned else []
        if self.others:
            names.append("is-twice" if self.checked else "is-taken")
        return " ".join([*names, "is-laid"] if self.laid else names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picker:
    """The tiles left to one seat, their number and pips."""

    seat: int
    tiles: tuple[PickerTile, ...]
    count: int
    sum: int
    pips: str
    small: bool

    @property
    def disputed(self) -> bool:
        """Return True if another seat is said to hold one of these tiles too."""
        return any(tick.checked and tick.others for tick in self.tiles)


def tile_order(highest: int) -> list[tuple[int, bool]]:
    """Return the tiles by rows: suit r, then the suit n + 1 - r that makes the sum with it.

    The flag tells whether a tile belongs to the second suit.
    """
    tiles, order = domino_set(highest), []
    for low in range((highest + 2) // 2):
        order += [(tiles.index(low, high), False) for high in range(low, highest + 1)]
        other = highest + 1 - low
        if low < other <= highest:
            order += [(tiles.index(other, high), True) for high in range(other, highest + 1)]
    if highest % 2:
        middle = (highest + 1) // 2
        order += [(tiles.index(middle, high), False) for high in range(middle, highest + 1)]
    return order


def build_picker(
    rules: Rules, seat: int, held: Mapping[int, Sequence[str]], pips: str, played: int = 0
) -> Picker:
    """Build the picker of one seat. `held` has all seats' tiles, `played` those of the train."""
    owners = tile_owners(held)
    tiles = domino_set(rules.highest)
    ticked = [
        PickerTile(
            number=tile,
            drawn=draw_tile(rules, tile),
            value=write_tile(tile),
            name=sentences.tile_name(rules, tile),
            checked=seat in owners.get(tile, ()),
            others=tuple(other for other in owners.get(tile, ()) if other != seat),
            turned=turned and rules.highest <= MAX_SINGLE_ROW,
            laid=bool(played >> tile & 1),
        )
        for tile, turned in tile_order(rules.highest)
    ]
    chosen = [tick.number for tick in ticked if tick.checked]
    return Picker(
        seat=seat,
        tiles=tuple(ticked),
        count=len(chosen),
        sum=sum(sum(tiles.tiles[tile]) for tile in chosen),
        pips=pips,
        small=rules.highest <= MAX_SINGLE_ROW,
    )


def tile_owners(held: Mapping[int, Sequence[str]]) -> dict[int, tuple[int, ...]]:
    """Return the seats that hold each tile. Invalid tiles are ignored."""
    owners: dict[int, tuple[int, ...]] = {}
    for seat, texts in held.items():
        for text in dict.fromkeys(texts):
            try:
                tile = read_tile(text)
            except NotationError:
                continue
            owners[tile] = (*owners.get(tile, ()), seat)
    return owners


def course_of(at: MatchSheet, writing: HandForm) -> Course | None:
    """Return the course up to the first impossible move, or None without a leader."""
    leader = parse_number(writing.leader)
    if leader is None or not 0 <= leader < at.players:
        return None
    return follow_moves(at.rules, at.players, leader, writing.moves)[0]


def train_context(at: MatchSheet, writing: HandForm) -> dict[str, Any]:
    course = course_of(at, writing)
    if course is None:
        return {"course": None}
    view = public_view(course)
    choices = _playable_tiles(view, tiles_held_elsewhere(at, writing, course))
    return {
        "course": course,
        "scene": {
            "train": draw_train(view),
            "ends": sentences.ends_sentence(view.ends) if view.ends else "",
        },
        "turn": None if course.turn is None else at.names[course.turn],
        "turn_seat": course.turn,
        "choices": choices,
        "waits": [str(move) for move in course.waits()],
        "tapped": next((held for held in choices if held.name == tile_label(writing.tile)), None),
        "log": _log_lines(at, course),
        "counts": list(zip(at.names, course.counts, strict=True)),
    }


def public_view(course: Course) -> View:
    """Return a watcher's view. The seat to move may hold any tile not laid."""
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


def tiles_held_elsewhere(at: MatchSheet, writing: HandForm, course: Course) -> int:
    """Return the tiles ticked as left in a hand, which nobody can have laid."""
    mask = 0
    for seat in range(at.players):
        for text in writing.tiles.get(str(seat), ()):
            try:
                mask |= 1 << read_tile(text)
            except NotationError:
                continue
    return mask & course.tiles.all


def _playable_tiles(view: View, kept: int) -> list[RackTile]:
    """Return the fitting tiles, highest first, without those left in hands."""
    fitting = [
        held for held in build_rack(view, {}).tiles if held.fits and not kept >> held.tile & 1
    ]
    return sorted(fitting, key=lambda held: held.tile, reverse=True)


def tile_label(text: str) -> str:
    """Return a tile as people write it. Empty if it is invalid."""
    try:
        return sentences.with_hyphen(write_tile(read_tile(text)))
    except NotationError:
        return ""


def only_move(course: Course, text: str) -> str:
    """Return the move that lays this tile, or "" if there are several."""
    try:
        tile = read_tile(text)
    except NotationError:
        return ""
    moves = course.plays(1 << tile)
    return str(moves[0]) if len(moves) == 1 else ""


def _log_lines(at: MatchSheet, course: Course) -> list[dict[str, Any]]:
    """Return the moves in sentences, the latest first."""
    lines: list[dict[str, Any]] = []
    ends = None
    again = Course(course.rules, course.players, course.leader)
    for event in course.events:
        if event.dead:
            break
        said = PublicMove(event.seat, event.move, ends)
        sentence = sentences.move_sentence(course.rules, said, at.names[event.seat])
        lines.append({"seat": event.seat, "text": sentence, "name": at.names[event.seat]})
        again.add(str(event.move))
        ends = again.ends
    return lines[::-1]
