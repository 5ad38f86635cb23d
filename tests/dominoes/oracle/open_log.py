"""Check whether a hand of which only the moves are known can have been dealt (Rulings D-3 to D-6).

A table that writes down its moves does not write down all tiles that the players held. The moves
are possible if they are all legal with some deal.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.dominoes.oracle.hand import Move
from tests.dominoes.oracle.hidden_tiles import Known, faults_of_hidden_tiles
from tests.dominoes.oracle.open_table import OpenHand, faults_of_the_end, follow_move, open_table
from tests.dominoes.oracle.tiles import Options, Tile, possible_players


def could_be(
    rules: Options,
    players: int,
    leader: int,
    moves: Sequence[Move],
    held: Sequence[list[Tile] | None] | None = None,
    dealt: Sequence[list[Tile] | None] | None = None,
) -> bool:
    """Return whether these moves are a whole hand that is legal with some deal.

    `held` contains the tiles left at the end, if they are known.
    """
    return not faults_of(rules, players, leader, moves, held, dealt)


def faults_of(
    rules: Options,
    players: int,
    leader: int,
    moves: Sequence[Move],
    held: Sequence[list[Tile] | None] | None = None,
    dealt: Sequence[list[Tile] | None] | None = None,
) -> list[str]:
    """Return all errors in the moves of a whole hand, or an empty list."""
    table = followed(rules, players, leader, moves)
    if not table.faults:
        table.faults += faults_of_the_end(table, len(moves))
    nothing = [None] * players
    return table.faults or faults_of_hidden_tiles(table, Known(held or nothing, dealt or nothing))


def could_begin(
    rules: Options,
    players: int,
    leader: int,
    moves: Sequence[Move],
    dealt: Sequence[list[Tile] | None] | None = None,
) -> bool:
    """Return whether some legal hand begins with these moves."""
    table = followed(rules, players, leader, moves)
    nothing = [None] * players
    return not table.faults and not faults_of_hidden_tiles(table, Known(nothing, dealt or nothing))


def followed(rules: Options, players: int, leader: int, moves: Sequence[Move]) -> OpenHand:
    """Return the table after these moves, or after the first one that no deal makes legal."""
    table = open_table(rules, players, leader)
    if players not in possible_players(rules) or not 0 <= leader < players:
        table.faults.append("no such table")
    for at, move in enumerate(moves):
        if not table.faults:
            follow_move(table, at, move)
    return table
