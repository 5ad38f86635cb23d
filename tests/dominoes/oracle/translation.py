"""Conversion between the engine's objects (tile numbers, bit sets) and the oracle's tuples."""

from __future__ import annotations

from typing import cast

from dominoes import engine
from tests.dominoes.oracle.hand import DRAW, LEFT, PASS, RIGHT, Hand, Move
from tests.dominoes.oracle.placing import End, TilePlacement
from tests.dominoes.oracle.tiles import Options, Tile, is_matador, lying_flat

# Halves of every tile by its number. A tile has the same number in every set.
HALVES = dict(enumerate(engine.domino_set(18).tiles))


def tiles_of(bit_set: int) -> list[Tile]:
    """Convert a bit set of tile numbers to tuples."""
    return [HALVES[number] for number in engine.bits(bit_set)]


def number_of(tile: Tile) -> int:
    """Return the engine's number of a tile."""
    return engine.domino_set(18).index(*tile)


def engine_rules(options: Options) -> engine.Rules:
    """Convert the oracle's options to an engine rule set."""
    return engine.Rules.from_options(cast(dict[str, int | str | bool], dict(options)))


def hand_of(options: Options, dealt: engine.Deal) -> Hand:
    """Convert a deal of the engine to a hand of the oracle with all tiles visible."""
    hands = [tiles_of(held) for held in dealt.hands]
    return Hand(options, hands, [HALVES[n] for n in dealt.boneyard], dealt.leader)


def deal_of(hand: Hand) -> engine.Deal:
    """Convert a newly dealt hand of the oracle to a deal of the engine."""
    hands = [[number_of(tile) for tile in held] for held in hand.hands]
    return engine.Deal.of(hands, [number_of(tile) for tile in hand.boneyard], hand.turn)


def move_of(options: Options, move: engine.Move) -> Move:
    """Convert a move of the engine. A lead is written with its higher half on the left."""
    if move.kind in (engine.MoveKind.DRAW, engine.MoveKind.PASS):
        return DRAW if move.kind is engine.MoveKind.DRAW else PASS
    assert move.tile is not None
    tile = HALVES[move.tile]
    if move.kind is engine.MoveKind.LEAD:
        return Move("lead", (tile[1], tile[0]))
    side = LEFT if move.side is engine.Side.LEFT else RIGHT
    return Move("play", tile, side, way_of(options, tile, move))


def way_of(options: Options, tile: Tile, move: engine.Move) -> TilePlacement:
    """Return how the tile of an engine move lies.

    Under `crosswise_stub` the engine does not mark a matador as lying across, so the rules decide.
    """
    if move.outward is None:
        return TilePlacement(None, None, across=move.across)
    inward = tile[0] + tile[1] - move.outward
    stub = options["matadors"] == "crosswise_stub" and is_matador(tile, options["highest"])
    return TilePlacement(inward, move.outward, across=move.across or stub)


def engine_move(move: Move) -> engine.Move:
    """Convert a move of the oracle to the engine. The direction of a lead is lost."""
    if move.tile is None:
        return engine.Move.read(move.kind)
    number = number_of(lying_flat(move.tile))
    if move.kind == "lead" or move.way is None:
        return engine.Move.lead(number)
    side = engine.Side.LEFT if move.side == LEFT else engine.Side.RIGHT
    return engine.Move.play(number, side, move.way.outward)


def end_of(end: engine.End, options: Options) -> End:
    """Convert an end of the train from the engine to the oracle."""
    if not end.across or options["matadors"] == "crosswise_stub":
        return End("half", cast(tuple[int], end.halves))
    if options["matadors"] == "crosswise_open":
        return End("either", cast(Tile, end.halves))
    return End("blank", (0,))
