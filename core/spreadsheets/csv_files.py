"""Reading and writing tables as CSV, and detecting their encoding."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from core.spreadsheets.errors import Refused
from core.spreadsheets.errors import gettext_noop as _
from core.spreadsheets.limits import Limits
from core.spreadsheets.sheets import DELIMITERS, Line, Sheet, escape_formula, unescape_formula

_SEP: Final = re.compile(r"sep=([,;\t])\r?\n", re.IGNORECASE)


def read_csv(data: bytes, name: str, limits: Limits) -> tuple[Sheet, bool]:
    """Read a table and tell whether its encoding was guessed. Raises `Refused`."""
    text, guessed = decode(data, name)
    if "\0" in text:
        raise Refused(_("This is not a text file. Save the table as CSV in UTF-8."), name)
    text, delimiter = _delimited(text)
    lines = _lines(
        csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), name, limits
    )
    return Sheet(name, lines), guessed


def _delimited(text: str) -> tuple[str, str]:
    """Return the text without a leading `sep=` line, and the delimiter."""
    match = _SEP.match(text)
    if match:
        return text[match.end() :], match[1]
    head = text.lstrip().partition("\n")[0]
    return text, max(DELIMITERS, key=head.count)


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


_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LATIN: Final = frozenset(
    "áéíóúàèìòùâêîôûäëïöüãõñçýÁÉÍÓÚÀÈÌÒÙÂÊÎÔÛÄËÏÖÜÃÕÑÇÝßøåæœŒ¿¡ºª«»·’‘“”–—…°€\xa0"
)


class Decoded(NamedTuple):
    """The text of a file. `guessed`: nothing in the file names its encoding."""

    text: str
    guessed: bool = False


def decode(data: bytes, name: str) -> Decoded:
    """Decode a file. Raises `Refused` if its encoding is unknown.

    Latin encodings are accepted only if every non-ASCII letter is used in Spanish, French,
    Portuguese or English. Other old encodings would give other characters.
    """
    encoding = next((known for mark, known in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        return Decoded(data.decode(encoding))
    except UnicodeDecodeError:
        if encoding != "utf-8":
            raise Refused(
                _("The file is damaged: it is not valid %(encoding)s."),
                name,
                encoding=encoding.upper(),
            ) from None
    return Decoded(_latin(data, name), guessed=True)


def _latin(data: bytes, name: str) -> str:
    text = data.decode("cp1252", errors="replace")
    if all(sign.isascii() or sign in _LATIN for sign in text):
        return text
    raise Refused(
        _("The encoding of the file can’t be recognised. Save it as UTF-8 and try again."), name
    )
