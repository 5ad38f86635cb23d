"""Input for drawing a map: the viewer, ids of pieces, choices, and recent changes.

Ids are in notation: runner `a1`, bull `T2`, space `@molino`, path sign `fuente/odd`. A space may
also be identified by its key (`molino`), unless the key could be a die (`d1` is a runner).
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

# HTML id of the form for a move, to which the controls on the map belong.
MOVE_FORM_ID: Final = "move-form"


def runner_id(seat: int, number: int) -> str:
    """Return the id of runner `number` (from 0) of a seat: `a1`."""
    return f"{SEAT_LETTERS[seat]}{number + 1}"


def bull_id(number: int) -> str:
    """Return the id of bull `number` (from 0): `T1`."""
    return f"T{number + 1}"


def space_ids(key: str) -> tuple[str, ...]:
    """Return the ids of a space: its notation, and its key unless the key could be a die."""
    return (f"@{key}",) if DIE_PATTERN.fullmatch(key) else (f"@{key}", key)


def sign_id(space: str, parity: int) -> str:
    """Return the id of a path sign such as `fuente/odd`. `parity` is 0 for even, 1 for odd."""
    return f"{space}/{PARITIES[parity]}"


def control_id(identity: str, field: str = "pick") -> str:
    """Return the HTML id of a control, such as `pick-a1` or `pick-fuente-odd`."""
    return f"{field}-{identity.replace('/', '-').replace('@', '')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPicks:
    """Pieces and spaces that can be chosen on the map, as controls of one form field.

    `ids`: runners, bulls, spaces or path signs. Each becomes a control with the name `field`, the
    id as its value and `control_id(id, field)` as its HTML id. It is a checkbox if `many`,
    otherwise a radio button. `chosen`: ids of checked controls. Controls that have no room on the
    map (path signs, many dice) are shown below it under `legend`.
    """

    ids: frozenset[str] = frozenset()
    field: str = "pick"
    legend: str = ""
    many: bool = False
    chosen: frozenset[str] = frozenset()
    form: str = MOVE_FORM_ID


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerRoute:
    """The route of one runner on the map, with chances between 0 and 1.

    `arrives`: chance by key of the destination (`d1`). `trampled`: chance of being trampled. The
    streets are not stored, because they follow from the board. The next street is emphasised, and
    later possible streets are thinner.
    """

    runner: str
    arrives: Mapping[str, float] = field(default_factory=dict)
    trampled: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FallenRunner:
    """A runner that was just trampled: its id, the key of its space and the face it showed."""

    runner: str
    space: str
    face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MapMarks:
    """Pieces that a page highlights on the map.

    `again`: runners that must be rolled now. `fallen`: runners just trampled. `moved`: dice that
    changed their space or face, which are animated. `highlighted`: id of a single piece. `picks`:
    one for each form field. A piece with controls of two fields has the first control on the map
    and the other control below it.

    `taps`: ids of pieces that the page's script handles. If there is room, each has a button on the
    map with its id in `data-on`. The page also lists these pieces as form controls.
    """

    picks: tuple[MapPicks, ...] = ()
    taps: frozenset[str] = frozenset()
    again: frozenset[str] = frozenset()
    fallen: tuple[FallenRunner, ...] = ()
    moved: frozenset[str] = frozenset()
    highlighted: str = ""
    way: RunnerRoute | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MapContext:
    """A town as seen by a seat, or by a spectator if `seat` is None. `names` are by seat."""

    town: Town
    rules: Rules
    names: Sequence[str]
    seat: int | None
    marks: MapMarks

    @property
    def board(self) -> Board:
        return self.rules.board

    def player_name(self, seat: int) -> str:
        return _("you") if seat == self.seat else self.names[seat]

    def space(self, index: int) -> str:
        if index < 0:
            return _("not yet placed")
        return sentences.space_name(self.rules, index, self.town.destinations)

    def key(self, index: int) -> str:
        """Return the key of a space, or `gate` for unplaced dice."""
        return self.board.spaces[index].key if index >= 0 else "gate"

    def letter(self, seat: int) -> str:
        return (self.names[seat] or SEAT_LETTERS[seat])[:1].upper()

    def asks_for(self, *ids: str) -> bool:
        return any(not picks.ids.isdisjoint(ids) for picks in self.marks.picks)
