"""Compile the message catalogues."""

from __future__ import annotations

import os
from pathlib import Path

import polib


def compile_catalogues(folder: Path) -> list[Path]:
    """Compile every catalogue in `folder` that is newer than its compiled file.

    Returns the files written. Raises OSError with the name of a catalogue that cannot be read.
    """
    written = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        target, sources = source.with_suffix(".mo"), _sources(source)
        newest = max(path.stat().st_mtime for path in sources)
        if not target.exists() or target.stat().st_mtime < newest:
            unfinished = target.with_suffix(
                f".{os.getpid()}"
            )  # a process may be reading the old file
            _merged(sources).save_as_mofile(str(unfinished))
            unfinished.replace(target)
            written.append(target)
    return written


def _sources(catalogue: Path) -> list[Path]:
    locale = catalogue.parents[1]
    language = locale.with_name(locale.name.partition("_")[0]) / catalogue.relative_to(locale)
    return [language, catalogue] if language != catalogue and language.exists() else [catalogue]


def _merged(sources: list[Path]) -> polib.POFile:
    """Return the last catalogue, extended with the messages that only the others contain.

    Without this, Python would look up such a message in the catalogues of Django and other packages
    before the language's own catalogue.
    """
    *others, last = (polib.pofile(str(path)) for path in sources)
    known = {(entry.msgctxt, entry.msgid) for entry in last}
    for other in others:
        last.extend(entry for entry in other if (entry.msgctxt, entry.msgid) not in known)
    return last
