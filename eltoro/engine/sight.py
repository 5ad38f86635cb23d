"""What lies open, as the engine holds it: of a game itself, or rebuilt from a view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from eltoro.engine.board import Sign
from eltoro.engine.cards import Card, Whose
from eltoro.engine.dice import FACES, OUTSIDE, TOKENS, TRAMPLED, UNPLACED
from eltoro.engine.moves import Ask
from eltoro.engine.town import Die, Town, View

if TYPE_CHECKING:
    from eltoro.engine.roster import Roster
    from eltoro.engine.tables import Tables


class Seen(Protocol):
    """What a game and a sight have in common."""

    @property
    def tables(self) -> Tables:
        """The lookups of the rule set."""

    @property
    def roster(self) -> Roster:
        """Who has which die."""

    @property
    def dice(self) -> bytes | bytearray:
        """The runners, as bytes."""

    @property
    def bulls(self) -> bytes | bytearray:
        """The bulls, as bytes."""

    @property
    def tokens(self) -> Mapping[Sign, int]:
        """The seat whose token is on a sign."""

    @property
    def step(self) -> int:
        """The row where all stand."""

    @property
    def ask(self) -> Ask | None:
        """What is asked."""


class Sight:
    """A view, as bytes again."""

    __slots__ = ("ask", "bulls", "dice", "hand", "roster", "step", "tables", "tokens", "turn")

    def __init__(self, view: View) -> None:
        town = view.town
        self.tables = view.rules.tables
        self.roster = self.tables.roster(tuple(map(len, town.runners)))
        self.dice = bytes(as_byte(die) for dice in town.runners for die in dice)
        self.bulls = bytes(map(as_byte, town.bulls))
        self.tokens = town.tokens
        self.step = town.step
        self.turn = view.turn
        self.ask = view.ask
        self.hand = view.hand


def as_byte(die: Die | None) -> int:
    """The byte of a die: see `dice`."""
    if die is None:
        return TRAMPLED
    return UNPLACED if die.space < 0 else die.space * FACES + die.face - 1


def town_of(seen: View | Town) -> Town:
    """The town of a view, or the town itself."""
    return seen.town if isinstance(seen, View) else seen


def runners_for(seen: Seen, seat: int, whose: Whose | None) -> Sequence[int]:
    """The runners on the board that a card for these owners may be aimed at, by index."""
    dice = seen.dice
    span = seen.roster.spans[whose or Whose.OWN][seat]
    return [at for at in span if dice[at] < OUTSIDE] if TRAMPLED in dice else span


def spaces_for(seen: Seen, seat: int, card: Card) -> list[int]:
    """The spaces where runners stand that the card is for, or bulls; as the board lists them."""
    if card.bull:
        return sorted({die // FACES for die in seen.bulls})
    return sorted({seen.dice[at] // FACES for at in runners_for(seen, seat, card.whose)})


def tokens_left(seen: Seen, seat: int) -> int:
    """How many tokens a seat has in hand (Ruling E-5)."""
    return TOKENS - list(seen.tokens.values()).count(seat)


def free_signs(seen: Seen, seat: int) -> list[Sign]:
    """The signs on which this seat may put a token: all without its own (Ruling E-5)."""
    return [sign for sign in seen.tables.rules.board.signs if seen.tokens.get(sign) != seat]


def own_signs(seen: Seen, seat: int) -> list[Sign]:
    """The signs with this seat's tokens."""
    return [sign for sign in seen.tables.rules.board.signs if seen.tokens.get(sign) == seat]
