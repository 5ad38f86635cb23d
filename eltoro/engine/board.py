"""The town: spaces in rows, and the ways down from one row to the next (Ruling E-2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from eltoro.engine.csv_lines import Line, read_lines
from eltoro.engine.errors import DataError

EVEN: Final = 0
ODD: Final = 1
PARITIES: Final = ("even", "odd")
STARTS: Final = ("2", "3", "4", "5", "6")
"""The starting spaces: row 0, named by the face that begins there."""
ENDS: Final = ("d1", "d2", "d3", "d4", "d5")
"""The places of the destination cards: the last row."""
MAX_SPACES: Final = 42
# A space with a face fits into a byte, with two values left for dice outside.
COLUMNS: Final = ("space", "row", "name", "way", "even", "odd")
POSITION_COLUMNS: Final = ("x", "y")

Sign: TypeAlias = tuple[int, int]
"""A path sign: the space it stands at, and `EVEN` or `ODD`."""


@dataclass(frozen=True, slots=True)
class Space:
    """A roundabout, a start or a destination's place.

    `ways`: the spaces one may come to from here, by index: none at a destination, one street, or
    at a fork the even and the odd one. `spot`: where a map draws it, if the board says.
    """

    key: str
    row: int
    name: str
    ways: tuple[int, ...]
    spot: tuple[int, int] | None = None

    @property
    def is_fork(self) -> bool:
        """Return True if signs show the ways."""
        return len(self.ways) == len(PARITIES)


@dataclass(frozen=True)
class Board:
    """A town that has been checked. Spaces are known by their index in `spaces`, as listed.

    `rows`: by row, the spaces as listed. `text`: the file it was read from.
    """

    name: str
    spaces: tuple[Space, ...]
    rows: tuple[tuple[int, ...], ...]
    text: str

    @property
    def steps(self) -> int:
        """How many steps a day has: as many as there are rows to cross (Ruling E-4)."""
        return len(self.rows) - 1

    @cached_property
    def by_key(self) -> Mapping[str, int]:
        """The index of each space by its key."""
        return {space.key: index for index, space in enumerate(self.spaces)}

    def find(self, key: str) -> int:
        """The index of the space with this key; `KeyError` where there is none."""
        return self.by_key[key]

    @cached_property
    def signs(self) -> tuple[Sign, ...]:
        """Every path sign, as the board lists the forks, even first."""
        forks = (index for index, space in enumerate(self.spaces) if space.is_fork)
        return tuple((fork, parity) for fork in forks for parity in (EVEN, ODD))

    @cached_property
    def by_sign(self) -> Mapping[str, Sign]:
        """Every path sign by its name in notation, `fuente/odd`."""
        return {self.write_sign(sign): sign for sign in self.signs}

    def write_sign(self, sign: Sign) -> str:
        """A path sign in notation."""
        return f"{self.spaces[sign[0]].key}/{PARITIES[sign[1]]}"

    def neighbours(self, space: int) -> tuple[int, ...]:
        """The spaces before and after this one in its row, as listed (Ruling E-2)."""
        row = self.rows[self.spaces[space].row]
        at = row.index(space)
        return row[max(at - 1, 0) : at] + row[at + 1 : at + 2]


def read_board(text: str, source: str = "board") -> Board:
    """The board in this text, `space,row,name,way,even,odd` and perhaps `x,y`.

    Raises `DataError` with file, line and the rule it breaks (Ruling E-2).
    """
    lines = read_lines(text, source, COLUMNS, POSITION_COLUMNS)
    if len(lines) > MAX_SPACES:
        raise lines[MAX_SPACES].wrong("spaces", most=MAX_SPACES)
    keys = {line.key("space"): index for index, line in enumerate(lines)}
    rows = _rows(lines, source)
    spaces = tuple(_space(line, keys, len(rows) - 1, lines) for line in lines)
    _check_reached(spaces, lines)
    return Board(source, spaces, rows, text)


def _rows(lines: Sequence[Line], source: str) -> tuple[tuple[int, ...], ...]:
    """The spaces of each row; first and last are what they must be."""
    found: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        found.setdefault(line.whole("row"), []).append(index)
    for row in sorted(found):
        if not 0 <= row < len(found):
            raise lines[found[row][0]].wrong("row", row=row)
    if len(found) < len(("starts", "destinations")):
        raise DataError("rows", source, 0)
    for row, wanted, code in ((0, STARTS, "starts"), (len(found) - 1, ENDS, "ends")):
        if tuple(lines[index]["space"] for index in found[row]) != wanted:
            raise lines[_misplaced_space(lines, found[row], wanted)].wrong(code)
    return tuple(tuple(found[row]) for row in range(len(found)))


def _misplaced_space(lines: Sequence[Line], row: Sequence[int], wanted: Sequence[str]) -> int:
    """The first space of a row that is not the one wanted there, or its last."""
    pairs = zip(row, wanted, strict=False)
    wrong = (index for index, key in pairs if lines[index]["space"] != key)
    return next(wrong, row[-1])


def _space(line: Line, keys: Mapping[str, int], last: int, lines: Sequence[Line]) -> Space:
    row = line.whole("row")
    ways = tuple(
        _read_street(line, column, keys, lines) for column in _direction_columns(line, row == last)
    )
    if len(set(ways)) < len(ways):
        raise line.wrong("same_ways")
    spot = (line.whole("x"), line.whole("y")) if line["x"] or line["y"] else None
    return Space(line["space"], row, line["name"], ways, spot)


def _direction_columns(line: Line, is_end: bool) -> tuple[str, ...]:
    """The columns that name where one goes from here: the street, or both signs."""
    filled = tuple(column for column in ("way", *PARITIES) if line[column])
    if is_end and filled:
        raise line.wrong("way_from_end")
    if not is_end and not filled:
        raise line.wrong("no_way", space=line["space"])
    if filled not in ((), ("way",), PARITIES):
        raise line.wrong("way")
    return filled


def _read_street(line: Line, column: str, keys: Mapping[str, int], lines: Sequence[Line]) -> int:
    """Where a way leads: one row down (Ruling E-2)."""
    to = keys.get(line[column])
    if to is None:
        raise line.wrong("way_to", space=line[column])
    if lines[to].whole("row") != line.whole("row") + 1:
        raise line.wrong("way_rows", space=line[column])
    return to


def _check_reached(spaces: Sequence[Space], lines: Sequence[Line]) -> None:
    """Some way leads to every space below the starts; rows being in order, from a start."""
    reached = set(_all_streets(spaces))
    for index, space in enumerate(spaces):
        if space.row and index not in reached:
            raise lines[index].wrong("unreachable", space=space.key)


def _all_streets(spaces: Sequence[Space]) -> Iterator[int]:
    for space in spaces:
        yield from space.ways
