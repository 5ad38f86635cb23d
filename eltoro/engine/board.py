"""The board (town) of El Toro: spaces in rows, and streets from each row to the next (E-2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from eltoro.engine.csv_lines import CsvLine, read_lines
from eltoro.engine.errors import DataError

EVEN: Final = 0
ODD: Final = 1
PARITIES: Final = ("even", "odd")
# The spaces of row 0. The key of a starting space is the face with which a runner begins there.
STARTS: Final = ("2", "3", "4", "5", "6")
# The spaces of the last row, on which the destination cards are laid out.
ENDS: Final = ("d1", "d2", "d3", "d4", "d5")
# Maximum number of spaces. A space with a face must fit into a byte, with two values left for dice
# that are not on the board.
MAX_SPACES: Final = 42
COLUMNS: Final = ("space", "row", "name", "way", "even", "odd")
POSITION_COLUMNS: Final = ("x", "y")

# A path sign at a fork: the index of its space, and `EVEN` or `ODD`.
Sign: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the board: a starting space, a roundabout or the place of a destination.

    `ways`: indexes of the next spaces. A destination has no next space. A space at a fork has two:
    first the space for even faces, then the space for odd faces. All other spaces have one. `spot`:
    the position on the map, if the board defines it.
    """

    key: str
    row: int
    name: str
    ways: tuple[int, ...]
    spot: tuple[int, int] | None = None

    @property
    def is_fork(self) -> bool:
        """True if the space has path signs for an even and an odd way."""
        return len(self.ways) == len(PARITIES)


@dataclass(frozen=True)
class Board:
    """A valid board of El Toro. Spaces are identified by their index in `spaces`.

    `rows`: the spaces of each row in the order of the file. `text`: the content of the file.
    """

    name: str
    spaces: tuple[Space, ...]
    rows: tuple[tuple[int, ...], ...]
    text: str

    @property
    def steps(self) -> int:
        """Number of steps in a day, one for each row that runners cross (Ruling E-4)."""
        return len(self.rows) - 1

    @cached_property
    def by_key(self) -> Mapping[str, int]:
        """Index of each space of the board by its key."""
        return {space.key: index for index, space in enumerate(self.spaces)}

    def find_space(self, key: str) -> int:
        """Return the index of the space with this key. Raises `KeyError`."""
        return self.by_key[key]

    @cached_property
    def signs(self) -> tuple[Sign, ...]:
        """All path signs in the order of the forks, even first."""
        forks = (index for index, space in enumerate(self.spaces) if space.is_fork)
        return tuple((fork, parity) for fork in forks for parity in (EVEN, ODD))

    @cached_property
    def by_sign(self) -> Mapping[str, Sign]:
        """All path signs by their notation, such as `fuente/odd`."""
        return {self.write_sign(sign): sign for sign in self.signs}

    def write_sign(self, sign: Sign) -> str:
        """Return a path sign in notation."""
        return f"{self.spaces[sign[0]].key}/{PARITIES[sign[1]]}"

    def neighbours(self, space: int) -> tuple[int, ...]:
        """Return the spaces next to this space in its row (Ruling E-2)."""
        row = self.rows[self.spaces[space].row]
        at = row.index(space)
        return row[max(at - 1, 0) : at] + row[at + 1 : at + 2]


def read_board(text: str, source: str = "board") -> Board:
    """Parse a board with the columns `space,row,name,way,even,odd` and optionally `x,y`.

    Raises `DataError` with file, line and the broken rule (Ruling E-2).
    """
    lines = read_lines(text, source, COLUMNS, POSITION_COLUMNS)
    if len(lines) > MAX_SPACES:
        raise lines[MAX_SPACES].data_error("spaces", most=MAX_SPACES)
    keys = {line.key("space"): index for index, line in enumerate(lines)}
    rows = _rows(lines, source)
    spaces = tuple(_space(line, keys, len(rows) - 1, lines) for line in lines)
    _check_reached(spaces, lines)
    return Board(source, spaces, rows, text)


def _rows(lines: Sequence[CsvLine], source: str) -> tuple[tuple[int, ...], ...]:
    """Return the spaces of each row. Raises `DataError` for an invalid first or last row."""
    spaces_by_row: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        spaces_by_row.setdefault(line.whole_number("row"), []).append(index)
    for row in sorted(spaces_by_row):
        if not 0 <= row < len(spaces_by_row):
            raise lines[spaces_by_row[row][0]].data_error("row", row=row)
    if len(spaces_by_row) < len(("starts", "destinations")):
        raise DataError("rows", source, 0)
    for row, wanted, code in ((0, STARTS, "starts"), (len(spaces_by_row) - 1, ENDS, "ends")):
        if tuple(lines[index]["space"] for index in spaces_by_row[row]) != wanted:
            raise lines[_misplaced_space(lines, spaces_by_row[row], wanted)].data_error(code)
    return tuple(tuple(spaces_by_row[row]) for row in range(len(spaces_by_row)))


def _misplaced_space(lines: Sequence[CsvLine], row: Sequence[int], wanted: Sequence[str]) -> int:
    """Return the space of a first or last row that an error message should name: the first space
    whose key is not the required key, or else the last space of the row.
    """
    pairs = zip(row, wanted, strict=False)
    wrong = (index for index, key in pairs if lines[index]["space"] != key)
    return next(wrong, row[-1])


def _space(line: CsvLine, keys: Mapping[str, int], last: int, lines: Sequence[CsvLine]) -> Space:
    row = line.whole_number("row")
    ways = tuple(
        _read_street(line, column, keys, lines) for column in _direction_columns(line, row == last)
    )
    if len(set(ways)) < len(ways):
        raise line.data_error("same_ways")
    spot = (line.whole_number("x"), line.whole_number("y")) if line["x"] or line["y"] else None
    return Space(line["space"], row, line["name"], ways, spot)


def _direction_columns(line: CsvLine, is_end: bool) -> tuple[str, ...]:
    """Return the columns that name the next spaces: `way` for a street, or `even` and `odd`.

    Raises `DataError` if they are filled in wrongly.
    """
    filled = tuple(column for column in ("way", *PARITIES) if line[column])
    if is_end and filled:
        raise line.data_error("way_from_end")
    if not is_end and not filled:
        raise line.data_error("no_way", space=line["space"])
    if filled not in ((), ("way",), PARITIES):
        raise line.data_error("way")
    return filled


def _read_street(
    line: CsvLine, column: str, keys: Mapping[str, int], lines: Sequence[CsvLine]
) -> int:
    """Return the index of the space to which a street leads. It must be one row down (E-2)."""
    to = keys.get(line[column])
    if to is None:
        raise line.data_error("way_to", space=line[column])
    if lines[to].whole_number("row") != line.whole_number("row") + 1:
        raise line.data_error("way_rows", space=line[column])
    return to


def _check_reached(spaces: Sequence[Space], lines: Sequence[CsvLine]) -> None:
    """Raise `DataError` if a space below the starting spaces cannot be reached."""
    reached = set(_all_streets(spaces))
    for index, space in enumerate(spaces):
        if space.row and index not in reached:
            raise lines[index].data_error("unreachable", space=space.key)


def _all_streets(spaces: Sequence[Space]) -> Iterator[int]:
    for space in spaces:
        yield from space.ways
