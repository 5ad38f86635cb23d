"""Boards, action cards and destination cards, read from their CSV files."""

from __future__ import annotations

import csv
import io
from typing import TypedDict

Line = dict[str, str]


class Board(TypedDict):
    """A board: its spaces as listed, the row of each space and the ways down from it.

    A space has either one `way`, or the ways `even` and `odd` of a fork.
    """

    spaces: list[str]
    row: dict[str, int]
    ways: dict[str, dict[str, str]]
    steps: int


def lines(text: str) -> list[Line]:
    """Parse CSV lines into dictionaries by column name."""
    return list(csv.DictReader(io.StringIO(text)))


def read_board(text: str) -> Board:
    """Parse a board without checking whether it is valid."""
    read = lines(text)
    ways = {line["space"]: ways_of(line) for line in read}
    row = {line["space"]: int(line["row"]) for line in read}
    return {
        "spaces": [line["space"] for line in read],
        "row": row,
        "ways": ways,
        "steps": max(row.values()),
    }


def ways_of(line: Line) -> dict[str, str]:
    """Return the ways down from a space; a destination has none (Ruling E-2)."""
    return {name: line[name] for name in ("way", "even", "odd") if line[name]}


def neighbours(board: Board, space: str) -> list[str]:
    """Return the spaces beside this space in its row, in the order of the board's list."""
    row = [other for other in board["spaces"] if board["row"][other] == board["row"][space]]
    at = row.index(space)
    return [row[beside] for beside in (at - 1, at + 1) if 0 <= beside < len(row)]


def signs(board: Board) -> list[str]:
    """Return all signs of a board: two at every fork (Ruling E-2)."""
    return [
        f"{space}/{parity}"
        for space in board["spaces"]
        for parity in ("even", "odd")
        if parity in board["ways"][space]
    ]


def read_cards(text: str) -> dict[str, Line]:
    """Return the kinds of action cards by key, in the order of the file."""
    return {line["card"]: line for line in lines(text)}


def read_destinations(text: str) -> list[Line]:
    """Return the kinds of destination cards, in the order of the file."""
    return lines(text)


def amount(line: Line) -> int:
    """Return the amount of a card, or 1 if none is given."""
    return int(line["amount"] or 1)


def pack_of_cards(cards: dict[str, Line]) -> list[str]:
    """Return all action cards as listed, each kind as often as its count says."""
    return [key for key, line in cards.items() for _ in range(int(line["count"]))]


def pack_of_destinations(destinations: list[Line]) -> list[int]:
    """Return all destination cards by the number of their kind, as often as its count says."""
    return [number for number, line in enumerate(destinations) for _ in range(int(line["count"]))]
