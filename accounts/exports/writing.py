"""A copy as one ZIP of JSON files, written row by row into whatever takes bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any

from django.core.serializers.json import DjangoJSONEncoder
from django.template.loader import render_to_string

from accounts.exports.parts import Files, Table, parts

if TYPE_CHECKING:
    from accounts.models import User

Told = Callable[[int], None]


class _Plain(DjangoJSONEncoder):
    """Bytes go out as hexadecimal digits."""

    def default(self, o: Any) -> Any:
        if isinstance(o, bytes | memoryview):
            return bytes(o).hex()
        return super().default(o)


_text = _Plain(ensure_ascii=False).encode


def write(user: User, to: IO[bytes] | io.RawIOBase, told: Told = lambda rows: None) -> int:
    """Write a person's copy; returns the rows in it.

    Never more than a chunk of rows is in memory. `told` hears how many rows are written, now and
    then. `to` need not be able to go back.
    """
    rows = 0
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", render_to_string("accounts/export.txt", {"user": user}))
        for part in parts:
            if isinstance(part, Files):
                rows += _files(archive, part, user)
            else:
                rows += _table(archive, part, user, lambda done, before=rows: told(before + done))  # type: ignore[misc]  # a default holds the number of the moment
            told(rows)
    return rows


def _files(archive: zipfile.ZipFile, part: Files, user: User) -> int:
    for name, content in part.each(user):
        archive.writestr(name, content)
    return part.weigh(user)


def _table(archive: zipfile.ZipFile, part: Table, user: User, told: Told) -> int:
    """One table; left away where it has no row."""
    rows = part.each(user)
    first = next(rows, None)
    if first is None:
        return 0
    written = 0
    with archive.open(f"{part.name}.json", "w") as file:
        for written, text in enumerate(_texts(first, rows), start=1):
            file.write(text.encode())
            if not written % 1000:
                told(written)
        file.write(b"\n]\n")
    return written


def _texts(first: dict[str, Any], rest: Iterator[dict[str, Any]]) -> Iterator[str]:
    yield f"[\n{_text(first)}"
    for row in rest:
        yield f",\n{_text(row)}"
