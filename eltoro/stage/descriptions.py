"""Descriptions of the map in words: its title, the spaces and the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from eltoro.engine import BOARDS, Phase
from eltoro.stage.dice import GATE, DiceBySpace, UnplacedDie
from eltoro.stage.map_context import MapContext

FIRST_BOARD: Final = "el-toro"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceLine:
    """A row of the table below the map: the dice on one space.

    `bulls`: faces of the bulls. `runners`: for each player with runners there, seat, name and
    faces. `fallen`: runners that were just trampled on this space. `ways`: a sentence about the
    spaces to which the streets lead.
    """

    key: str
    name: str
    space: int
    bulls: str
    runners: tuple[tuple[int, str, str], ...]
    fallen: str
    ways: str

    @property
    def has_dice(self) -> bool:
        """True if there is a die on the space, including runners just trampled."""
        return bool(self.bulls or self.runners or self.fallen)

    @property
    def sentence(self) -> str:
        parts = [_("bulls %(faces)s") % {"faces": self.bulls}] if self.bulls else []
        parts += [f"{name} {faces}" for _seat, name, faces in self.runners]
        parts += [_("trampled: %(dice)s") % {"dice": self.fallen}] if self.fallen else []
        return f"{self.name}: {'; '.join(parts)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player in the list below the map: name, runners still on the board, and tokens."""

    seat: int
    name: str
    you: bool
    running: str
    tokens: int


def town_name(sight: MapContext) -> str:
    """Return the town's name, which is drawn in the sky of the map.

    It is the name of a supplied board, or else the name of the game's town.
    """
    name = sight.board.name if sight.board.name in BOARDS else FIRST_BOARD
    return name.replace("-", " ").title()


def map_title(sight: MapContext) -> str:
    town = sight.town
    return _("%(town)s, day %(day)s: %(phase)s") % {
        "town": town_name(sight),
        "day": town.day,
        "phase": _phase(town.phase),
    }


def _phase(phase: Phase) -> str:
    return {
        Phase.MORNING: _("the morning"),
        Phase.CARDS: _("cards are played"),
        Phase.RUNNERS: _("the runners have moved"),
        Phase.BULLS: _("the bulls have moved"),
        Phase.CHARGE: _("the bulls charge"),
        Phase.EVENING: _("the evening"),
        Phase.OVER: _("the game is over"),
    }[phase]


def describe_lines(lines: Sequence[SpaceLine]) -> str:
    return " ".join(line.sentence for line in lines if line.has_dice) or _(
        "There are no runners or bulls in town."
    )


def space_lines(sight: MapContext, companies: DiceBySpace) -> tuple[SpaceLine, ...]:
    """Return all spaces from the top of the map.

    Dice that are not yet placed come first.
    """
    order = [GATE] if companies[GATE].runners else []
    order += [space for row in sight.board.rows for space in row]
    return tuple(_space_line(sight, space, companies) for space in order)


def _space_line(sight: MapContext, space: int, companies: DiceBySpace) -> SpaceLine:
    company = companies[space]
    fallen = [runner for runner in company.runners if runner.fallen]
    return SpaceLine(
        key=sight.key(space),
        name=sight.space(space),
        space=space,
        bulls=_faces_text(company.bulls),
        runners=tuple(_by_player(sight, company.standing)),
        fallen=", ".join(
            f"{sight.player_name(runner.seat)} {runner.face}"
            for runner in fallen
            if runner.seat is not None
        ),
        ways=_streets_sentence(sight, space),
    )


def _by_player(sight: MapContext, runners: Sequence[UnplacedDie]) -> Iterator[tuple[int, str, str]]:
    for seat in range(sight.town.players):
        faces = _faces_text([runner for runner in runners if runner.seat == seat])
        if faces:
            yield seat, sight.player_name(seat), faces


def _faces_text(dice: Sequence[UnplacedDie]) -> str:
    return ", ".join(str(die.face) for die in dice)


def _streets_sentence(sight: MapContext, space: int) -> str:
    """Return a sentence about the ways from a space. Empty for destinations and unplaced dice."""
    ways = sight.board.spaces[space].ways if space >= 0 else ()
    names = [sight.space(way) for way in ways]
    if len(names) == 1:
        return _("All numbers go to %(space)s.") % {"space": names[0]}
    if not names:
        return ""
    return _("Even numbers go to %(even)s, odd numbers to %(odd)s.") % {
        "even": names[0],
        "odd": names[1],
    }


def list_players(sight: MapContext) -> tuple[PlayerLine, ...]:
    return tuple(
        PlayerLine(
            seat=seat,
            name=sight.names[seat],
            you=seat == sight.seat,
            running=_runners_text(dice),
            tokens=sight.town.tokens_left[seat],
        )
        for seat, dice in enumerate(sight.town.runners)
    )


def _runners_text(dice: Sequence[object]) -> str:
    here = sum(die is not None for die in dice)
    sentence = ngettext("%(here)s of %(all)s runner", "%(here)s of %(all)s runners", len(dice))
    return sentence % {"here": here, "all": len(dice)}
