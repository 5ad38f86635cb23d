"""All possible ends of hands with a set small enough to try every deal and every move."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from tests.dominoes.oracle.hand import (
    Hand,
    is_dead,
    is_over,
    legal_moves,
    make_move,
    possible_leaders,
)
from tests.dominoes.oracle.placing import End
from tests.dominoes.oracle.tiles import Options, Tile, all_tiles

Tiles = tuple[Tile, ...]
Ending = tuple[tuple[Tiles, ...], int | None]


class HandState(NamedTuple):
    """Everything on which the rest of a hand depends. The order of the boneyard is not included."""

    hands: tuple[Tiles, ...]
    boneyard: Tiles
    turn: int
    ends: tuple[tuple[str, End], ...]
    passes: int


def deals(tiles: list[Tile], players: int, size: int) -> Iterator[tuple[tuple[Tiles, ...], Tiles]]:
    """Yield every possible deal with the tiles that remain in the boneyard."""
    if not players:
        yield (), tuple(tiles)
        return
    for held in combinations(tiles, size):
        rest = [tile for tile in tiles if tile not in held]
        for others, boneyard in deals(rest, players - 1, size):
            yield (held, *others), boneyard


def table(rules: Options, state: HandState) -> Hand:
    """Return a hand of the oracle in this state."""
    hands = [list(held) for held in state.hands]
    hand = Hand(rules, hands, list(state.boneyard), state.turn, passes=state.passes)
    hand.ends = dict(state.ends)
    hand.train = [(0, 0)] if state.ends else []  # only the ends of the train matter
    return hand


def state_of(hand: Hand) -> HandState:
    """Return the state of a hand, without the order of held tiles and without its moves."""
    hands = tuple(tuple(sorted(held)) for held in hand.hands)
    boneyard, ends = tuple(sorted(hand.boneyard)), tuple(sorted(hand.ends.items()))
    return HandState(hands, boneyard, hand.turn, ends, hand.passes)


def after_every_move(rules: Options, state: HandState) -> Iterator[Hand]:
    """Yield the hand after each legal move.

    A draw is repeated for each tile that can be drawn.
    """
    for move in legal_moves(table(rules, state)):
        for drawn in state.boneyard if move.kind == "draw" else (None,):
            hand = table(rules, state)
            if drawn is not None:
                hand.boneyard.remove(drawn)
                hand.boneyard.insert(0, drawn)
            make_move(hand, move)
            yield hand


def all_endings(rules: Options, players: int) -> frozenset[Ending]:
    """Return all possible ends of a hand: remaining tiles by seat and who went out."""
    of_no_matter = {"target": 0, "out_wins": False, "partners": False}
    return _endings(tuple(sorted({**rules, **of_no_matter}.items())), players)


@cache
def _endings(rules_items: tuple[tuple[str, object], ...], players: int) -> frozenset[Ending]:
    rules: Options = dict(rules_items)  # type: ignore[assignment]
    waiting = [
        HandState(hands, boneyard, leader, (), 0)
        for hands, boneyard in deals(all_tiles(rules["highest"]), players, rules["hand_size"])
        for leader in possible_leaders(rules, [list(held) for held in hands], [], None)
    ]
    known, found = set(waiting), set[Ending]()
    while waiting:
        for hand in after_every_move(rules, waiting.pop()):
            state = state_of(hand)
            if is_over(hand) or is_dead(hand):
                found.add((state.hands, hand.out))
            if not is_over(hand) and state not in known:
                known.add(state)
                waiting.append(state)
    return frozenset(found)
