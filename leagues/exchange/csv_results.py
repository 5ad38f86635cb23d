"""Results as CSV: one line a seat, lines of one match alike in `match`.

Cells that a spreadsheet would take for a formula are written with an apostrophe before them,
and read without it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo

from leagues.exchange.findings import Code, Finding, Reading, Refused, quoted, sorted_out
from leagues.exchange.json_results import VERSION, wanted_game
from leagues.exchange.records import (
    KEY_LENGTH,
    NAME_LENGTH,
    NOTE_LENGTH,
    TITLE_LENGTH,
    ResultRecord,
)
from leagues.exchange.seats import Written, result_record
from leagues.exchange.values import decoded, moment_of, number_of, text_of, written_moment

MATCH_COLUMNS = ("version", "match", "key", "played_at", "game", "league", "location", "note")
SEAT_COLUMNS = ("player", "identity", "side", "place", "points")
COLUMNS = (*MATCH_COLUMNS, *SEAT_COLUMNS)
NEEDED = ("match", "played_at", "player")
MOST_LINES = 100_000
MOST_COLUMNS = 100
DELIMITERS = (",", ";", "\t")

_FORMULA = re.compile(r"'*[=+\-@\t\r＝＋－＠]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r＝＋－＠]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file, its number from 1, and its cells by column."""

    number: int
    cells: Mapping[str, str]

    def cell(self, column: str) -> str:
        """A cell, empty where the file has no such column."""
        return self.cells.get(column, "")


def escaped(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def unescaped(cell: str) -> str:
    """The text that was written as this cell."""
    return cell[1:] if _ESCAPED.match(cell) else cell


def write_csv(records: Iterable[ResultRecord]) -> str:
    """The file that holds these results; `read_csv` gives back exactly them."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for number, record in enumerate(records, start=1):
        of_match = [VERSION, number, *map(escaped, _texts(record))]
        for seat in record.seats:
            points = "" if seat.points is None else seat.points
            who = [escaped(seat.player), escaped(seat.identity)]
            writer.writerow([*of_match, *who, seat.side, seat.place, points])
    return out.getvalue()


def _texts(record: ResultRecord) -> list[str]:
    played_at = written_moment(record.played_at)
    return [record.key, played_at, record.game, record.league, record.location, record.note]


def read_csv(
    data: bytes | str,
    *,
    known: Collection[str] = (),
    game: str | None = None,
    zone: tzinfo = UTC,
) -> Reading:
    """What is in a file of results; never raises, whatever the file holds.

    Columns may stand in any order, parted by commas, semicolons or tabs; `match`, `played_at`,
    `player` and one of `place` and `points` are needed. See `read_json` for the rest.
    """
    try:
        lines, cut_short = _lines(decoded(data))
    except Refused as refused:
        return Reading((refused.finding(line=1),))
    found = [finding for some in _by_match(lines) for finding in _findings(some, game, zone)]
    if cut_short:
        found.append(Refused(Code.ROWS, most=MOST_LINES).finding(line=MOST_LINES))
    found.sort(key=lambda finding: finding.line or 0)
    return Reading(sorted_out(found, known))


def _lines(text: str) -> tuple[list[Line], bool]:
    """The lines below the header, and whether there were more than may be."""
    head = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        columns = [cell.strip().casefold() for cell in next(reader, [])]
        _check_columns(columns)
        lines: list[Line] = []
        for line in _numbered(reader, columns):
            if len(lines) == MOST_LINES:
                return lines, True
            lines.append(line)
    except csv.Error:
        raise Refused(Code.NOT_CSV) from None
    return lines, False


def _check_columns(columns: Sequence[str]) -> None:
    missing = [column for column in NEEDED if column not in columns]
    if not {"place", "points"} & set(columns):
        missing.append("place")
    if missing or len(columns) > MOST_COLUMNS:
        raise Refused(Code.COLUMNS, missing=", ".join(missing))


def _numbered(reader: Iterator[list[str]], columns: Sequence[str]) -> Iterator[Line]:
    number = 2
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield Line(
                number, {c: unescaped(cell) for c, cell in zip(columns, cells, strict=False)}
            )
        number = 1 + getattr(reader, "line_num", number)


def _by_match(lines: Iterable[Line]) -> list[list[Line]]:
    matches: dict[str, list[Line]] = {}
    for line in lines:
        label = line.cell("match").strip() or f"line {line.number}"
        matches.setdefault(label, []).append(line)
    return list(matches.values())


def _findings(lines: Sequence[Line], game: str | None, zone: tzinfo) -> list[Finding]:
    """The findings of one match: on its first line, and one for each line that is wrong."""
    first, seats, wrong = lines[0], [], []
    for line in lines:
        try:
            seats.append(_seat(line, first))
        except Refused as refused:
            wrong.append(refused.finding(line=line.number))
    if wrong:
        others = wrong[0].line != first.number
        with_line = Refused(Code.WITH_LINE, line=wrong[0].line).finding(line=first.number)
        return [with_line, *wrong] if others else wrong
    try:
        record = _record(first, seats, game, zone)
    except Refused as refused:
        return [refused.finding(line=first.number, key=str(quoted(first.cell("key"))))]
    return [Finding(Code.NEW, line=first.number, key=record.key, record=record)]


def _seat(line: Line, first: Line) -> Written:
    for column in MATCH_COLUMNS:
        if line.cell(column) not in {"", first.cell(column)}:
            raise Refused(Code.DISAGREES, field=column)
    version = number_of(line.cell("version"), "version")
    if version not in {None, VERSION}:
        raise Refused(Code.VERSION, version=version)
    side = line.cell("side").strip()
    return Written(
        player=text_of(line.cell("player"), "player", NAME_LENGTH),
        identity=text_of(line.cell("identity"), "identity", KEY_LENGTH),
        side=text_of(side, "side", KEY_LENGTH) or None,
        rank=number_of(line.cell("place"), "place", least=1),
        points=number_of(line.cell("points"), "points"),
    )


def _record(first: Line, seats: Sequence[Written], game: str | None, zone: tzinfo) -> ResultRecord:
    return result_record(
        key=text_of(first.cell("key"), "key", KEY_LENGTH),
        played_at=moment_of(first.cell("played_at"), zone),
        game=wanted_game(text_of(first.cell("game"), "game", TITLE_LENGTH), game),
        seats=seats,
        league=text_of(first.cell("league"), "league", TITLE_LENGTH),
        location=text_of(first.cell("location"), "location", TITLE_LENGTH),
        note=text_of(first.cell("note"), "note", NOTE_LENGTH, lines=True),
    )
