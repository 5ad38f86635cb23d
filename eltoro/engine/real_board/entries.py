"""Entries recorded for a tracked board of a game with real cards: their notation and results.

lay bank casino pier festival nightclub     lay out destinations (`lay`: the site draws them)
dice a=4 c=16                               dice rolled for yesterday's destinations, by seat
bulls 35162                                 faces of the first five bulls, or of later bulls
runners a=224456 b=113456                   faces of all runners of each seat
start a2>4 b1>6                             place runners that show 1 on starting spaces
roll a1 T2                                  the site rolls a runner and a bull again
face a1=4 T2=3                              dice rolled again by hand, or changed by a card
move T1>iglesia                             move a bull to another space of its row
lead a1>molino T1>iglesia                   the same for runners too, if a card allows it
addbull molino=4                            add a bull (`addbull molino`: the site rolls it)
token a fuente/odd                          place a token (`mercado/even>fuente/odd`: move it)
untoken fuente/odd                          remove a token
points a 2                                  points that a card brings a seat
first b                                     give the first-player token to a seat
advance                                     move runners and bulls one row down
charge a1=4 b2=3                            new faces of runners that matched a bull
evening                                     end the day
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

# Maximum number of characters of an entry.
MAX_ENTRY_LENGTH: Final = 500


class EntryError(ValueError):
    """Error: an entry is not possible now. Nothing was changed.

    `code` is the reason, and `params` fill the message of the reason.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        self.code, self.params = code, params
        super().__init__(f"{code} {params}" if params else code)


class Verb(StrEnum):
    """The kind of an entry. Its value is the first word of the entry in notation."""

    LAY = "lay"
    DICE = "dice"
    BULLS = "bulls"
    RUNNERS = "runners"
    START = "start"
    ROLL = "roll"
    FACE = "face"
    MOVE = "move"
    LEAD = "lead"
    ADD_BULL = "addbull"
    TOKEN = "token"  # noqa: S105  a piece of the game, not a secret
    UNTOKEN = "untoken"
    POINTS = "points"
    FIRST = "first"
    ADVANCE = "advance"
    CHARGE = "charge"
    EVENING = "evening"


class EntryTarget(NamedTuple):
    """A target of an entry: its name, and its face or space after `=` or `>`."""

    what: str
    to: str = ""

    @property
    def face(self) -> int:
        """The face after `=`."""
        return int(self.to)


_SEAT: Final = "[a-f]"
_RUNNER: Final = "[a-f][1-9][0-9]?"
_DIE: Final = rf"(?:{_RUNNER}|T[1-9][0-9]?)"
_WORD: Final = r"[^\s=>/]+"
_SIGN: Final = rf"{_WORD}/(?:even|odd)"


def _one_or_more(word: str) -> str:
    """Return a regular expression for one or more words that match `word`."""
    return f"{word}(?: {word})*"


# By verb: the regular expression for the rest of the entry, and the separator within a target.
_SHAPES: Final[Mapping[Verb, tuple[str, str]]] = {
    Verb.LAY: (rf"(?:{_WORD}(?: {_WORD}){{4}})?", ""),
    Verb.DICE: (_one_or_more(f"{_SEAT}=[1-6]+"), "="),
    Verb.BULLS: ("[1-6]+", ""),
    Verb.RUNNERS: (_one_or_more(f"{_SEAT}=[1-6]+"), "="),
    Verb.START: (_one_or_more(f"{_RUNNER}>{_WORD}"), ">"),
    Verb.ROLL: (_one_or_more(_DIE), "="),
    Verb.FACE: (_one_or_more(f"{_DIE}=[1-6]"), "="),
    Verb.MOVE: (_one_or_more(f"{_DIE}>{_WORD}"), ">"),
    Verb.LEAD: (_one_or_more(f"{_DIE}>{_WORD}"), ">"),
    Verb.ADD_BULL: (f"{_WORD}(?:=[1-6])?", "="),
    Verb.TOKEN: (f"{_SEAT} {_SIGN}(?:>{_SIGN})?", ""),
    Verb.UNTOKEN: (_SIGN, ""),
    Verb.POINTS: (f"{_SEAT} -?[1-9][0-9]?", ""),
    Verb.FIRST: (_SEAT, ""),
    Verb.ADVANCE: ("", ""),
    Verb.CHARGE: (_one_or_more(f"{_RUNNER}=[1-6]"), "="),
    Verb.EVENING: ("", ""),
}


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """An entry in the log of a tracked board. `str(entry)` is its notation."""

    verb: Verb
    targets: tuple[EntryTarget, ...] = ()

    @classmethod
    def read(cls, text: str) -> BoardEntry:
        """Parse an entry in notation.

        Raises `EntryError` with the code `unreadable`, or `twice` for duplicate targets.
        """
        verb, words = _words(text)
        shape, joint = _SHAPES[verb]
        if not re.fullmatch(shape, " ".join(words)):
            raise EntryError("unreadable", text=text[:MAX_ENTRY_LENGTH])
        targets = tuple(_target(word, joint) for word in words)
        _check_once(verb, targets)
        return cls(verb, targets)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all targets, in order."""
        return tuple(target.what for target in self.targets)

    def __str__(self) -> str:
        joint = _SHAPES[self.verb][1]
        words = (f"{what}{joint}{to}" if to else what for what, to in self.targets)
        return " ".join((self.verb.value, *words))


def _words(text: str) -> tuple[Verb, list[str]]:
    parts = text[: MAX_ENTRY_LENGTH + 1].split()
    if len(text) > MAX_ENTRY_LENGTH or not parts or parts[0] not in _VERBS:
        raise EntryError("unreadable", text=text[:MAX_ENTRY_LENGTH])
    return _VERBS[parts[0]], parts[1:]


_VERBS: Final = {verb.value: verb for verb in Verb}


def _target(word: str, joint: str) -> EntryTarget:
    what, _joint, to = word.partition(joint) if joint else (word, "", "")
    return EntryTarget(what, to)


def _check_once(verb: Verb, targets: tuple[EntryTarget, ...]) -> None:
    """Raise `EntryError` for duplicate targets. Only destinations may occur twice."""
    named = [target.what for target in targets]
    again = next((name for name in named if named.count(name) > 1), None)
    if again is not None and verb is not Verb.LAY:
        raise EntryError("twice", what=again)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredDay:
    """A day that was scored, in the format of a scoresheet of arrivals.

    `destinations`: d1 to d5, as indexes into `rules.destinations`. `arrived`: by seat, numbers of
    runners at d1 to d5. `gained`: by seat, points from cards. `dice`: by seat, the faces rolled for
    yesterday's destinations. `points`: by seat, all points of the day. `aside`: runners that a card
    moved to another space of their row (`a1>molino`).
    """

    destinations: tuple[int, ...]
    arrived: tuple[tuple[int, ...], ...]
    gained: tuple[int, ...]
    dice: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledDie:
    """A die whose face was rolled or changed, with the index of its space.

    `before`, `after`: its faces. `trampled`: True if the runner is out for the day.
    """

    what: str
    before: int
    after: int
    space: int
    trampled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryNote:
    """The results of an entry, with all that the site drew and rolled.

    `entries`: the recorded entry with the site's additions, followed by the site's own entries.
    `day` (from 1) and `step` (from 0): the time of the entry. `rolled`: dice on the board whose
    face changed.
    """

    entries: tuple[BoardEntry, ...]
    day: int
    step: int
    rolled: tuple[RolledDie, ...] = ()
