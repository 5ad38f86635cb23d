"""What everybody at the table sees of a hand whose tiles lie face down (Rulings D-3 to D-6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tests.dominoes.oracle.hand import DRAW, LAST_TILES_THAT_STAY, LEFT, RIGHT, Move
from tests.dominoes.oracle.placing import End, end_left_by, ends_of_first, ways_to_place
from tests.dominoes.oracle.tiles import (
    Options,
    Tile,
    all_tiles,
    is_double,
    is_matador,
    lying_flat,
    next_seat,
)

BEFORE = -1
"""When the tiles of the deal came into the hands: before the first move."""


class Place(NamedTuple):
    """A place of one tile: with a seat since a move, or (seat None) in the boneyard."""

    seat: int | None
    since: int


class NotHeld(NamedTuple):
    """At that move, the seat held none of these tiles."""

    seat: int
    at: int
    tiles: list[Tile]


@dataclass
class OpenHand:
    """What everybody at the table can see, and what it tells of the hidden tiles."""

    rules: Options
    turn: int
    counts: list[int]
    boneyard: int
    ends: dict[str, End] = field(default_factory=dict)
    passes: int = 0
    out: int | None = None
    played: dict[Tile, tuple[int, int]] = field(default_factory=dict)
    drawn: list[Place] = field(default_factory=list)
    not_held: list[NotHeld] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def open_table(rules: Options, players: int, leader: int) -> OpenHand:
    """Hands dealt, nothing played (Ruling D-2)."""
    left = len(all_tiles(rules["highest"])) - players * rules["hand_size"]
    return OpenHand(rules, leader, [rules["hand_size"]] * players, left)


def follow(table: OpenHand, at: int, move: Move) -> None:
    """One more move, with the faults anybody at the table would see."""
    if is_over(table):
        table.faults.append(f"move {at}: the hand is over")
    elif (move.kind == "lead") != (not table.played):
        table.faults.append(f"move {at}: the first tile, and only that, is led")
    else:
        steps = {"lead": follow_lead, "play": follow_play, "draw": follow_draw, "pass": follow_pass}
        steps[move.kind](table, at, move)


def is_over(table: OpenHand) -> bool:
    """Ruling D-6."""
    return table.out is not None or table.passes == len(table.counts)


def follow_lead(table: OpenHand, at: int, move: Move) -> None:
    """A tile of the set; higher doubles were not there where an option says so (Ruling D-3)."""
    assert move.tile is not None
    if lying_flat(move.tile) not in all_tiles(table.rules["highest"]):
        table.faults.append(f"move {at}: no such tile")
        return
    table.ends[LEFT], table.ends[RIGHT] = ends_of_first(move.tile)
    table.not_held += higher_doubles(table, at, lying_flat(move.tile))
    put_on_table(table, at, lying_flat(move.tile))


def higher_doubles(table: OpenHand, at: int, led: Tile) -> list[NotHeld]:
    """Ruling D-3: the doubles the leader, or anybody at all, cannot have been dealt."""
    above = [
        tile
        for tile in all_tiles(table.rules["highest"])
        if is_double(tile) and (tile > led or not is_double(led))
    ]
    if table.rules["lead"] == "highest_double":
        return [NotHeld(seat, at, above) for seat in range(len(table.counts))]
    return [NotHeld(table.turn, at, above)] if table.rules["set_highest_double"] else []


def follow_play(table: OpenHand, at: int, move: Move) -> None:
    """A tile not yet on the table, lying as it may (Rulings D-4 and D-9)."""
    if move.tile not in all_tiles(table.rules["highest"]):
        table.faults.append(f"move {at}: no such tile")
    elif move.tile in table.played:
        table.faults.append(f"move {at}: that tile lies already")
    elif move.side not in (LEFT, RIGHT):
        table.faults.append(f"move {at}: no such end")
    elif move.way not in ways_to_place(table.rules, move.tile, table.ends[move.side]):
        table.faults.append(f"move {at}: it does not fit so")
    else:
        table.ends[move.side] = end_left_by(table.rules, move.tile, move.way)
        put_on_table(table, at, move.tile)


def put_on_table(table: OpenHand, at: int, tile: Tile) -> None:
    """The tile leaves a hand, which may be its last (Ruling D-6)."""
    table.played[tile] = (table.turn, at)
    table.counts[table.turn] -= 1
    table.passes = 0
    if table.counts[table.turn] == 0:
        table.out = table.turn
    table.turn = next_seat(table.turn, len(table.counts))


def fitting(table: OpenHand, *, matadors: bool) -> list[Tile]:
    """The tiles of the set that could be played now, with or without the matadors."""
    return [
        tile
        for tile in all_tiles(table.rules["highest"])
        if (matadors or not is_matador(tile, table.rules["highest"]))
        and any(ways_to_place(table.rules, tile, end) for end in table.ends.values())
    ]


def can_be_drawn(table: OpenHand) -> bool:
    """Ruling D-5: two tiles stay."""
    return table.rules["boneyard"] == "draw" and table.boneyard > LAST_TILES_THAT_STAY


def need_not_play(table: OpenHand, at: int) -> None:
    """Ruling D-5: who draws or passes holds no tile that would have to be played."""
    if not table.rules["free_pass"]:
        table.not_held.append(NotHeld(table.turn, at, fitting(table, matadors=False)))


def follow_draw(table: OpenHand, at: int, move: Move) -> None:
    """Ruling D-5: only while tiles can be drawn."""
    assert move == DRAW
    if not can_be_drawn(table):
        table.faults.append(f"move {at}: nothing can be drawn")
        return
    need_not_play(table, at)
    table.boneyard -= 1
    table.counts[table.turn] += 1
    table.drawn.append(Place(table.turn, at))


def follow_pass(table: OpenHand, at: int, move: Move) -> None:
    """Ruling D-5: not while tiles can be drawn, unless passing is free."""
    assert move.kind == "pass"
    if can_be_drawn(table) and not table.rules["free_pass"]:
        table.faults.append(f"move {at}: no passing while tiles can be drawn")
        return
    need_not_play(table, at)
    table.passes += 1
    table.turn = next_seat(table.turn, len(table.counts))


def faults_of_the_end(table: OpenHand, at: int) -> list[str]:
    """Ruling D-6: over, or blocked at once, so that nobody can hold what still fits."""
    if is_over(table):
        return []
    if not table.played or can_be_drawn(table):
        return ["the hand is not over"]
    alive = fitting(table, matadors=True)
    table.not_held += [NotHeld(seat, at, alive) for seat in range(len(table.counts))]
    return []
