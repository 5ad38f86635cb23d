"""Why a move is refused: the reason in words, and the ruling that decides it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dominoes.engine.deal import must_lead_with
from dominoes.engine.errors import IllegalMove
from dominoes.engine.fits import End
from dominoes.engine.moves import Kind, Move, Side
from dominoes.engine.rules import Rules
from dominoes.engine.tiles import bits, domino_set, write_tile

if TYPE_CHECKING:
    from dominoes.engine.hand import Hand


def reason_against(hand: Hand, move: Move) -> IllegalMove:
    """The reason why this move, which is not legal, is not."""
    if hand.turn is None:
        return IllegalMove("over")
    if move.tile is not None:
        if move.tile >= len(domino_set(hand.rules.highest)):
            return IllegalMove("no_tile")
        if not hand.held(hand.turn) >> move.tile & 1:
            return IllegalMove("not_held", tile=write_tile(move.tile))
    if hand.ends is None:
        return _against_leading(hand, hand.turn, move)
    if move.kind is Kind.LEAD:
        return IllegalMove("led")
    if move.kind is Kind.PLAY:
        return reason_against_lying(hand.rules, move, hand.ends[move.side is Side.RIGHT])
    return _against_waiting(hand, hand.turn, move, hand.ends)


def _against_leading(hand: Hand, seat: int, move: Move) -> IllegalMove:
    """The leader sets a tile, and sometimes a certain one (Ruling D-3)."""
    if move.kind is not Kind.LEAD:
        return IllegalMove("must_lead")
    highest = must_lead_with(hand.rules, hand.held(seat))
    return IllegalMove("highest_double", tile=write_tile(highest.bit_length() - 1))


def reason_against_lying(rules: Rules, move: Move, end: End) -> IllegalMove:
    """The reason why a tile does not fit this end, or not this way (Rulings D-4 and D-9)."""
    tiles = domino_set(rules.highest)
    assert move.tile is not None
    name, matador = write_tile(move.tile), tiles.is_matador(move.tile)
    if move.across and not matador:
        return IllegalMove("only_matadors_across")
    if not end.fits >> move.tile & 1:
        return _against_tile(end, name, tiles.tiles[move.tile], tiles.N, move)
    if move.across:
        return IllegalMove("inline_after_across" if end.across else "never_across", tile=name)
    if end.across and not end.matadors:
        return IllegalMove("blank_inward")
    if matador:
        return IllegalMove("must_lie_across")
    return _against_sum(end, name, tiles.N, move)


def _against_tile(
    end: End, name: str, halves: tuple[int, int], matching: int, move: Move
) -> IllegalMove:
    """A tile that fits this end neither way round."""
    if end.across and not end.matadors:
        return IllegalMove("blank_inward")
    if end.across and not end.needs:
        return IllegalMove("matador_only")
    if not end.needs:
        return IllegalMove("blank")
    return _against_sum(end, name, matching, move)


def _against_sum(end: End, name: str, matching: int, move: Move) -> IllegalMove:
    """An inward half that does not add up to the matching number with the end."""
    inward = move.inward
    assert inward is not None
    if end.across:
        return IllegalMove("no_sum_across", tile=name, inward=inward, sum=matching)
    return IllegalMove("no_sum", tile=name, inward=inward, end=end.halves[0], sum=matching)


def _against_waiting(hand: Hand, seat: int, move: Move, ends: tuple[End, End]) -> IllegalMove:
    """To draw or to pass where one must play, or cannot draw (Ruling D-5)."""
    tiles = domino_set(hand.rules.highest)
    plain = hand.held(seat) & (ends[0].fits | ends[1].fits) & ~tiles.matadors
    if move.kind is Kind.DRAW and hand.rules.boneyard == "pass":
        return IllegalMove("no_drawing")
    if plain and not hand.rules.free_pass:
        return IllegalMove("must_play", tile=write_tile(bits(plain)[0]))
    if move.kind is Kind.DRAW:
        return IllegalMove("boneyard_closed")
    return IllegalMove("must_draw")
