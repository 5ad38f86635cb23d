"""Template context of a player's tiles in hand: where each tile fits or why it does not, and
whether the player may draw or pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from dominoes.engine import BONEYARD_RESERVE, End, Move, MoveKind, Rules, Side, View, domino_set
from dominoes.stage import sentences
from dominoes.stage.picture import DrawnTile, draw_tile

# Values of the form's buttons (field `do`). The buttons at the ends of the train have the values
# `left` and `right`.
LAY, DRAW, DRAW_ON, PASS = "lay", "draw", "draw-on", "pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A way to lay a tile: the move in notation, its drawing, and whether it is selected."""

    move: str
    text: str
    drawn: DrawnTile
    checked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EndPlacements:
    """The ways to lay a tile at one end of the train, or the reason why it does not fit there."""

    title: str
    on: str
    ways: tuple[Placement, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RackTile:
    """A tile in the player's hand, as drawn on the page.

    `where` briefly describes where the tile fits. `focus`: True if the keyboard focus starts at
    this tile.
    """

    tile: int
    name: str
    drawn: DrawnTile
    matador: bool
    fits: bool
    where: str
    checked: bool
    places: tuple[EndPlacements, ...]
    focus: bool

    @property
    def field(self) -> str:
        return f"move-{self.tile}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """The action of drawing or passing, with the reason if it is not allowed.

    `main`: True for the action whose button is emphasised, because no tile can be played.
    """

    do: str
    text: str
    allowed: bool
    reason: str
    main: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rack:
    """The player's tiles in hand and the possible actions besides playing a tile."""

    tiles: tuple[RackTile, ...]
    acts: tuple[Action, ...]
    turn: bool
    hint: str

    @property
    def size(self) -> str:
        """The CSS class for the number of tiles.

        Many tiles are drawn smaller, but large enough to be tapped.
        """
        return "is-crowded" if len(self.tiles) > 7 else ""


def build_rack(view: View, chosen: Mapping[str, str]) -> Rack:
    """Build the view's hand of tiles with their possible moves.

    `chosen`: the fields of a form that was rejected.
    """
    turn = view.seat is not None and view.turn == view.seat
    by_tile: dict[int, list[Move]] = {tile: [] for tile in view.tiles}
    for move in view.legal:
        if move.tile is not None:
            by_tile[move.tile].append(move)
    playable = [tile for tile, moves in by_tile.items() if moves]
    picked = _first_chosen(playable, chosen)
    focus = picked if picked is not None else next(iter(playable), None)
    tiles = tuple(
        _rack_tile(view, tile, by_tile[tile], chosen, checked=tile == picked, focus=tile == focus)
        for tile in by_tile
    )
    acts = _actions(view, only=not playable) if turn and view.ends is not None else ()
    return Rack(tiles=tiles, acts=acts, turn=turn, hint=_hint(view, playable) if turn else "")


def _first_chosen(playable: Sequence[int], chosen: Mapping[str, str]) -> int | None:
    before = chosen.get("tile", "")
    if before.isdecimal() and int(before) in playable:
        return int(before)
    return playable[0] if len(playable) == 1 else None


def _rack_tile(
    view: View,
    tile: int,
    moves: Sequence[Move],
    chosen: Mapping[str, str],
    *,
    checked: bool,
    focus: bool,
) -> RackTile:
    places = _end_placements(view, tile, moves, chosen) if moves else ()
    name = sentences.tile_name(view.rules, tile)
    return RackTile(
        tile=tile,
        name=name,
        drawn=draw_tile(view.rules, tile),
        matador=domino_set(view.rules.highest).is_matador(tile),
        fits=bool(moves),
        where=_where_it_fits(view, tile),
        checked=checked,
        places=places,
        focus=focus,
    )


def _where_it_fits(view: View, tile: int) -> str:
    if view.ends is None:
        return ""
    left, right = (bool(end.fits >> tile & 1) for end in view.ends)
    if left and right:
        return _("both ends")
    if left or right:
        return _("left") if left else _("right")
    return _("does not fit")


def _end_placements(
    view: View, tile: int, moves: Sequence[Move], chosen: Mapping[str, str]
) -> tuple[EndPlacements, ...]:
    kept = chosen.get(f"move-{tile}")
    picked = kept if kept in {str(move) for move in moves} else str(moves[0])
    if view.ends is None:
        ways = tuple(_placement(view.rules, move, picked) for move in moves)
        return (EndPlacements(title=_("The first tile"), on="", ways=ways, reason=""),)
    return tuple(
        _placements_at(view, tile, side, [move for move in moves if move.side is side], picked)
        for side in Side
    )


def _placements_at(
    view: View, tile: int, side: Side, moves: Sequence[Move], picked: str
) -> EndPlacements:
    assert view.ends is not None
    end = view.ends[0 if side is Side.LEFT else 1]
    return EndPlacements(
        title=sentences.side_name(side),
        on=_("on %(end)s") % {"end": sentences.end_name(end)},
        ways=tuple(_placement(view.rules, move, picked) for move in moves),
        reason="" if moves else _refusal_at(view.rules, end, tile),
    )


def _refusal_at(rules: Rules, end: End, tile: int) -> str:
    if not end.needs:
        return _("Only a matador can be laid there.")
    return _("This end %(wants)s, so the %(tile)s does not fit.") % {
        "wants": sentences.end_need(end),
        "tile": sentences.tile_name(rules, tile),
    }


def _placement(rules: Rules, move: Move, picked: str) -> Placement:
    return Placement(
        move=str(move),
        text=_placement_label(move),
        drawn=_as_it_would_lie(rules, move),
        checked=str(move) == picked,
    )


def _placement_label(move: Move) -> str:
    if move.kind is MoveKind.LEAD:
        return _("in line")
    if move.across:
        return _("crosswise, both halves open")
    return _("%(half)s outward") % {"half": move.outward}


def _as_it_would_lie(rules: Rules, move: Move) -> DrawnTile:
    """Draw a tile as it would lie in the train after a move.

    At the left end, its outward half is on the left.
    """
    assert move.tile is not None
    low, high = domino_set(rules.highest).tiles[move.tile]
    if move.across:
        return draw_tile(rules, move.tile, flipped=True)
    outward = high if move.outward is None else move.outward
    left = outward if move.side is not Side.RIGHT else low + high - outward
    return draw_tile(rules, move.tile, standing=False, flipped=left == low and low != high)


def _actions(view: View, *, only: bool) -> tuple[Action, ...]:
    kinds = {move.kind for move in view.legal}
    actions = []
    if view.rules.boneyard == "draw":
        allowed = MoveKind.DRAW in kinds
        reason = "" if allowed else _no_drawing(view)
        draw_on = kinds == {MoveKind.DRAW} and view.boneyard > BONEYARD_RESERVE + 1
        actions.append(_action(DRAW, _("Draw"), allowed, reason, only and not draw_on))
        if draw_on:
            actions.append(_action(DRAW_ON, _("Draw until a tile fits"), True, "", only))
    allowed = MoveKind.PASS in kinds
    reason = "" if allowed else _no_passing(view)
    actions.append(_action(PASS, _("Pass"), allowed, reason, only and len(kinds) == 1))
    return tuple(actions)


def _action(do: str, text: str, allowed: bool, reason: str, only: bool) -> Action:
    return Action(do=do, text=text, allowed=allowed, reason=reason, main=only and allowed)


def _forced_tile(view: View) -> str:
    """Return a tile that must be played, because it fits and is no matador (D-5), or "" if none."""
    matadors = domino_set(view.rules.highest).matadors
    plain = [m.tile for m in view.legal if m.tile is not None and not matadors >> m.tile & 1]
    return sentences.tile_name(view.rules, plain[0]) if plain else ""


def _no_drawing(view: View) -> str:
    plain = _forced_tile(view)
    if plain and not view.rules.free_pass:
        return _("You can’t draw a tile: you hold the %(tile)s, which fits.") % {"tile": plain}
    return _("You can’t draw any more tiles, because the last two stay in the boneyard.")


def _no_passing(view: View) -> str:
    if view.can_draw and not _forced_tile(view):
        return _("You can’t pass while there are still tiles to draw.")
    return _("You can’t pass: you hold the %(tile)s, which fits.") % {"tile": _forced_tile(view)}


def _hint(view: View, playable: Sequence[int]) -> str:
    if view.ends is None:
        return _("You lead: lay the first tile.")
    matadors = domino_set(view.rules.highest).matadors
    if playable and all(matadors >> tile & 1 for tile in playable):
        return _("Only matadors fit, and you don’t have to play one.")
    if playable:
        return _("Choose one of the raised tiles.")
    return _("None of your tiles fits.")
