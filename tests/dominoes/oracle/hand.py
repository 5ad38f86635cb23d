"""One hand of dominoes, move by move, with all tiles visible (Rulings D-3 to D-6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tests.dominoes.oracle.placing import (
    End,
    TilePlacement,
    end_left_by,
    ends_of_first,
    ways_to_place,
)
from tests.dominoes.oracle.tiles import Options, Tile, doubles, is_matador, lying_flat, next_seat

LAST_TILES_THAT_STAY = 2
LEFT, RIGHT = "left", "right"


class RefusedMoveError(Exception):
    """A move that the rules do not allow."""


class Move(NamedTuple):
    """A move of the kind `lead`, `play`, `draw` or `pass`.

    The tile of a `lead` is written as it lies, from left to right.
    """

    kind: str
    tile: Tile | None = None
    side: str | None = None
    way: TilePlacement | None = None


DRAW, PASS = Move("draw"), Move("pass")


@dataclass
class Hand:
    """State of a hand with all tiles visible.

    Tiles are drawn from the beginning of the boneyard.
    """

    rules: Options
    hands: list[list[Tile]]
    boneyard: list[Tile]
    turn: int
    train: list[Tile] = field(default_factory=list)
    ends: dict[str, End] = field(default_factory=dict)
    passes: int = 0
    out: int | None = None
    log: list[tuple[int, Move]] = field(default_factory=list)

    @property
    def players(self) -> int:
        """Number of players at the table."""
        return len(self.hands)


def possible_leaders(
    rules: Options, hands: list[list[Tile]], last_winners: list[int], last_out: int | None
) -> list[int]:
    """Return the seats that may lead (Ruling D-3).

    If there are several, the leader is drawn by lot.
    """
    everybody = list(range(len(hands)))
    if rules["lead"] == "highest_double":
        highest = doubles([tile for held in hands for tile in held])
        return [seat for seat in everybody if highest and highest[0] in hands[seat]] or everybody
    if rules["lead"] == "winner" and last_winners:
        return [last_out] if last_out in last_winners else last_winners
    return everybody


def tiles_to_lead(rules: Options, held: list[Tile]) -> list[Tile]:
    """Return the tiles that may be led: the highest double if an option requires it, else any tile.

    Ruling D-3.
    """
    bound = rules["set_highest_double"] or rules["lead"] == "highest_double"
    return doubles(held)[:1] if bound and doubles(held) else list(held)


def leads(hand: Hand) -> list[Move]:
    """Return all leads: the leader must play a tile, which may lie either way (Ruling D-3)."""
    chosen = tiles_to_lead(hand.rules, hand.hands[hand.turn])
    lying = sorted({way for a, b in chosen for way in [(a, b), (b, a)]})
    return [Move("lead", tile) for tile in lying]


def plays_with(hand: Hand, tile: Tile) -> list[Move]:
    """Return all moves that play this tile at one of the ends (Rulings D-4 and D-9)."""
    return [
        Move("play", tile, side, way)
        for side in (LEFT, RIGHT)
        for way in ways_to_place(hand.rules, tile, hand.ends[side])
    ]


def plays(hand: Hand) -> list[Move]:
    """Return all moves that play a tile of the player whose turn it is."""
    return [move for tile in sorted(hand.hands[hand.turn]) for move in plays_with(hand, tile)]


def must_play(hand: Hand) -> bool:
    """Return whether the player must play because a tile other than a matador fits (Ruling D-5)."""
    if hand.rules["free_pass"]:
        return False
    highest = hand.rules["highest"]
    plain = [tile for tile in hand.hands[hand.turn] if not is_matador(tile, highest)]
    return any(plays_with(hand, tile) for tile in plain)


def can_be_drawn(hand: Hand) -> bool:
    """Return whether a tile can be drawn; the last two tiles of the boneyard stay (Ruling D-5)."""
    return hand.rules["boneyard"] == "draw" and len(hand.boneyard) > LAST_TILES_THAT_STAY


def may_draw(hand: Hand) -> bool:
    """Return whether the player may draw, because no tile must be played (Ruling D-5)."""
    return can_be_drawn(hand) and not must_play(hand)


def may_pass(hand: Hand) -> bool:
    """Return whether the player may pass (Ruling D-5).

    Unless passing is free, a player who must play or who can draw may not pass.
    """
    return hand.rules["free_pass"] or not (must_play(hand) or can_be_drawn(hand))


def is_over(hand: Hand) -> bool:
    """Return whether the hand is over (Ruling D-6).

    It ends when a player has no tile left or all have passed in turn.
    """
    return hand.out is not None or hand.passes == hand.players


def is_dead(hand: Hand) -> bool:
    """Return whether the hand is stuck: no tile can be drawn, and no held tile fits an end (Ruling
    D-6).
    """
    everything = [tile for held in hand.hands for tile in held]
    return (
        bool(hand.train)
        and not can_be_drawn(hand)
        and not any(plays_with(hand, tile) for tile in everything)
    )


def legal_moves(hand: Hand) -> list[Move]:
    """Return all legal moves of the player in turn, or none if the hand is over."""
    if is_over(hand):
        return []
    if not hand.train:
        return leads(hand)
    drawing = [DRAW] if may_draw(hand) else []
    passing = [PASS] if may_pass(hand) else []
    return plays(hand) + drawing + passing


def make_move(hand: Hand, move: Move) -> None:
    """Make a move of the player whose turn it is.

    Raises `RefusedMoveError` if the move is not legal.
    """
    if move not in legal_moves(hand):
        raise RefusedMoveError(f"{move} by seat {hand.turn}")
    hand.log.append((hand.turn, move))
    {"lead": set_first, "play": put_down, "draw": draw, "pass": say_pass}[move.kind](hand, move)


def set_first(hand: Hand, move: Move) -> None:
    """Play the first tile of the train."""
    assert move.tile is not None
    hand.train = [move.tile]
    hand.ends[LEFT], hand.ends[RIGHT] = ends_of_first(move.tile)
    take_from_hand(hand, lying_flat(move.tile))


def put_down(hand: Hand, move: Move) -> None:
    """Play another tile at one end of the train, stored as it lies from left to right."""
    assert move.tile is not None
    assert move.side is not None
    assert move.way is not None
    hand.ends[move.side] = end_left_by(hand.rules, move.tile, move.way)
    lying = lying_from_left(move.tile, move.way, move.side)
    hand.train = [lying, *hand.train] if move.side == LEFT else [*hand.train, lying]
    take_from_hand(hand, move.tile)


def lying_from_left(tile: Tile, way: TilePlacement, side: str) -> Tile:
    """Return the halves from left to right, or the lower half first if the tile lies across."""
    if way.inward is None or way.outward is None:
        return tile
    return (way.outward, way.inward) if side == LEFT else (way.inward, way.outward)


def take_from_hand(hand: Hand, tile: Tile) -> None:
    """Remove a tile from the hand of the player in turn.

    A player with no tile left goes out, which ends the hand (Ruling D-6).
    """
    hand.hands[hand.turn].remove(tile)
    hand.passes = 0
    if hand.hands[hand.turn]:
        hand.turn = next_seat(hand.turn, hand.players)
    else:
        hand.out = hand.turn


def draw(hand: Hand, move: Move) -> None:
    """Draw a tile from the boneyard; the turn does not change (Ruling D-5)."""
    assert move.kind == "draw"
    hand.hands[hand.turn].append(hand.boneyard.pop(0))


def say_pass(hand: Hand, move: Move) -> None:
    """Count a pass and give the turn to the next player on the left."""
    assert move.kind == "pass"
    hand.passes += 1
    hand.turn = next_seat(hand.turn, hand.players)
