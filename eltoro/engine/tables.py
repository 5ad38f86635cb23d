"""What the engine looks up while it plays: the town as tables of bytes, the cards by their key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eltoro.engine.board import EVEN, ODD, STARTS, Board
from eltoro.engine.cards import copies
from eltoro.engine.dice import FACES, SAME, UNPLACED
from eltoro.engine.effects import PLAYS
from eltoro.engine.moves import Ask, Move

if TYPE_CHECKING:
    from eltoro.engine.rules import Rules


class Tables:
    """The lookups of one rule set."""

    __slots__ = (
        "bare",
        "by_key",
        "cards",
        "deck",
        "destination_cards",
        "down",
        "forks",
        "keys",
        "plays",
        "row_starts",
        "rules",
        "slots",
        "starting",
    )

    def __init__(self, rules: Rules) -> None:
        board = rules.board
        self.rules = rules
        self.cards = rules.cards
        self.keys = tuple(card.key for card in rules.cards)
        self.by_key = {key: index for index, key in enumerate(self.keys)}
        self.plays = tuple(PLAYS[card.effect] for card in rules.cards)
        self.bare = tuple(Move(Ask.CARD, key, ()) for key in self.keys)
        self.deck = tuple(copies(card.count for card in rules.cards))
        self.destination_cards = tuple(copies(each.count for each in rules.destinations))
        self.down = down_table(board)
        self.forks = {at: _led(board, at) for at, space in enumerate(board.spaces) if space.is_fork}
        self.row_starts = tuple(space * FACES - 1 for space in board.rows[0])
        self.starting = _starting(board)
        self.slots = _slots(board)


def down_table(board: Board) -> bytes:
    """By the byte of a die, its byte one row down, where its own parity leads (Ruling E-5)."""
    table = bytearray(SAME)
    for index, space in enumerate(board.spaces):
        if space.ways:
            street = space.ways * 2 if not space.is_fork else space.ways
            table[index * FACES : (index + 1) * FACES] = _six(street[EVEN], street[ODD])
    return bytes(table)


def _six(even: int, odd: int) -> bytes:
    """Where the six faces of a space go, given where even and odd ones do."""
    return bytes((odd if face % 2 else even) * FACES + face - 1 for face in range(1, FACES + 1))


def _led(board: Board, fork: int) -> tuple[bytes, bytes, bytes]:
    """Where its six faces go: led to the even side, to the odd one, or by no token."""
    even, odd = board.spaces[fork].ways
    return _six(even, even), _six(odd, odd), _six(even, odd)


def _starting(board: Board) -> bytes:
    """By the face rolled in the morning, the byte of the runner; a 1 is not placed yet."""
    table = bytearray(SAME)
    table[1] = UNPLACED
    for key in STARTS:
        table[int(key)] = board.find(key) * FACES + int(key) - 1
    return bytes(table)


def _slots(board: Board) -> bytes:
    """By the byte of a runner that has arrived, which of d1 to d5 it is, from 0."""
    table = bytearray(SAME)
    for slot, space in enumerate(board.rows[-1]):
        for face in range(FACES):
            table[space * FACES + face] = slot
    return bytes(table)
