"""What a reader of files found, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from leagues.exchange import Code, Finding

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SENTENCES: dict[Code, _StrPromise] = {
    Code.NEW: _("Would be added."),
    Code.KNOWN: _("Is in the league already."),
    Code.TWICE: _("Stands in this file twice; once is enough."),
    Code.OTHER_GAME: _("Another game: %(game)s."),
    Code.IGNORED: _("Is marked to be ignored."),
    Code.COOPERATIVE: _("Was played together against the game."),
    Code.SEATS: _("A match has two to six players, not %(seats)s."),
    Code.WITH_LINE: _("Line %(line)s of the same match cannot be read."),
    Code.SIZE: _("The file is larger than %(most)s bytes."),
    Code.ENCODING: _("The file is not text in UTF-8."),
    Code.NOT_JSON: _("The file is not JSON."),
    Code.NOT_CSV: _("The file is not a table of values with separators."),
    Code.FORMAT: _("The file holds something else."),
    Code.VERSION: _("The file has a version we do not know: %(version)s."),
    Code.COLUMNS: _("Columns are missing: %(missing)s."),
    Code.ROWS: _("The file holds more than %(most)s; the rest is left out."),
    Code.SHAPE: _("“%(field)s” is not what it should be."),
    Code.DATE: _("“%(value)s” is no time we can read."),
    Code.NUMBER: _("“%(value)s” is no whole number for “%(field)s”."),
    Code.TEXT: _("“%(field)s” is too long, or holds signs that no text has."),
    Code.NAMES: _("%(player)s sits there twice."),
    Code.SIDES: _("The sides cannot be: %(side)s."),
    Code.PLACES: _("There are neither places nor points for all."),
    Code.DISAGREES: _("“%(field)s” is another than in the match's other lines."),
    Code.WHO: _("A player is named whom the file does not know."),
    Code.WHAT: _("A game is named that the file does not know."),
    Code.OUTCOME: _("Nobody won, and there is no score."),
}


class _Blank(dict[str, object]):
    """Parameters of a finding; one that is not told is a dash."""

    def __missing__(self, name: str) -> str:
        return "–"


def sentence_of(finding: Finding) -> str:
    """The finding in a sentence of the reader's language."""
    return str(SENTENCES[finding.code]) % _Blank(finding.params)
