"""Why something cannot be written down beside a real board, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from eltoro.engine import KeptError
from leagues.exceptions import OperationError

SEATS: Final = "abcdef"

_SENTENCES: Final[Mapping[str, str]] = {
    "unreadable": gettext_noop("That entry can’t be read. Please choose again."),
    "twice": gettext_noop("%(what)s has been chosen twice."),
    "no_seat": gettext_noop("Seat “%(what)s” is empty."),
    "no_die": gettext_noop("Die %(what)s is not on the board today."),
    "trampled": gettext_noop("%(what)s has been trampled and is out for the day (E-6)."),
    "no_space": gettext_noop(
        "The space “%(what)s” is not in the row where the dice are now (E-2)."
    ),
    "no_sign": gettext_noop("This board has no sign “%(what)s” (E-2)."),
    "no_destination": gettext_noop("The game has no destination “%(what)s”."),
    "too_often": gettext_noop(
        "You have chosen one of the destinations more often than it has cards."
    ),
    "no_die_due": gettext_noop("%(what)s has no dice to roll this morning (E-7)."),
    "count": gettext_noop("Enter %(wanted)s dice, not %(given)s."),
    "count_of": gettext_noop("%(what)s must roll %(wanted)s dice, not %(given)s."),
    "bull_one": gettext_noop(
        "A bull that shows a 1 must be rolled again until it shows another number (E-3)."
    ),
    "no_one": gettext_noop("%(what)s is not waiting to be placed: only 1s are (E-3)."),
    "no_bull_left": gettext_noop("All %(count)s bulls are already on the board (E-6)."),
    "own_token": gettext_noop("There is already a token of the same colour there (E-5)."),
    "not_own_token": gettext_noop("There is no token of this colour there to move (E-5)."),
    "no_token_left": gettext_noop("All three tokens are on the board. Say which one moves (E-5)."),
    "tokens_left": gettext_noop(
        "%(what)s still has tokens in hand and must lay one of them instead of moving one (E-5)."
    ),
    "aside": gettext_noop(
        "%(what)s must move down, not sideways. If a card allows the move, say so (E-2)."
    ),
    "no_token": gettext_noop("There is no token on this sign."),
    "points_below": gettext_noop(
        "%(what)s has gained no points from cards today, so none can be taken away."
    ),
    "charge": gettext_noop("Roll each die in the charge once, and no other dice (E-6)."),
    "hands_roll": gettext_noop(
        "You roll your own dice on this board: tap the face that the die shows."
    ),
    "site_rolls": gettext_noop("The site rolls the dice on this board."),
}

_NOT_NOW: Final[Mapping[str, str]] = {
    "dice": gettext_noop("First roll the dice gained from yesterday’s destinations (E-7)."),
    "lay": gettext_noop("First lay out the destinations."),
    "bulls": gettext_noop("First roll the five bulls at the start (E-3)."),
    "runners": gettext_noop("First roll the runners (E-3)."),
    "start": gettext_noop("First place the 1s (E-3)."),
    "herd": gettext_noop("First roll the remaining bulls (E-3)."),
    "cards": gettext_noop("You can’t do that while cards are being played."),
    "charge": gettext_noop("First roll the runners that the bulls are charging (E-6)."),
    "evening": gettext_noop("This day has already been scored. Start the next one."),
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
