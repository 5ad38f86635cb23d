"""Limits on the size of files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Maximum bytes of a file and of its unpacked content, sheets, rows, and characters per
    cell.

    `faults` is the number of errors listed at once.
    """

    file_bytes: int = 8 * 1024 * 1024
    unpacked_bytes: int = 48 * 1024 * 1024
    members: int = 200
    rows: int = 60_000
    columns: int = 60
    letters: int = 2_000
    faults: int = 200
