"""A seat's view of a game of El Toro whose dice are bytes, as in a running game."""

from __future__ import annotations

from eltoro.engine.dice import FACES, TRAMPLED, UNPLACED
from eltoro.engine.effects import tables_of
from eltoro.engine.town import Die, Town, View


class ByteView:
    """A seat's view of the game in which dice are stored as bytes.

    Functions that expect a running game also accept this view.
    """

    __slots__ = ("ask", "bulls", "dice", "hand", "roster", "step", "tables", "tokens", "turn")

    def __init__(self, view: View) -> None:
        town = view.town
        self.tables = tables_of(view.rules)
        self.roster = self.tables.roster(tuple(map(len, town.runners)))
        self.dice = bytes(die_to_byte(die) for dice in town.runners for die in dice)
        self.bulls = bytes(map(die_to_byte, town.bulls))
        self.tokens = town.tokens
        self.step = town.step
        self.turn = view.turn
        self.ask = view.ask
        self.hand = view.hand


def die_to_byte(die: Die | None) -> int:
    """Return the byte of a die (see the module `dice`)."""
    if die is None:
        return TRAMPLED
    return UNPLACED if die.space < 0 else die.space * FACES + die.face - 1


def town_of(seen: View | Town) -> Town:
    """Return the town of a view. A town is returned unchanged."""
    return seen.town if isinstance(seen, View) else seen
