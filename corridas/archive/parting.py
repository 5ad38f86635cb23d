"""Many rows as entries of so many each, so that no line is longer than can be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from corridas.archive.limits import ROWS_A_LINE


def parted(
    kind: str, rows: Iterable[Mapping[str, Any]], most: int = ROWS_A_LINE
) -> Iterator[dict[str, Any]]:
    """Entries of `most` rows at most; one that is empty where there is none."""
    held: list[Mapping[str, Any]] = []
    for row in rows:
        if len(held) == most:
            yield {"kind": kind, kind: held}
            held = []
        held.append(row)
    yield {"kind": kind, kind: held}
