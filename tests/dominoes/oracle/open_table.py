"""What all players at the table can see of a hand with hidden tiles (Rulings D-3 to D-6)."""

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

# Move number for tiles that were dealt, because they came into the hands before the first move.
BEFORE = -1


class TileLocation(NamedTuple):
    """Where a tile can be: with a seat since a move or, if `seat` is `None`, in the boneyard."""

    seat: int | None
    since: int


class NotHeld(NamedTuple):
    """The fact that a seat held none of these tiles at a certain move."""

    seat: int
    at: int
    tiles: list[Tile]


@dataclass
class OpenHand:
    """The visible state of a hand, with facts and errors that follow from its moves."""

    rules: Options
    turn: int
    counts: list[int]
    boneyard: int
    ends: dict[str, End] = field(default_factory=dict)
    passes: int = 0
    out: int | None = None
    played: dict[Tile, tuple[int, int]] = field(default_factory=dict)
    drawn: list[TileLocation] = field(default_factory=list)
    not_held: list[NotHeld] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def open_table(rules: Options, players: int, leader: int) -> OpenHand:
    """Return the visible state of a newly dealt hand (Ruling D-2)."""
    left = len(all_tiles(rules["highest"])) - players * rules["hand_size"]
    return OpenHand(rules, leader, [rules["hand_size"]] * players, left)


def follow_move(table: OpenHand, at: int, move: Move) -> None:
    """Make one more move and record errors that any player at the table would see."""
    if is_over(table):
        table.faults.append(f"move {at}: the hand is over")
    elif (move.kind == "lead") != (not table.played):
        table.faults.append(f"move {at}: the first tile, and only that, is led")
    else:
        steps = {"lead": follow_lead, "play": follow_play, "draw": follow_draw, "pass": follow_pass}
        steps[move.kind](table, at, move)


def is_over(table: OpenHand) -> bool:
    """Return whether a player went out or all players passed in turn (Ruling D-6)."""
    return table.out is not None or table.passes == len(table.counts)


def follow_lead(table: OpenHand, at: int, move: Move) -> None:
    """Record the lead and, if an option says so, that higher doubles were not held (Ruling D-3)."""
    assert move.tile is not None
    if lying_flat(move.tile) not in all_tiles(table.rules["highest"]):
        table.faults.append(f"move {at}: no such tile")
        return
    table.ends[LEFT], table.ends[RIGHT] = ends_of_first(move.tile)
    table.not_held += higher_doubles(table, at, lying_flat(move.tile))
    put_on_table(table, at, lying_flat(move.tile))


def higher_doubles(table: OpenHand, at: int, led: Tile) -> list[NotHeld]:
    """Return the facts that the leader, or every player, held no higher double (Ruling D-3)."""
    above = [
        tile
        for tile in all_tiles(table.rules["highest"])
        if is_double(tile) and (tile > led or not is_double(led))
    ]
    if table.rules["lead"] == "highest_double":
        return [NotHeld(seat, at, above) for seat in range(len(table.counts))]
    return [NotHeld(table.turn, at, above)] if table.rules["set_highest_double"] else []


def follow_play(table: OpenHand, at: int, move: Move) -> None:
    """Record a tile played at an end, or an error if it does not exist or fit (Rulings D-4 and
    D-9).
    """
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
    """Move a tile from a hand to the table; a player without tiles goes out (Ruling D-6)."""
    table.played[tile] = (table.turn, at)
    table.counts[table.turn] -= 1
    table.passes = 0
    if table.counts[table.turn] == 0:
        table.out = table.turn
    table.turn = next_seat(table.turn, len(table.counts))


def fitting(table: OpenHand, *, matadors: bool) -> list[Tile]:
    """Return all tiles of the set that fit an end now, with or without the matadors."""
    return [
        tile
        for tile in all_tiles(table.rules["highest"])
        if (matadors or not is_matador(tile, table.rules["highest"]))
        and any(ways_to_place(table.rules, tile, end) for end in table.ends.values())
    ]


def can_be_drawn(table: OpenHand) -> bool:
    """Return whether a tile can be drawn; the last two tiles of the boneyard stay (Ruling D-5)."""
    return table.rules["boneyard"] == "draw" and table.boneyard > LAST_TILES_THAT_STAY


def need_not_play(table: OpenHand, at: int) -> None:
    """Record that a player who draws or passes holds no tile that must be played (Ruling D-5)."""
    if not table.rules["free_pass"]:
        table.not_held.append(NotHeld(table.turn, at, fitting(table, matadors=False)))


def follow_draw(table: OpenHand, at: int, move: Move) -> None:
    """Record a draw, or an error if no tile can be drawn (Ruling D-5)."""
    assert move == DRAW
    if not can_be_drawn(table):
        table.faults.append(f"move {at}: nothing can be drawn")
        return
    need_not_play(table, at)
    table.boneyard -= 1
    table.counts[table.turn] += 1
    table.drawn.append(TileLocation(table.turn, at))


def follow_pass(table: OpenHand, at: int, move: Move) -> None:
    """Record a pass, or an error if tiles can be drawn and passing is not free (Ruling D-5)."""
    assert move.kind == "pass"
    if can_be_drawn(table) and not table.rules["free_pass"]:
        table.faults.append(f"move {at}: no passing while tiles can be drawn")
        return
    need_not_play(table, at)
    table.passes += 1
    table.turn = next_seat(table.turn, len(table.counts))


def faults_of_the_end(table: OpenHand, at: int) -> list[str]:
    """Return an error if the hand cannot have ended after its last move (Ruling D-6).

    The last passes may be missing in the log. In that case, no player can hold a tile that still
    fits.
    """
    if is_over(table):
        return []
    if not table.played or can_be_drawn(table):
        return ["the hand is not over"]
    alive = fitting(table, matadors=True)
    table.not_held += [NotHeld(seat, at, alive) for seat in range(len(table.counts))]
    return []
