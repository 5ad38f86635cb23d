"""What a table may have written down of a hand, and the oracle's verdict on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from dominoes.engine import HandSheet, Held
from fairness import Chance
from tests.dominoes.oracle.hand import Hand, Move
from tests.dominoes.oracle.mutations import Log
from tests.dominoes.oracle.open_log import could_be, followed
from tests.dominoes.oracle.paper import off_paper
from tests.dominoes.oracle.reading import tile as read_tile
from tests.dominoes.oracle.tiles import Options, Tile, all_tiles, pips

WAYS = ["tiles", "pips", "nothing", "some", "dealt", "both"]
"""What may stand beside the moves: what was left (as tiles or pips), or dealt, or both, or less."""


def in_ink(tiles: list[Tile]) -> tuple[str, ...]:
    """Tiles as they are written, higher half first."""
    return tuple(f"{high}|{low}" for low, high in tiles)


def sheet(dealt: Hand, over: Hand, log: Log, way: str, chance: Chance) -> HandSheet:
    """The sheet of a hand that is over; only the moves may be anything."""
    held = tuple(written_so(tiles, way, chance) for tiles in over.hands)
    return HandSheet(
        leader=dealt.turn,
        held=held,
        moves=tuple(log),
        deal=tuple(map(in_ink, dealt.hands)) if way in ("dealt", "both") else None,
    )


def written_so(tiles: list[Tile], way: str, chance: Chance) -> Held:
    """What was left in one hand, written down in this way."""
    if way == "pips":
        return Held(pips=pips(tiles))
    if way in ("tiles", "both") or (way == "some" and chance.below(2)):
        return Held(tiles=in_ink(tiles))
    return Held()


def moves_on(written: HandSheet, rules: Options) -> list[Move] | None:
    """The moves of a sheet; None where one of them is no move."""
    try:
        return [off_paper(text, rules) for text in written.moves]
    except ValueError:
        return None


def known_tiles(written: tuple[str, ...] | None) -> list[Tile] | None:
    """Tiles off a sheet, where they stand there."""
    return None if written is None else [read_tile(text) for text in written]


def whole_hand_is_possible(rules: Options, players: int, written: HandSheet) -> bool:
    """Whether the log is a whole hand that some deal makes legal, with these tiles left over."""
    moves = moves_on(written, rules)
    held = [known_tiles(what.tiles) for what in written.held]
    dealt = [known_tiles(what) for what in written.deal] if written.deal else None
    leader = written.leader or 0
    return moves is not None and could_be(rules, players, leader, moves, held, dealt)


def anybody_would_object(rules: Options, players: int, written: HandSheet) -> bool:
    """Whether a move is none, or illegal whatever the tiles nobody saw."""
    moves = moves_on(written, rules)
    return moves is None or bool(followed(rules, players, written.leader or 0, moves).faults)


def with_other_tiles(written: HandSheet, rules: Options, chance: Chance) -> HandSheet:
    """The sheet with one tile changed among those left over or dealt."""
    seats = [seat for seat, what in enumerate(written.held) if what.tiles]
    if not seats:
        return written
    seat = chance.pick(seats)
    tiles = list(written.held[seat].tiles or ())
    high = chance.below(rules["highest"] + 1)
    tiles[chance.below(len(tiles))] = f"{high}|{chance.below(high + 1)}"
    changed = Held(tiles=tuple(tiles))
    return replace(written, held=(*written.held[:seat], changed, *written.held[seat + 1 :]))


def holdings(
    tiles: list[Tile], counts: list[int], figures: list[int]
) -> Iterator[list[list[Tile]]]:
    """Every way of holding some of these tiles, so many a seat, with these pips."""
    if not counts:
        yield []
        return
    for held in combinations(tiles, counts[0]):
        if pips(list(held)) == figures[0]:
            left = [tile for tile in tiles if tile not in held]
            for others in holdings(left, counts[1:], figures[1:]):
                yield [list(held), *others]


def holdings_of(rules: Options, players: int, written: HandSheet) -> Iterator[list[list[Tile]]]:
    """What can be left with these pips, by the numbers of tiles the moves leave (Ruling D-10)."""
    table = followed(rules, players, written.leader or 0, moves_on(written, rules) or [])
    unseen = [tile for tile in all_tiles(rules["highest"]) if tile not in table.played]
    return holdings(unseen, table.counts, [what.pips or 0 for what in written.held])


def pips_are_possible(rules: Options, players: int, written: HandSheet) -> bool:
    """Whether the log is a whole hand after which these pips can be left; for small sets."""
    moves = moves_on(written, rules) or []
    return any(
        could_be(rules, players, written.leader or 0, moves, held)
        for held in holdings_of(rules, players, written)
    )
