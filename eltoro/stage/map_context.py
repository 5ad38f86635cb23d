"""What a map is drawn for: viewer, ids of things, choices, and what just happened.

Ids are those of the notation: runner `a1`, bull `T2`, space `@molino`, sign `fuente/odd`. A space
may be named by its key alone (`molino`) unless it reads like a die (`d1` is a runner).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _

from eltoro.engine import Board, Rules, Town
from eltoro.stage import sentences

SEAT_LETTERS: Final = "abcdef"
DIE_PATTERN: Final = re.compile("[a-fT][1-9][0-9]?")
PARITIES: Final = ("even", "odd")

MOVE_FORM_ID: Final = "move-form"
"""The form of the table's page that a control belongs to."""


def runner_id(seat: int, number: int) -> str:
    """Runner `number` (from 0) of a seat, as the notation writes it: `a1`."""
    return f"{SEAT_LETTERS[seat]}{number + 1}"


def bull_id(number: int) -> str:
    """Bull `number` (from 0): `T1`."""
    return f"T{number + 1}"


def space_ids(key: str) -> tuple[str, ...]:
    """The ids of a space by its key: as a target is written, and bare where no die is called so."""
    return (f"@{key}",) if DIE_PATTERN.fullmatch(key) else (f"@{key}", key)


def sign_id(space: str, parity: int) -> str:
    """The sign of a fork, by the space's key and parity (0 even, 1 odd): `fuente/odd`."""
    return f"{space}/{PARITIES[parity]}"


def control_id(identity: str, field: str = "pick") -> str:
    """The HTML id of the control of a thing: `pick-a1`, `pick-fuente-odd`."""
    return f"{field}-{identity.replace('/', '-').replace('@', '')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Picks:
    """Things that may be chosen on the map, as controls of one field of a form.

    `ids`: runners, bulls, spaces or signs. The map makes of each a control named `field` with the
    id as value and `control_id(id, field)` as HTML id: a checkbox where `many`, else a radio
    button. `chosen` are checked. Where there is room the controls lie on the map itself; where
    there is none (signs, many dice), they stand below it under `legend`, large.
    """

    ids: frozenset[str] = frozenset()
    field: str = "pick"
    legend: str = ""
    many: bool = False
    chosen: frozenset[str] = frozenset()
    form: str = MOVE_FORM_ID


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The way of one runner from where it stands, as chances between 0 and 1.

    `arrives`: by space key of a destination (`d1`). `trampled`: somewhere on the way. The streets
    are drawn from the board: the next one by face and tokens, the later ones thinner.
    """

    runner: str
    arrives: Mapping[str, float] = field(default_factory=dict)
    trampled: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FallenRunner:
    """A runner trampled just now: the space (its key) and the face it fell with."""

    runner: str
    space: str
    face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What a page points at. `again`: runners that must roll now. `fallen`: trampled just now.

    `moved`: runners and bulls that changed place or face since the moment before (they jump or
    charge in). `shown`: the one thing that is talked about. `picks`: one for each field of a form;
    a thing in two of them lies on the map as the first and stands below it as the other.

    `taps`: things that the page's script answers to: each is a button on the map with `data-on`
    its id, as far as there is room; the page lists the same things as controls of its own.
    """

    picks: tuple[Picks, ...] = ()
    taps: frozenset[str] = frozenset()
    again: frozenset[str] = frozenset()
    fallen: tuple[FallenRunner, ...] = ()
    moved: frozenset[str] = frozenset()
    shown: str = ""
    way: Route | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MapContext:
    """A town as seen from a seat (None: a watcher); `names` by seat."""

    town: Town
    rules: Rules
    names: Sequence[str]
    seat: int | None
    marks: Marks

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return self.rules.board

    def who(self, seat: int) -> str:
        """A player by name, or “you”."""
        return _("you") if seat == self.seat else self.names[seat]

    def space(self, index: int) -> str:
        """A space by name; destinations by the card that lies there."""
        if index < 0:
            return _("not yet placed")
        return sentences.space_name(self.rules, index, self.town.destinations)

    def key(self, index: int) -> str:
        """A space as the notation writes it; `gate` for dice not yet placed."""
        return self.board.spaces[index].key if index >= 0 else "gate"

    def letter(self, seat: int) -> str:
        """What stands on a player's mark and tokens."""
        return (self.names[seat] or SEAT_LETTERS[seat])[:1].upper()

    def asks_for(self, *ids: str) -> bool:
        """Whether one of these may be chosen."""
        return any(not picks.ids.isdisjoint(ids) for picks in self.marks.picks)
