"""Reader and writer of results as CSV, with one line for each player of a match.

Lines of the same match have the same value in the column `match`. The writer puts an apostrophe
before cells that a spreadsheet would interpret as a formula, and the reader removes it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from itertools import chain

from core.names.text import clean, comparison_key
from core.spreadsheets.sheets import separated
from leagues.exchange.formats.json_results import VERSION, check_game
from leagues.exchange.formats.parsing import (
    WrittenSeat,
    decode,
    parse_number,
    parse_round,
    parse_text,
    result_record,
)
from leagues.exchange.formats.results import (
    MAX_KEY_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    MAX_TITLE_LENGTH,
    Code,
    FileReading,
    InvalidValue,
    ResultFinding,
    ResultRecord,
    description,
    mark_repeated,
    quoted,
)
from leagues.exchange.formats.times import format_moment, parse_moment, proves_day_first

MATCH_COLUMNS = ("version", "match", "key", "played_at", "game", "league", "location", "note")
SEAT_COLUMNS = ("player", "identity", "side", "place", "points")
ORIGIN_COLUMNS = ("site", "league_id")
# Column with the round of a match. Files of leagues without rounds do not have it.
ROUND_COLUMN = "round"
COLUMNS = (*MATCH_COLUMNS, *SEAT_COLUMNS, *ORIGIN_COLUMNS)
READ_COLUMNS = (*COLUMNS, ROUND_COLUMN)
REQUIRED_COLUMNS = ("match", "played_at", "player")
MAX_LINES = 100_000
# Text appended to the file. If the reader finds it inside a cell, a quotation mark was not closed.
_END = "\ue000end"

_FORMULA = re.compile(r"'*[=+\-@\t\r＝＋－＠]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r＝＋－＠]")


@dataclass(frozen=True, slots=True)
class CsvResultLine:
    number: int
    cells: Mapping[str, str]

    def cell(self, column: str) -> str:
        return self.cells.get(column, "")


@dataclass(frozen=True, slots=True)
class _File:
    """Settings for reading all lines of a file.

    These are the accepted game, its other names, the time zone, whether days come before months,
    and whether the column of rounds is read.
    """

    game: str | None
    names: Collection[str]
    zone: tzinfo
    day_first: bool
    rounds: bool


def escaped(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text


def unescaped(cell: str) -> str:
    return cell[1:] if _ESCAPED.match(cell) else cell


def write_csv(records: Iterable[ResultRecord], *, rounds: bool = False) -> str:
    """Write results as CSV. `read_csv` returns exactly the same results.

    The column of rounds is left out if no result has a round, unless `rounds` is True.
    """
    out, written = io.StringIO(newline=""), list(records)
    rounds = rounds or any(record.round is not None for record in written)
    csv.writer(out, lineterminator="\r\n").writerows(csv_rows(written, rounds=rounds))
    return out.getvalue()


def csv_rows(
    records: Iterable[ResultRecord], *, rounds: bool = False
) -> Iterator[Sequence[object]]:
    """Yield the rows of a CSV file with these results, starting with the column names.

    `rounds` adds the column of rounds.
    """
    yield READ_COLUMNS if rounds else COLUMNS
    for number, record in enumerate(records, start=1):
        played_at = format_moment(record.played_at)
        texts = (record.key, played_at, record.game, record.league, record.location, record.note)
        of_match = [VERSION, number, *map(escaped, texts)]
        rest: list[object] = [escaped(record.site), escaped(record.league_id)]
        if rounds:
            rest.append("" if record.round is None else record.round)
        for seat in record.seats:
            place = "" if record.is_bye else seat.place
            points = "" if seat.points is None else seat.points
            who = [escaped(seat.player), escaped(seat.identity)]
            yield [*of_match, *who, seat.side, place, points, *rest]


def read_csv(
    data: bytes | str,
    *,
    game: str | None = None,
    names: Collection[str] = (),
    zone: tzinfo = UTC,
    rounds: bool = True,
) -> FileReading:
    """Read results from CSV. Never raises.

    Columns may be in any order and are separated by commas, semicolons or tabs. The columns
    `match`, `played_at`, `player` and one of `place` and `points` are required. See `read_json` for
    the arguments.
    """
    try:
        lines, cut_short = _lines(decode(data), READ_COLUMNS if rounds else COLUMNS)
    except InvalidValue as refused:
        return FileReading((refused.finding(line=int(refused.params.get("line", 1))),))
    day_first = proves_day_first(line.cell("played_at") for line in lines)
    context = _File(game, names, zone, day_first, rounds)
    findings = [finding for some in _by_match(lines) for finding in _findings(some, context)]
    if cut_short:
        findings.append(InvalidValue(Code.ROWS, most=MAX_LINES).finding(line=MAX_LINES))
    findings.sort(key=lambda finding: finding.line or 0)
    return FileReading(mark_repeated(findings))


def _lines(text: str, read: Collection[str]) -> tuple[list[CsvResultLine], bool]:
    """Return the lines after the column names, and whether the file has more than `MAX_LINES`.

    `read` are the names of the columns to read. Other columns are ignored.
    """
    lines: list[CsvResultLine] = []
    try:
        rows = _rows(text)
        _number, heading = next(rows, (1, []))
        columns = _known_columns(heading, read)
        for number, cells in rows:
            if len(lines) == MAX_LINES:
                return lines, True
            known = {name: cells[at] for at, name in columns.items() if at < len(cells)}
            lines.append(
                CsvResultLine(number, {name: unescaped(cell) for name, cell in known.items()})
            )
    except csv.Error:
        raise InvalidValue(Code.NOT_CSV) from None
    return lines, False


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with its line number in the file.

    Raises `InvalidValue` if a quotation mark is not closed. Otherwise the rest of the file would
    become a single cell, and all its rows would be lost.
    """
    table, delimiter = separated(text)
    # The first line may only name the separator. It is not part of the table.
    first = 2 if len(table) < len(text) else 1
    lines = chain(io.StringIO(table, newline=""), [_END])
    reader = csv.reader(lines, delimiter=delimiter)
    number = first
    for cells in reader:
        if cells and _END in cells[-1]:
            if cells != [_END]:
                raise InvalidValue(Code.QUOTES, line=number)
            return
        if any(cell.strip() for cell in cells):
            yield number, cells
        number = first + reader.line_num


