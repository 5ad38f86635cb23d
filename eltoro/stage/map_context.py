"""Input for drawing a map: viewer, ids of things, choices, and recent changes.

Ids are those of the notation: runner `a1`, bull `T2`, space `@molino`, sign `fuente/odd`. A
space may also be named by its bare key (`molino`) unless that could be a die (`d1` is a
runner).
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

# The form of the table's page to which controls belong.
MOVE_FORM_ID: Final = "move-form"


def runner_id(seat: int, number: int) -> str:
    """Return the id of runner `number` (from 0) of a seat: `a1`."""
    return f"{SEAT_LETTERS[seat]}{number + 1}"


def bull_id(number: int) -> str:
    """Return the id of bull `number` (from 0): `T1`."""
    return f"T{number + 1}"


def space_ids(key: str) -> tuple[str, ...]:
    """Return the ids of a space: as a target, and its bare key unless that could be a die."""
    return (f"@{key}",) if DIE_PATTERN.fullmatch(key) else (f"@{key}", key)


def sign_id(space: str, parity: int) -> str:
    """Return the id of a sign by space and parity (0 even, 1 odd): `fuente/odd`."""
    return f"{space}/{PARITIES[parity]}"


def control_id(identity: str, field: str = "pick") -> str:
    """Return the HTML id of a control: `pick-a1`, `pick-fuente-odd`."""
    return f"{field}-{identity.replace('/', '-').replace('@', '')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Picks:
    """Things that can be chosen on the map, as controls of one form field.

    `ids`: runners, bulls, spaces or signs. Each becomes a control named `field` with the id
    as its value and `control_id(id, field)` as its HTML id: a checkbox if `many`, otherwise a
    radio button. `chosen` are checked. Controls without room on the map (signs, many dice)
    are below it under `legend`.
    """

    ids: frozenset[str] = frozenset()
    field: str = "pick"
    legend: str = ""
    many: bool = False
    chosen: frozenset[str] = frozenset()
    form: str = MOVE_FORM_ID


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The route of one runner, with chances between 0 and 1.

    `arrives`: by space key of a destination (`d1`). `trampled`: anywhere on the way. The
    streets follow from the board: the next one by face and tokens, later ones are thinner.
    """

    runner: str
    arrives: Mapping[str, float] = field(default_factory=dict)
    trampled: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FallenRunner:
    """A runner just trampled: the key of its space and the face it fell with."""

    runner: str
    space: str
    face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Pieces that a page highlights. `again`: runners that must roll now. `fallen`: just trampled.

    `moved`: dice that changed place or face, which are animated. `highlighted`: one
    thing. `picks`: one per form field. A thing in two fields is on the map for the first and
    below it for the other.

    `taps`: things that the page's script handles. Each is a button on the map with its id in
    `data-on`, if there is room. The page lists the same things as controls.
    """

    picks: tuple[Picks, ...] = ()
    taps: frozenset[str] = frozenset()
    again: frozenset[str] = frozenset()
    fallen: tuple[FallenRunner, ...] = ()
    moved: frozenset[str] = frozenset()
    highlighted: str = ""
    way: Route | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MapContext:
    """A town as seen from a seat (None: a watcher). `names` are by seat."""

    town: Town
    rules: Rules
    names: Sequence[str]
    seat: int | None
    marks: Marks

    @property
    def board(self) -> Board:
        return self.rules.board

    def who(self, seat: int) -> str:
        return _("you") if seat == self.seat else self.names[seat]

    def space(self, index: int) -> str:
        if index < 0:
            return _("not yet placed")
        return sentences.space_name(self.rules, index, self.town.destinations)

    def key(self, index: int) -> str:
        """Return a space's key, or `gate` for unplaced dice."""
        return self.board.spaces[index].key if index >= 0 else "gate"

    def letter(self, seat: int) -> str:
        return (self.names[seat] or SEAT_LETTERS[seat])[:1].upper()

    def asks_for(self, *ids: str) -> bool:
        return any(not picks.ids.isdisjoint(ids) for picks in self.marks.picks)
