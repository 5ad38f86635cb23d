"""Why a tile may not be laid at an end: the reason in words, and the ruling that decides it."""

from __future__ import annotations

from dominoes.engine.errors import IllegalMove
from dominoes.engine.fits import End
from dominoes.engine.moves import Move
from dominoes.engine.rules import Rules
from dominoes.engine.tiles import domino_set, write_tile


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
