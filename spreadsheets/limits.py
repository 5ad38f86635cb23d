"""How much a file may hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bytes of a file and of all it unpacks to, sheets and rows in it, letters in a cell.

    `faults`: how many are told at once.
    """

    file_bytes: int = 8 * 1024 * 1024
    unpacked_bytes: int = 48 * 1024 * 1024
    members: int = 200
    rows: int = 60_000
    columns: int = 60
    letters: int = 2_000
    faults: int = 200
