"""Size limits of uploaded tables."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Maximum bytes, unpacked bytes, zip members, rows, columns and letters per cell of a file.

    `faults` is the maximum number of errors listed at once.
    """

    file_bytes: int = 8 * 1024 * 1024
    unpacked_bytes: int = 48 * 1024 * 1024
    members: int = 200
    rows: int = 60_000
    columns: int = 60
    letters: int = 2_000
    faults: int = 200
