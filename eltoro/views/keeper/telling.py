"""What was written on a kept board, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from eltoro.engine import Entry, Kept, Note, Rolled, Verb
from eltoro.operations.refusals import named
from eltoro.views.keeper.reading import SEATS
from eltoro.words import destination_name, space_name
from eltoro.words.destinations import signed


class Teller:
    """Sentences about one board; `names` by seat."""

    def __init__(self, kept: Kept, names: Sequence[str]) -> None:
        self.kept, self.names = kept, names

    def told(self, note: Note) -> list[str]:
        """What an entry came to, a sentence each."""
        found = [_SENTENCES[entry.verb](self, entry) for entry in note.entries]
        rolled = [self.rolled(die) for die in note.rolled]
        return [sentence for sentence in (*found, *rolled) if sentence]

    def rolled(self, die: Rolled) -> str:
        """A die that was rolled again or turned."""
        told = {"die": self.die(die.what), "before": die.before, "after": die.after}
        if die.trampled:
            return _("%(die)s: %(before)s, then %(after)s again: trampled.") % told
        return _("%(die)s: %(before)s → %(after)s.") % told

    def die(self, name: str) -> str:
        """A runner by its player and number, a bull by its number."""
        return named(name, self.names)

    def space(self, key: str) -> str:
        """A space by its name."""
        board = self.kept.rules.board
        return space_name(self.kept.rules, board.find(key))

    def sign(self, name: str) -> str:
        """A sign by its space and parity."""
        key, _slash, parity = name.partition("/")
        word = _("even") if parity == "even" else _("odd")
        return f"{self.space(key)}, {word}"

    def who(self, letter: str) -> str:
        """A player."""
        return self.names[SEATS.index(letter)]


def _lay(teller: Teller, entry: Entry) -> str:
    kinds = {kind.key: destination_name(kind) for kind in teller.kept.rules.destinations}
    laid = ", ".join(kinds[key] for key in entry.names)
    return _("Destinations laid out: %(destinations)s.") % {"destinations": laid}


def _dice(teller: Teller, entry: Entry) -> str:
    rolled = ", ".join(f"{teller.who(letter)} {' '.join(faces)}" for letter, faces in entry.targets)
    return _("Morning dice: %(dice)s.") % {"dice": rolled}


def _bulls(_teller: Teller, entry: Entry) -> str:
    return _("Bulls rolled: %(faces)s.") % {"faces": " ".join(entry.names[0])}


def _runners(teller: Teller, entry: Entry) -> str:
    rolled = "; ".join(f"{teller.who(letter)} {' '.join(faces)}" for letter, faces in entry.targets)
    return _("Runners rolled: %(faces)s.") % {"faces": rolled}


def _spaces(teller: Teller, entry: Entry) -> str:
    return ", ".join(f"{teller.die(name)}: {teller.space(key)}" for name, key in entry.targets)


def _places(teller: Teller, entry: Entry) -> str:
    return _("Dice placed: %(dice)s.") % {"dice": _spaces(teller, entry)}


def _led(teller: Teller, entry: Entry) -> str:
    return _("Moved sideways by a card: %(dice)s.") % {"dice": _spaces(teller, entry)}


def _add_bull(teller: Teller, entry: Entry) -> str:
    key, face = entry.targets[0]
    return _("Another bull at %(space)s: %(face)s.") % {"space": teller.space(key), "face": face}


def _token(teller: Teller, entry: Entry) -> str:
    letter, signs = entry.names
    told = {"name": teller.who(letter), "sign": teller.sign(signs.rpartition(">")[2])}
    return _("%(name)s’s token is at %(sign)s.") % told


def _untoken(teller: Teller, entry: Entry) -> str:
    return _("The token at %(sign)s has been removed.") % {"sign": teller.sign(entry.names[0])}


def _points(teller: Teller, entry: Entry) -> str:
    letter, points = entry.names
    return f"{teller.who(letter)}: {signed(int(points))}."


def _first(teller: Teller, entry: Entry) -> str:
    return _("%(name)s has the first-player token.") % {"name": teller.who(entry.names[0])}


def _nothing(_teller: Teller, _entry: Entry) -> str:
    """The dice tell it."""
    return ""


_SENTENCES: Final[Mapping[Verb, Callable[[Teller, Entry], str]]] = {
    Verb.LAY: _lay,
    Verb.DICE: _dice,
    Verb.BULLS: _bulls,
    Verb.RUNNERS: _runners,
    Verb.START: _places,
    Verb.ROLL: _nothing,
    Verb.FACE: _nothing,
    Verb.MOVE: _places,
    Verb.LEAD: _led,
    Verb.ADD_BULL: _add_bull,
    Verb.TOKEN: _token,
    Verb.UNTOKEN: _untoken,
    Verb.POINTS: _points,
    Verb.FIRST: _first,
    Verb.ADVANCE: lambda _teller, _entry: _("Runners and bulls moved down."),
    Verb.CHARGE: lambda _teller, _entry: _("The bulls charged."),
    Verb.EVENING: lambda _teller, _entry: _("The next day began."),
}
