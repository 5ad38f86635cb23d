"""The findings of a reader as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from leagues.exchange.formats import Code, Finding

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

FINDING_SENTENCES: dict[Code, _StrPromise] = {
    Code.NEW: _("This match will be added."),
    Code.KNOWN: _("This match is already in the league."),
    Code.TWICE: _("This match appears twice in the file; only one is added."),
    Code.OTHER_GAME: _("This match belongs to another game: %(game)s."),
    Code.IGNORED: _("This match is marked to be ignored."),
    Code.COOPERATIVE: _("This was a cooperative game, with all players on one side."),
    Code.SEATS: _("A match has two to six players, but this one has %(seats)s."),
    Code.WITH_LINE: _("Line %(line)s of the same match could not be read."),
    Code.SIZE: _("The file is larger than %(most)s bytes. Choose a smaller one."),
    Code.ENCODING: _("The file is not UTF-8 text. Save it as UTF-8 and try again."),
    Code.NOT_JSON: _("The file is not valid JSON."),
    Code.NOT_CSV: _("The file is not valid CSV."),
    Code.FORMAT: _("This file is not of the expected kind. Choose another file."),
    Code.VERSION: _("The version of this file is not supported: %(version)s."),
    Code.COLUMNS: _("The file is missing these columns: %(missing)s."),
    Code.ROWS: _("The file has more than %(most)s entries; the rest were skipped."),
    Code.SHAPE: _("“%(field)s” has an invalid value."),
    Code.DATE: _("“%(value)s” is not a valid date or time."),
    Code.NUMBER: _("“%(value)s” is not a whole number. “%(field)s” needs one."),
    Code.TEXT: _("“%(field)s” is too long or contains characters that are not allowed."),
    Code.NAMES: _("%(player)s has two seats in this match."),
    Code.SIDES: _("These sides are not possible: %(side)s."),
    Code.PLACES: _("Some players have neither a place nor points."),
    Code.DISAGREES: _("“%(field)s” differs from the other lines of this match."),
    Code.WHO: _("This match refers to a player who is missing from the file."),
    Code.WHAT: _("This match refers to a game that is missing from the file."),
    Code.OUTCOME: _("This match has neither a winner nor a score."),
}


class _Blank(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return "–"


def finding_sentence(finding: Finding) -> str:
    return str(FINDING_SENTENCES[finding.code]) % _Blank(finding.params)
