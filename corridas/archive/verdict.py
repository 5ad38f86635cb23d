"""A season's file among the records anyone can check: known by how it begins, told as they are."""

from __future__ import annotations

import re
from typing import IO, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from actas import Verdict, bundles
from corridas.archive.chain import FORMAT
from corridas.archive.checking import Report, verify
from corridas.archive.container import is_packed
from corridas.archive.limits import FILE_BYTES, FINDINGS
from fairness import Difference

GAME: Final = "indulto"
KIND: Final = "season"
_NAMED: Final = re.compile(rb'"format":\s{0,9}"' + FORMAT.encode() + rb'"')


def recognises(head: bytes) -> bool:
    """Whether a file that begins so is a season, or at least no record: no record is packed."""
    return is_packed(head) or bool(_NAMED.search(head.partition(b"\n")[0]))


def verdict(file: IO[bytes]) -> Verdict:
    """The verdict on the file of a season, which must be able to seek; never raises for it."""
    report = verify(file)
    return Verdict(
        game=GAME,
        kind=KIND,
        refused=report.refused,
        differences=tuple(
            Difference(f"{one.place}/{one.name}", one.claimed, one.found) for one in report.findings
        ),
        more=len(report.findings) == FINDINGS,
        note=_note(report),
    )


def _note(report: Report) -> str:
    """Which season it is, and what of it could not be played again."""
    if report.told is None:
        return ""
    count = len(report.told.days)
    corridas = ngettext("%(n)s corrida", "%(n)s corridas", count) % {"n": count}
    words = {"name": report.name, "year": report.told.year, "corridas": corridas}
    said = _("%(name)s %(year)s, %(corridas)s.") % words
    said += " " + _("Digest of the last entry: %s.") % report.head
    if report.sealed:
        said += " " + _(
            "The winter was not played again, because the file does not contain the "
            "matadors’ promise."
        )
    return said


BUNDLE: Final = bundles.Bundle(
    name=KIND,
    recognises=recognises,
    check=verdict,
    most=FILE_BYTES,
    elsewhere=gettext_lazy(
        "This is a season file. Playing all of it again takes longer than a page can wait. "
        "Check it with the command manage.py verify, or with “Import a season” on the "
        "circuits page, which saves nothing if the check fails."
    ),
)


def offer() -> None:
    """Register it."""
    bundles.register(BUNDLE)
