"""Compiling the message catalogues."""

from __future__ import annotations

import os
from pathlib import Path

import polib


def compile_catalogues(folder: Path) -> list[Path]:
    """Compile every catalogue in `folder` that is newer than its compiled file.

    Returns the files written. Raises OSError with the name of an unreadable catalogue.
    """
    written = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            unfinished = target.with_suffix(f".{os.getpid()}")  # somebody may be reading
            polib.pofile(str(source)).save_as_mofile(str(unfinished))
            unfinished.replace(target)
            written.append(target)
    return written
