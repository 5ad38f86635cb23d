"""Sentences that explain in a preview what an import does with each result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

from leagues.exchange.formats import Code, Remark

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

FINDING_SENTENCES: dict[Code, _StrPromise] = {
    Code.NEW: gettext_lazy("This match will be added."),
    Code.KNOWN: gettext_lazy("This match is already in the league."),
    Code.VOID: gettext_lazy("This match is already in the league, but it is void."),
    Code.TWICE: gettext_lazy(
        "This match appears twice in the file, but it will be added only once."
    ),
    Code.OTHER_GAME: gettext_lazy("This match belongs to another game: %(game)s."),
    Code.IGNORED: gettext_lazy("The file marks this match as ignored, so it is not imported."),
    Code.COOPERATIVE: gettext_lazy("This was a cooperative game, with all players on one side."),
    Code.SEATS: gettext_lazy("A match has two to six players, but this one has %(seats)s."),
    Code.WITH_LINE: gettext_lazy(
        "Line %(line)s, which belongs to the same match, could not be read."
    ),
    Code.SIZE: gettext_lazy("The file is larger than %(most)s bytes. Choose a smaller file."),
    Code.ENCODING: gettext_lazy("The file is damaged: its text is not valid %(encoding)s."),
    Code.GARBLED: gettext_lazy(
        "The encoding of the file can’t be recognised: a word comes out as “%(word)s”. "
        "Save it as UTF-8 and try again."
    ),
    Code.KIND: gettext_lazy(
        "This file is %(kind)s, which can’t be read here. Save the table as CSV."
    ),
    Code.NOT_JSON: gettext_lazy("The file is not valid JSON."),
    Code.NOT_CSV: gettext_lazy("The file is not valid CSV."),
    Code.FORMAT: gettext_lazy("This file is not of the expected type. Choose another file."),
    Code.VERSION: gettext_lazy("The version of this file is not supported: %(version)s."),
    Code.COLUMNS: gettext_lazy("The file is missing these columns: %(missing)s."),
    Code.QUOTES: gettext_lazy("The quotation marks in this row do not match."),
    Code.REPEATED: gettext_lazy("The column “%(name)s” appears twice."),
    Code.ROWS: gettext_lazy("The file has more than %(most)s entries; the rest were skipped."),
    Code.SHAPE: gettext_lazy("“%(field)s” has an invalid value."),
    Code.DATE: gettext_lazy(
        "“%(value)s” is not a valid date or time. Write the date and time as 2026-11-20 "
        "20:00, or only the date as 2026-11-20."
    ),
    Code.NUMBER: gettext_lazy(
        "“%(value)s” is not a whole number. “%(field)s” must be a whole number."
    ),
    Code.TEXT: gettext_lazy("“%(field)s” is too long or contains characters that are not allowed."),
    Code.NAMES: gettext_lazy("%(player)s has two seats in this match."),
    Code.SIDES: gettext_lazy("These sides are not possible: %(side)s."),
    Code.PLACES: gettext_lazy("Some players in this match have neither a place nor points."),
    Code.ROUND: gettext_lazy(
        "“%(value)s” is not a round. Enter a round number from 1 to 99, or leave the cell empty."
    ),
    Code.BYE: gettext_lazy(
        "This line has a place or points but no opponent. For a bye, leave both place "
        "and points empty."
    ),
    Code.DISAGREES: gettext_lazy(
        "The value of “%(field)s” differs from the value in the other lines for this match."
    ),
    Code.WHO: gettext_lazy("This match refers to a player who is missing from the file."),
    Code.WHAT: gettext_lazy("This match refers to a game that is missing from the file."),
    Code.OUTCOME: gettext_lazy("This match has neither a winner nor a score."),
}


REMARK_SENTENCES: dict[Remark, _StrPromise] = {
    Remark.FRACTIONS: gettext_lazy("The points are fractions, so only the places are added."),
}

OTHER_ADDRESS = gettext_lazy(
    "“%(address)s” is the address of %(member)s in this league, so %(player)s is "
    "treated as a different person."
)
FUTURE = gettext_lazy("The date of this match is in the future.")
NAMELESS = gettext_lazy("One of the players has no name.")
SEATS = gettext_lazy("The league’s rules do not allow a match with %d players.")
SIDES = gettext_lazy("The sides do not follow the league’s rules.")
SEVERAL = gettext_lazy("The league has several players called %s.")
TWO_SEATS = gettext_lazy("One of the players has two seats in this match.")
LEFT_OUT = gettext_lazy("This result is left out, as you decided.")
DOUBT = gettext_lazy("This result is left out until you answer the question.")
NO_POINTS = gettext_lazy("Only the places are added, without points.")
BYE = gettext_lazy("%(player)s will have a bye in round %(round)s.")
BYE_KNOWN = gettext_lazy("The league already includes this bye.")
NO_BYE = gettext_lazy("Round %(round)s has already been drawn, and %(player)s has no bye in it.")
IN_ROUND = gettext_lazy("%(player)s already has a match or a bye in round %(round)s.")
ONLY_BYES = gettext_lazy(
    "Round %(round)s will not be created, because no match is being added to it."
)
TOO_MANY_ROUNDS = gettext_lazy("The last round of this league is round %(rounds)s.")
ROUND_MISSING = gettext_lazy(
    "Round %(before)s comes before round %(round)s, but it is in neither the league "
    "nor this import."
)
ROUND_OPEN = gettext_lazy(
    "Round %(round)s can’t be created yet, because an earlier round has fixtures without a result."
)
