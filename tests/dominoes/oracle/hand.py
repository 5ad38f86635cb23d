"""One hand, move by move, with every tile face up (Rulings D-3 to D-6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tests.dominoes.oracle.placing import End, Way, end_left_by, ends_of_first, ways_to_place
from tests.dominoes.oracle.tiles import Options, Tile, doubles, is_matador, lying_flat, next_seat

LAST_TILES_THAT_STAY = 2
LEFT, RIGHT = "left", "right"


class RefusedMoveError(Exception):
    """A move that the rules do not allow."""


class Move(NamedTuple):
    """`lead` (the tile as it lies, left to right), `play`, `draw` or `pass`."""

    kind: str
    tile: Tile | None = None
    side: str | None = None
    way: Way | None = None


DRAW, PASS = Move("draw"), Move("pass")


@dataclass
class Hand:
    """A table with open tiles; the boneyard is drawn from its beginning."""

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
        """How many sit at the table."""
        return len(self.hands)


def possible_leaders(
    rules: Options, hands: list[list[Tile]], last_winners: list[int], last_out: int | None
) -> list[int]:
    """Ruling D-3: who may lead; where there are several, one of them is drawn."""
    everybody = list(range(len(hands)))
    if rules["lead"] == "highest_double":
        highest = doubles([tile for held in hands for tile in held])
        return [seat for seat in everybody if highest and highest[0] in hands[seat]] or everybody
    if rules["lead"] == "winner" and last_winners:
        return [last_out] if last_out in last_winners else last_winners
    return everybody


def tiles_to_lead(rules: Options, held: list[Tile]) -> list[Tile]:
    """Ruling D-3: the highest double where an option says so, else any tile."""
    bound = rules["set_highest_double"] or rules["lead"] == "highest_double"
    return doubles(held)[:1] if bound and doubles(held) else list(held)


def leads(hand: Hand) -> list[Move]:
    """The leader sets a tile, lying either way, and can do nothing else (Ruling D-3)."""
    chosen = tiles_to_lead(hand.rules, hand.hands[hand.turn])
    lying = sorted({way for a, b in chosen for way in [(a, b), (b, a)]})
    return [Move("lead", tile) for tile in lying]


def plays_with(hand: Hand, tile: Tile) -> list[Move]:
    """Every way of playing one tile at one of the ends (Rulings D-4 and D-9)."""
    return [
        Move("play", tile, side, way)
        for side in (LEFT, RIGHT)
        for way in ways_to_place(hand.rules, tile, hand.ends[side])
    ]


def plays(hand: Hand) -> list[Move]:
    """Every way of playing any tile of whose turn it is."""
    return [move for tile in sorted(hand.hands[hand.turn]) for move in plays_with(hand, tile)]


def must_play(hand: Hand) -> bool:
    """Ruling D-5: whoever can play a tile that is no matador has to play."""
    if hand.rules["free_pass"]:
        return False
    highest = hand.rules["highest"]
    plain = [tile for tile in hand.hands[hand.turn] if not is_matador(tile, highest)]
    return any(plays_with(hand, tile) for tile in plain)


def can_be_drawn(hand: Hand) -> bool:
    """Ruling D-5: the last two tiles of the boneyard stay where they are."""
    return hand.rules["boneyard"] == "draw" and len(hand.boneyard) > LAST_TILES_THAT_STAY


def may_draw(hand: Hand) -> bool:
    """Ruling D-5: who cannot play, or only a matador, may draw while tiles can be drawn."""
    return can_be_drawn(hand) and not must_play(hand)


def may_pass(hand: Hand) -> bool:
    """Ruling D-5: nobody passes who must play, or while tiles can be drawn, unless all may."""
    return hand.rules["free_pass"] or not (must_play(hand) or can_be_drawn(hand))


def is_over(hand: Hand) -> bool:
    """Ruling D-6: somebody is out, or all have passed in turn since the last tile."""
    return hand.out is not None or hand.passes == hand.players


def is_dead(hand: Hand) -> bool:
    """Ruling D-6: nothing to draw, and nobody holds what could ever be played."""
    everything = [tile for held in hand.hands for tile in held]
    return (
        bool(hand.train)
        and not can_be_drawn(hand)
        and not any(plays_with(hand, tile) for tile in everything)
    )


def legal_moves(hand: Hand) -> list[Move]:
    """All that the player in turn may do; nothing once the hand is over."""
    if is_over(hand):
        return []
    if not hand.train:
        return leads(hand)
    drawing = [DRAW] if may_draw(hand) else []
    passing = [PASS] if may_pass(hand) else []
    return plays(hand) + drawing + passing


def make(hand: Hand, move: Move) -> None:
    """Make a move of the player in turn, or refuse it."""
    if move not in legal_moves(hand):
        raise RefusedMoveError(f"{move} by seat {hand.turn}")
    hand.log.append((hand.turn, move))
    {"lead": set_first, "play": put_down, "draw": draw, "pass": say_pass}[move.kind](hand, move)


def set_first(hand: Hand, move: Move) -> None:
    """The first tile of the train."""
    assert move.tile is not None
    hand.train = [move.tile]
    hand.ends[LEFT], hand.ends[RIGHT] = ends_of_first(move.tile)
    take_from_hand(hand, lying_flat(move.tile))


def put_down(hand: Hand, move: Move) -> None:
    """A further tile at one end; in the train it is written as it lies, left to right."""
    assert move.tile is not None
    assert move.side is not None
    assert move.way is not None
    hand.ends[move.side] = end_left_by(hand.rules, move.tile, move.way)
    lying = lying_from_left(move.tile, move.way, move.side)
    hand.train = [lying, *hand.train] if move.side == LEFT else [*hand.train, lying]
    take_from_hand(hand, move.tile)


def lying_from_left(tile: Tile, way: Way, side: str) -> Tile:
    """The tile's halves from left to right; the lower one first where it lies across."""
    if way.inward is None or way.outward is None:
        return tile
    return (way.outward, way.inward) if side == LEFT else (way.inward, way.outward)


def take_from_hand(hand: Hand, tile: Tile) -> None:
    """The tile leaves the hand; with none left, that player is out (Ruling D-6)."""
    hand.hands[hand.turn].remove(tile)
    hand.passes = 0
    if hand.hands[hand.turn]:
        hand.turn = next_seat(hand.turn, hand.players)
    else:
        hand.out = hand.turn


def draw(hand: Hand, move: Move) -> None:
    """One tile from the boneyard; it is still the same player's turn (Ruling D-5)."""
    assert move.kind == "draw"
    hand.hands[hand.turn].append(hand.boneyard.pop(0))


def say_pass(hand: Hand, move: Move) -> None:
    """The turn goes on to the left."""
    assert move.kind == "pass"
    hand.passes += 1
    hand.turn = next_seat(hand.turn, hand.players)
