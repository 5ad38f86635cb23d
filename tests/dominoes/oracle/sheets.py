"""Scoresheets of a hand with its moves, and whether the oracle thinks them possible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from dominoes.engine import FinalTiles, HandSheet
from fairness import Chance
from tests.dominoes.oracle.hand import Hand, Move
from tests.dominoes.oracle.mutations import Log
from tests.dominoes.oracle.open_log import could_be, followed
from tests.dominoes.oracle.paper import off_paper
from tests.dominoes.oracle.reading import tile as read_tile
from tests.dominoes.oracle.tiles import Options, Tile, all_tiles, pips

# What a scoresheet can contain besides the moves: the remaining tiles, the remaining pips, nothing,
# the tiles of some seats, the deal, or both the tiles and the deal.
WAYS = ["tiles", "pips", "nothing", "some", "dealt", "both"]


def in_ink(tiles: list[Tile]) -> tuple[str, ...]:
    """Return tiles in notation, with the higher half first."""
    return tuple(f"{high}|{low}" for low, high in tiles)


def sheet(dealt: Hand, over: Hand, log: Log, way: str, chance: Chance) -> HandSheet:
    """Return the scoresheet of a finished hand with these moves, which may contain mistakes."""
    held = tuple(written_so(tiles, way, chance) for tiles in over.hands)
    return HandSheet(
        leader=dealt.turn,
        held=held,
        moves=tuple(log),
        deal=tuple(map(in_ink, dealt.hands)) if way in ("dealt", "both") else None,
    )


def written_so(tiles: list[Tile], way: str, chance: Chance) -> FinalTiles:
    """Return how the remaining tiles of one seat are written down in this way."""
    if way == "pips":
        return FinalTiles(pips=pips(tiles))
    if way in ("tiles", "both") or (way == "some" and chance.below(2)):
        return FinalTiles(tiles=in_ink(tiles))
    return FinalTiles()


def moves_on(written: HandSheet, rules: Options) -> list[Move] | None:
    """Parse the moves of a scoresheet; return `None` if one of them is not a move."""
    try:
        return [off_paper(text, rules) for text in written.moves]
    except ValueError:
        return None


def known_tiles(written: tuple[str, ...] | None) -> list[Tile] | None:
    """Parse tiles of a scoresheet; return `None` if they are not written down."""
    return None if written is None else [read_tile(text) for text in written]


def whole_hand_is_possible(rules: Options, players: int, written: HandSheet) -> bool:
    """Return whether the moves are a whole hand that is legal with some deal and these tiles."""
    moves = moves_on(written, rules)
    held = [known_tiles(what.tiles) for what in written.held]
    dealt = [known_tiles(what) for what in written.deal] if written.deal else None
    leader = written.leader or 0
    return moves is not None and could_be(rules, players, leader, moves, held, dealt)


def anybody_would_object(rules: Options, players: int, written: HandSheet) -> bool:
    """Return whether one of the moves is invalid, or is illegal whatever tiles were dealt."""
    moves = moves_on(written, rules)
    return moves is None or bool(followed(rules, players, written.leader or 0, moves).faults)


def with_other_tiles(written: HandSheet, rules: Options, chance: Chance) -> HandSheet:
    """Return the scoresheet with one remaining tile replaced by another."""
    seats = [seat for seat, what in enumerate(written.held) if what.tiles]
    if not seats:
        return written
    seat = chance.pick(seats)
    tiles = list(written.held[seat].tiles or ())
    high = chance.below(rules["highest"] + 1)
    tiles[chance.below(len(tiles))] = f"{high}|{chance.below(high + 1)}"
    changed = FinalTiles(tiles=tuple(tiles))
    return replace(written, held=(*written.held[:seat], changed, *written.held[seat + 1 :]))


def holdings(
    tiles: list[Tile], counts: list[int], figures: list[int]
) -> Iterator[list[list[Tile]]]:
    """Yield every distribution of tiles to the seats in which each seat has this many tiles with
    this many pips.
    """
    if not counts:
        yield []
        return
    for held in combinations(tiles, counts[0]):
        if pips(list(held)) == figures[0]:
            left = [tile for tile in tiles if tile not in held]
            for others in holdings(left, counts[1:], figures[1:]):
                yield [list(held), *others]


def holdings_of(rules: Options, players: int, written: HandSheet) -> Iterator[list[list[Tile]]]:
    """Yield all tiles that can be left with the written pips (Ruling D-10).

    The number of tiles of each seat follows from the moves.
    """
    table = followed(rules, players, written.leader or 0, moves_on(written, rules) or [])
    unseen = [tile for tile in all_tiles(rules["highest"]) if tile not in table.played]
    return holdings(unseen, table.counts, [what.pips or 0 for what in written.held])


def pips_are_possible(rules: Options, players: int, written: HandSheet) -> bool:
    """Return whether the moves can leave these pips, by trying all tiles (for small sets)."""
    moves = moves_on(written, rules) or []
    return any(
        could_be(rules, players, written.leader or 0, moves, held)
        for held in holdings_of(rules, players, written)
    )