def _known_columns(heading: Sequence[str], read: Collection[str]) -> dict[int, str]:
    """Return the names of the columns to read, by position.

    Raises `InvalidValue` if the heading is invalid.
    """
    names = [comparison_key(cell) for cell in heading]
    for name in read:
        if names.count(name) > 1:
            raise InvalidValue(Code.REPEATED, name=name)
    missing = [name for name in REQUIRED_COLUMNS if name not in names]
    if not {"place", "points"} & set(names):
        missing.append("place")
    if missing:
        raise InvalidValue(Code.COLUMNS, missing=", ".join(missing))
    return {at: name for at, name in enumerate(names) if name in read}


def _by_match(lines: Iterable[CsvResultLine]) -> list[list[CsvResultLine]]:
    matches: dict[str, list[CsvResultLine]] = {}
    for line in lines:
        label = clean(line.cell("match")) or f"line {line.number}"
        matches.setdefault(label, []).append(line)
    return list(matches.values())


def _findings(lines: Sequence[CsvResultLine], context: _File) -> list[ResultFinding]:
    first, seats, wrong = lines[0], [], []
    about = description(first.cell("played_at"), [line.cell("player") for line in lines])
    for line in lines:
        try:
            seats.append(_seat(line, first, context))
        except InvalidValue as refused:
            wrong.append(refused.finding(line=line.number, about=about))
    if wrong:
        others = wrong[0].line != first.number
        with_line = InvalidValue(Code.WITH_LINE, line=wrong[0].line)
        return [with_line.finding(line=first.number, about=about), *wrong] if others else wrong
    try:
        record = _record(first, seats, context)
    except InvalidValue as refused:
        key = str(quoted(first.cell("key")))
        return [refused.finding(line=first.number, key=key, about=about)]
    return [ResultFinding(Code.NEW, line=first.number, key=record.key, record=record)]


def _seat(line: CsvResultLine, first: CsvResultLine, context: _File) -> WrittenSeat:
    of_match = (*MATCH_COLUMNS, *ORIGIN_COLUMNS, *((ROUND_COLUMN,) if context.rounds else ()))
    for column in of_match:
        if clean(line.cell(column)) not in {"", clean(first.cell(column))}:
            raise InvalidValue(Code.DISAGREES, field=column)
    version = parse_number(line.cell("version"), "version")
    if version not in {None, VERSION}:
        raise InvalidValue(Code.VERSION, version=version)
    return WrittenSeat(
        player=parse_text(line.cell("player"), "player", MAX_NAME_LENGTH),
        identity=parse_text(line.cell("identity"), "identity", MAX_KEY_LENGTH),
        side=parse_text(line.cell("side"), "side", MAX_KEY_LENGTH) or None,
        rank=parse_number(line.cell("place"), "place", least=1),
        points=parse_number(line.cell("points"), "points"),
    )


def _record(first: CsvResultLine, seats: Sequence[WrittenSeat], context: _File) -> ResultRecord:
    return result_record(
        key=parse_text(first.cell("key"), "key", MAX_KEY_LENGTH),
        played=parse_moment(first.cell("played_at"), context.zone, day_first=context.day_first),
        game=check_game(
            parse_text(first.cell("game"), "game", MAX_TITLE_LENGTH), context.game, context.names
        ),
        seats=seats,
        league=parse_text(first.cell("league"), "league", MAX_TITLE_LENGTH),
        location=parse_text(first.cell("location"), "location", MAX_TITLE_LENGTH),
        note=parse_text(first.cell("note"), "note", MAX_NOTE_LENGTH, lines=True),
        origin=(
            parse_text(first.cell("site"), "site", MAX_KEY_LENGTH),
            parse_text(first.cell("league_id"), "league_id", MAX_KEY_LENGTH),
        ),
        round_number=parse_round(first.cell(ROUND_COLUMN).strip()) if context.rounds else None,
    )
