"""What a picture is made of: the town, its rules, who looks at it, what the page points at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from eltoro import words
from eltoro.engine import Board, Rules, Town
from eltoro.stage.marks import SEATS, Marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
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
        return words.space_name(self.rules, index, self.town.destinations)

    def key(self, index: int) -> str:
        """A space as the notation writes it; `gate` for dice not yet placed."""
        return self.board.spaces[index].key if index >= 0 else "gate"

    def letter(self, seat: int) -> str:
        """What stands on a player's mark and tokens."""
        return (self.names[seat] or SEATS[seat])[:1].upper()

    def asks_for(self, *ids: str) -> bool:
        """Whether one of these may be chosen."""
        return any(not picks.ids.isdisjoint(ids) for picks in self.marks.picks)
