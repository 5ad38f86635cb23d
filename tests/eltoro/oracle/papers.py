"""The printed things off their files: the board, the action cards, the destination cards."""

from __future__ import annotations

import csv
import io
from typing import TypedDict

Line = dict[str, str]


class Board(TypedDict):
    """Spaces as listed, the row of each, the ways down from each: `way`, or `even` and `odd`."""

    spaces: list[str]
    row: dict[str, int]
    ways: dict[str, dict[str, str]]
    steps: int


def lines(text: str) -> list[Line]:
    """The lines of a file, by the names of its columns."""
    return list(csv.DictReader(io.StringIO(text)))


def read_board(text: str) -> Board:
    """A board, taken on trust: what makes it legal is not asked here."""
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
    """Where one can go from a space: none at a destination (Ruling E-2)."""
    return {name: line[name] for name in ("way", "even", "odd") if line[name]}


def neighbours(board: Board, space: str) -> list[str]:
    """The spaces beside this one in its row, as the board lists them."""
    row = [other for other in board["spaces"] if board["row"][other] == board["row"][space]]
    at = row.index(space)
    return [row[beside] for beside in (at - 1, at + 1) if 0 <= beside < len(row)]


def signs(board: Board) -> list[str]:
    """All the signs: two at every fork (Ruling E-2)."""
    return [
        f"{space}/{parity}"
        for space in board["spaces"]
        for parity in ("even", "odd")
        if parity in board["ways"][space]
    ]


def read_cards(text: str) -> dict[str, Line]:
    """The kinds of action cards by key, in the order of the file."""
    return {line["card"]: line for line in lines(text)}


def read_destinations(text: str) -> list[Line]:
    """The kinds of destination cards, in the order of the file."""
    return lines(text)


def amount(line: Line) -> int:
    """How much a card does; one where it does not say."""
    return int(line["amount"] or 1)


def pack_of_cards(cards: dict[str, Line]) -> list[str]:
    """All action cards as listed, each kind as often as it is there."""
    return [key for key, line in cards.items() for _ in range(int(line["count"]))]


def pack_of_destinations(destinations: list[Line]) -> list[int]:
    """All destination cards as listed, by the number of their kind."""
    return [number for number, line in enumerate(destinations) for _ in range(int(line["count"]))]
