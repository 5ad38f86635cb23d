"""Entries recorded for a real board, in a short notation, with their results.

lay bank casino pier festival nightclub     the destinations; `lay` alone: drawn by the site
dice a=4 c=16                               dice that yesterday's destinations grant
bulls 35162                                 five bulls, then the ones that come later
runners a=224456 b=113456                   all runners of each player
start a2>4 b1>6                             1s placed at the start
roll a1 T2                                  rolled again, by the site
face a1=4 T2=3                              rolled again by hand, or turned by a card
move T1>iglesia                             a bull led aside within the row
lead a1>molino T1>iglesia                   runners too, because a card allows it
addbull molino=4                            one more bull (`addbull molino`: the site rolls)
token a fuente/odd                          a direction token (`mercado/even>fuente/odd`: moved)
untoken fuente/odd                          taken off
points a 2                                  points by a card
first b                                     the first-player token
advance                                     runners, bulls, charge
charge a1=4 b2=3                            what the charged runners roll
evening                                     the day is over
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

# Maximum characters of an entry.
MAX_ENTRY_LENGTH: Final = 500


class EntryError(ValueError):
    """An entry is not possible now. Nothing was changed.

    `code` names the reason, and `params` fill its message.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        self.code, self.params = code, params
        super().__init__(f"{code} {params}" if params else code)


class Verb(StrEnum):
    """The kind of an entry."""

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
    TOKEN = "token"  # noqa: S105  a piece of cardboard, no secret
    UNTOKEN = "untoken"
    POINTS = "points"
    FIRST = "first"
    ADVANCE = "advance"
    CHARGE = "charge"
    EVENING = "evening"


class Target(NamedTuple):
    """A target of an entry: `what`, and its face or place after `=` or `>`."""

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
    """Return a pattern for one or more such words."""
    return f"{word}(?: {word})*"


# The pattern after a verb, and the separator within each word.
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
class Entry:
    """One entry of the log. `str` is the inverse of `Entry.read`."""

    verb: Verb
    targets: tuple[Target, ...] = ()

    @classmethod
    def read(cls, text: str) -> Entry:
        """Parse an entry. Raises `EntryError` (`unreadable`, `twice`)."""
        verb, words = _words(text)
        shape, joint = _SHAPES[verb]
        if not re.fullmatch(shape, " ".join(words)):
            raise EntryError("unreadable", text=text[:MAX_ENTRY_LENGTH])
        targets = tuple(_target(word, joint) for word in words)
        _check_once(verb, targets)
        return cls(verb, targets)

    @property
    def names(self) -> tuple[str, ...]:
        """The things named, in order."""
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


def _target(word: str, joint: str) -> Target:
    what, _joint, to = word.partition(joint) if joint else (word, "", "")
    return Target(what, to)


def _check_once(verb: Verb, targets: tuple[Target, ...]) -> None:
    """Refuse duplicate targets. Only destinations may occur twice."""
    named = [target.what for target in targets]
    again = next((name for name in named if named.count(name) > 1), None)
    if again is not None and verb is not Verb.LAY:
        raise EntryError("twice", what=again)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredDay:
    """One day in the format of a sheet of arrivals.

    `destinations`: d1 to d5, as indexes into the rules'. `arrived`: by seat, runners at d1 to
    d5. `gained`: points of cards, by seat. `dice`: by seat, the faces of dice granted by
    yesterday's destinations. `points`: all points of the day by seat. `aside`: runners led
    aside by a card, and where to (`a1>molino`).
    """

    destinations: tuple[int, ...]
    arrived: tuple[tuple[int, ...], ...]
    gained: tuple[int, ...]
    dice: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledDie:
    """A die rolled again or turned, with its space (index).

    `before`, `after`: its faces. `trampled`: it is out for the day.
    """

    what: str
    before: int
    after: int
    space: int
    trampled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryNote:
    """The results of an entry, with all that the site drew and rolled.

    `entries`: the recorded one filled in, then the site's. `day` from 1 and `step` from 0
    when it was made. `rolled`: changed dice on the board.
    """

    entries: tuple[Entry, ...]
    day: int
    step: int
    rolled: tuple[RolledDie, ...] = ()
