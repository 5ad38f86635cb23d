"""The engine's words in the oracle's: tiles by number and bit set become plain tuples."""

from __future__ import annotations

from typing import cast

from dominoes import engine
from tests.dominoes.oracle.hand import DRAW, LEFT, PASS, RIGHT, Hand, Move
from tests.dominoes.oracle.placing import End, Way
from tests.dominoes.oracle.tiles import Options, Tile, is_matador, lying_flat

HALVES = dict(enumerate(engine.domino_set(18).tiles))
"""The halves of every tile number; a number means the same tile in every set."""


def tiles_of(bit_set: int) -> list[Tile]:
    """The tiles of a bit set, as tuples."""
    return [HALVES[number] for number in engine.bits(bit_set)]


def number_of(tile: Tile) -> int:
    """The engine's number of a tile."""
    return engine.domino_set(18).index(*tile)


def rules_of(options: Options) -> engine.Rules:
    """The engine's rule set for the oracle's options."""
    return engine.Rules.from_options(cast(dict[str, int | str | bool], dict(options)))


def hand_of(options: Options, dealt: engine.Deal) -> Hand:
    """The same deal, open on the oracle's table."""
    hands = [tiles_of(held) for held in dealt.hands]
    return Hand(options, hands, [HALVES[n] for n in dealt.boneyard], dealt.leader)


def deal_of(hand: Hand) -> engine.Deal:
    """A deal laid out on the oracle's table, in the engine's words."""
    hands = [[number_of(tile) for tile in held] for held in hand.hands]
    return engine.Deal.of(hands, [number_of(tile) for tile in hand.boneyard], hand.turn)


def move_of(options: Options, move: engine.Move) -> Move:
    """A move of the engine; the engine writes the first tile with the higher half to the left."""
    if move.kind in (engine.Kind.DRAW, engine.Kind.PASS):
        return DRAW if move.kind is engine.Kind.DRAW else PASS
    assert move.tile is not None
    tile = HALVES[move.tile]
    if move.kind is engine.Kind.LEAD:
        return Move("lead", (tile[1], tile[0]))
    side = LEFT if move.side is engine.Side.LEFT else RIGHT
    return Move("play", tile, side, way_of(options, tile, move))


def way_of(options: Options, tile: Tile, move: engine.Move) -> Way:
    """How the tile lies; in a stub the engine tells a matador across by nothing but the rules."""
    if move.outward is None:
        return Way(None, None, across=move.across)
    inward = tile[0] + tile[1] - move.outward
    stub = options["matadors"] == "crosswise_stub" and is_matador(tile, options["highest"])
    return Way(inward, move.outward, across=move.across or stub)


def back(move: Move) -> engine.Move:
    """A move of the oracle in the engine's words; a lead loses which half was to the left."""
    if move.tile is None:
        return engine.Move.read(move.kind)
    number = number_of(lying_flat(move.tile))
    if move.kind == "lead" or move.way is None:
        return engine.Move.lead(number)
    side = engine.Side.LEFT if move.side == LEFT else engine.Side.RIGHT
    return engine.Move.play(number, side, move.way.outward)


def end_of(end: engine.End, options: Options) -> End:
    """What the engine says of an end, as the oracle's end."""
    if not end.across or options["matadors"] == "crosswise_stub":
        return End("half", cast(tuple[int], end.halves))
    if options["matadors"] == "crosswise_open":
        return End("either", cast(Tile, end.halves))
    return End("blank", (0,))
