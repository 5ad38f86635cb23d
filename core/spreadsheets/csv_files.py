"""Read and write tables as CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from core.spreadsheets.encodings import DamagedText, Decoded, UnknownEncoding, decode
from core.spreadsheets.errors import Refused
from core.spreadsheets.limits import Limits
from core.spreadsheets.messages import gettext_noop as _
from core.spreadsheets.sheets import Line, Sheet, escape_formula, separated, unescape_formula


def read_csv(data: bytes, name: str, limits: Limits) -> tuple[Sheet, bool]:
    """Return a table, and whether its encoding was guessed. Raises `Refused`."""
    decoded = _decoded(data, name)
    if "\0" in decoded.text:
        raise Refused(_("This is not a text file. Save the table as CSV in UTF-8."), name)
    text, delimiter = separated(decoded.text)
    # With `newline=""`, every kind of line end ends a line, also a bare carriage return.
    lines = _lines(
        csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), name, limits
    )
    return Sheet(name, lines), decoded.guessed


def _decoded(data: bytes, name: str) -> Decoded:
    try:
        return decode(data)
    except DamagedText as error:
        sentence = _("The file is damaged: its text is not valid %(encoding)s.")
        raise Refused(sentence, name, encoding=error.encoding) from None
    except UnknownEncoding as error:
        raise Refused(
            _(
                "The encoding of the file can’t be recognised: a word comes out as “%(word)s”. "
                "Save it as UTF-8 and try again."
            ),
            name,
            word=error.word,
        ) from None


def _lines(rows: Iterable[Sequence[str]], name: str, limits: Limits) -> list[Line]:
    lines: list[Line] = []
    number = 0
    try:
        for number, cells in enumerate(rows, 1):
            line = Line(number, [unescape_formula(cell.strip()) for cell in cells])
            if not line.empty:
                check_size(lines, line, name, limits)
                lines.append(line)
    except csv.Error:
        sentence = _("The quotation marks in this row do not match.")
        raise Refused(sentence, name, number + 1) from None
    return lines


def check_size(lines: Sequence[Line], line: Line, name: str, limits: Limits) -> None:
    if len(lines) > limits.rows:
        raise Refused(
            _("The table has more than %(most)s rows."), name, line.number, most=limits.rows
        )
    if len(line.cells) > limits.columns:
        raise Refused(
            _("The row has more than %(most)s cells."), name, line.number, most=limits.columns
        )


def write_csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return the rows as CSV. Cells that look like formulas are escaped."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([[escape_formula(cell) for cell in row] for row in rows])
    return out.getvalue()
