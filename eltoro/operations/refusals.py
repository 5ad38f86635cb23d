"""Why something cannot be written down beside a real board, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from eltoro.engine import KeptError
from leagues.operations.errors import OperationError

SEATS: Final = "abcdef"

_SENTENCES: Final[Mapping[str, str]] = {
    "unreadable": gettext_noop("That cannot be read. Choose again, please."),
    "twice": gettext_noop("%(what)s is named twice."),
    "no_seat": gettext_noop("Nobody sits at seat “%(what)s”."),
    "no_die": gettext_noop("There is no die %(what)s on the board today."),
    "trampled": gettext_noop("%(what)s has been trampled and is out for the day (E-6)."),
    "no_space": gettext_noop("The space “%(what)s” is not in the row where everybody is (E-2)."),
    "no_sign": gettext_noop("There is no sign “%(what)s” on this board (E-2)."),
    "no_destination": gettext_noop("There is no destination “%(what)s”."),
    "too_often": gettext_noop("There are not that many cards of one of the destinations."),
    "no_die_due": gettext_noop("%(what)s has no die to roll this morning (E-7)."),
    "count": gettext_noop("%(wanted)s dice are asked for, not %(given)s."),
    "count_of": gettext_noop("%(what)s has %(wanted)s dice to roll, not %(given)s."),
    "bull_one": gettext_noop("A bull that shows a 1 is rolled again until it does not (E-3)."),
    "no_one": gettext_noop("%(what)s does not wait for a place: only 1s do (E-3)."),
    "no_bull_left": gettext_noop("All %(count)s bulls are on the board (E-6)."),
    "own_token": gettext_noop("There lies a token of the same colour already (E-5)."),
    "not_own_token": gettext_noop("No token of this colour lies there to be moved (E-5)."),
    "no_token_left": gettext_noop("All three tokens lie on the board: say which one moves (E-5)."),
    "tokens_left": gettext_noop(
        "%(what)s has tokens in hand: one of those is laid, none moves (E-5)."
    ),
    "aside": gettext_noop("%(what)s goes down, not aside. Does a card allow it? Say so (E-2)."),
    "no_token": gettext_noop("No token lies on this sign."),
    "points_below": gettext_noop("%(what)s has no points by cards today to be taken back."),
    "charge": gettext_noop("Every die of the charge is rolled once, and no other (E-6)."),
    "hands_roll": gettext_noop("You roll the dice here: tap the face it shows."),
    "site_rolls": gettext_noop("The site rolls the dice here."),
}

_NOT_NOW: Final[Mapping[str, str]] = {
    "dice": gettext_noop("First roll the dice that yesterday's destinations bring (E-7)."),
    "lay": gettext_noop("First lay out the destinations."),
    "bulls": gettext_noop("First roll the five bulls at the start (E-3)."),
    "runners": gettext_noop("First roll the runners (E-3)."),
    "start": gettext_noop("First place the 1s (E-3)."),
    "herd": gettext_noop("First roll the bulls that come last (E-3)."),
    "cards": gettext_noop("That has no place while cards are played."),
    "charge": gettext_noop("First roll the runners that the bulls charge at (E-6)."),
    "evening": gettext_noop("The day is scored: begin the next one."),
    "over": gettext_noop("The game is over."),
}

SAYABLE: Final = frozenset({*_SENTENCES, "not_now"})
"""Every reason for which there is a sentence."""


class EntryRefused(OperationError):  # noqa: N818  a refusal that a person can mend
    """What cannot be written down at this moment; `code` is the engine's reason."""

    def __init__(self, error: KeptError, names: Sequence[str]) -> None:
        self.code = error.code
        super().__init__(say(error, names), "entry")


def say(error: KeptError, names: Sequence[str]) -> str:
    """Why the board keeper refuses it, in the language of who asks; `names` by seat."""
    if error.code == "not_now":
        return _(_NOT_NOW[str(error.params["due"])])
    told = {**error.params, "what": named(str(error.params.get("what", "")), names)}
    return _(_SENTENCES[error.code]) % told


def named(what: str, names: Sequence[str]) -> str:
    """A seat, a runner or a bull as people call it: Ana, Ana’s runner 3, bull 2."""
    if what in SEATS[: len(names)]:
        return names[SEATS.index(what)] if what else ""
    letter, number = what[:1], what[1:]
    if not (number.isascii() and number.isdecimal()):
        return what
    if letter == "T":
        return _("Bull %(number)s") % {"number": number}
    if letter not in SEATS[: len(names)]:
        return what
    told = {"name": names[SEATS.index(letter)], "number": number}
    return _("%(name)s’s runner %(number)s") % told
