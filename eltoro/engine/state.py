"""The state of a game, with the views of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from eltoro.engine.board import Sign
from eltoro.engine.dice import FACES, OUTSIDE, TOKENS, UNPLACED
from eltoro.engine.events import Event
from eltoro.engine.lookup import Roster, Tables
from eltoro.engine.moves import Ask, Move
from eltoro.engine.rules import Rules
from eltoro.engine.town import Die, Phase, Town, View
from fairness import Chance, Seed

# Dice rolled in advance, about those of a day.
ROLLS_AHEAD: Final = 96
# By number of players, the seat to the left of each.
NEXT_SEAT: Final = tuple(
    tuple((seat + 1) % players for seat in range(players)) for players in range(1 + 6)
)
# By number of players and first player, all seats in turn order.
TURN_ORDERS: Final = tuple(
    tuple(tuple((first + left) % players for left in range(players)) for first in range(players))
    for players in range(1 + 6)
)
# A move as numbers, until its notation is needed.
MoveNote: TypeAlias = tuple[Roster, Ask, int, int, tuple[Any, ...]]
Witness: TypeAlias = Callable[[Event, "State"], None]


class State:
    """The state of a game. It contains all cards, so players only get a `view`.

    `turn`: the seat to decide, `None` when the game is over. `ask`: the decision. `log`: the
    moves so far, which with rules, players and seed are the whole record. `day` (from 1),
    `step`, `phase`, `first`, `tokens`, `destinations`, `effects` are as in `Town`. Dice are
    bytes (see `dice`): `dice` all runners in the order of the `roster`, `bulls`. `hands`,
    `deck` (taken from its end), `discards`: indexes of cards. `day_points`: by day, by seat.
    `record`: the log, partly still as numbers.
    """

    __slots__ = (
        "_ahead",
        "_at",
        "_faces",
        "ask",
        "bulls",
        "chance",
        "day",
        "day_points",
        "deck",
        "destinations",
        "dice",
        "discards",
        "downs",
        "effects",
        "first",
        "following",
        "hands",
        "orders",
        "phase",
        "players",
        "record",
        "roster",
        "rules",
        "seed",
        "shuffles",
        "step",
        "tables",
        "tokens",
        "turn",
        "witness",
    )

    def __init__(self, rules: Rules, tables: Tables, players: int, seed: Seed) -> None:
        self.rules = rules
        self.players = players
        self.seed = seed
        self.tables = tables
        self.following = NEXT_SEAT[players]
        self.orders = TURN_ORDERS[players]
        self.witness: Witness | None = None
        self.turn: int | None = None
        self.ask: Ask | None = None
        self.record: list[Move | MoveNote] = []
        self.day = 1
        self.step = self.first = self.shuffles = 0
        self.phase = Phase.MORNING
        self.chance: Chance = seed.chance("deck/0")
        self._faces, self._at, self._ahead = b"", 0, 0
        self.roster = self.tables.roster((0,) * players)
        self.dice = bytearray()
        self.bulls = bytearray()
        self.downs: dict[int, bytearray] = {}
        self.tokens: dict[Sign, int] = {}
        self.destinations: tuple[int, ...] = ()
        self.effects: list[tuple[int, ...]] = [()] * players
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.deck: list[int] = []
        self.discards: list[int] = []
        self.day_points: list[list[int]] = []

    def throw(self, count: int) -> bytes:
        """Return the next dice of the day, 1 to 6 each, which are read in batches."""
        at = self._at
        end = at + count
        if end > self._ahead:
            return self._throw_ahead(count)
        self._at = end
        return self._faces[at:end]

    def _throw_ahead(self, count: int) -> bytes:
        """Return the rest of the dice rolled in advance, and roll more."""
        self.throw_ahead(self._faces[self._at :] + self.chance.dice(ROLLS_AHEAD + count))
        return self.throw(count)

    def throw_ahead(self, faces: bytes) -> None:
        """Set the next dice. From now on the day's chance is used for dice only."""
        self._faces, self._at, self._ahead = faces, 0, len(faces)

    def tell(self, event: Event) -> None:
        """Report an event to the witness, if there is one."""
        if self.witness is not None:
            self.witness(event, self)

    @property
    def over(self) -> bool:
        """True if the last day has been scored."""
        return self.turn is None

    @property
    def points(self) -> tuple[int, ...]:
        """The total points of each seat (Ruling E-9)."""
        return tuple(map(sum, zip(*self.day_points, strict=True)))

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, from 1, shared by equals.

        By total, then by the points of the last day (Ruling E-9).
        """
        return places_of(self.points, self.day_points[-1])

    def view(self, seat: int | None) -> View:
        """Return all that this seat may see, or a watcher if it is `None`.

        Raises `ValueError` for an unknown seat.
        """
        if seat is not None and not 0 <= seat < self.players:
            raise ValueError(f"There is no seat {seat}.")
        return View(
            rules=self.rules,
            players=self.players,
            seat=seat,
            town=self.town(),
            hand=() if seat is None else tuple(sorted(self.hands[seat])),
            turn=self.turn,
            ask=self.ask,
        )

    def town(self) -> Town:
        """Return everything that is open now."""
        begins, dice = self.roster.begins, self.dice
        totals = tuple(map(sum, zip(*self.day_points, strict=True)))
        held = list(self.tokens.values())
        return Town(
            day=self.day,
            step=self.step,
            phase=self.phase,
            first=self.first,
            runners=tuple(
                tuple(map(byte_to_die, dice[begins[seat] : begins[seat + 1]]))
                for seat in range(self.players)
            ),
            bulls=tuple(map(_byte_to_die, self.bulls)),
            tokens=dict(self.tokens),
            tokens_left=tuple(TOKENS - held.count(seat) for seat in range(self.players)),
            destinations=self.destinations,
            totals=totals or (0,) * self.players,
            day_points=tuple(map(tuple, self.day_points)),
            effects=tuple(self.effects),
            hand_sizes=tuple(map(len, self.hands)),
            deck_left=len(self.deck),
            discards=tuple(self.discards),
        )


def _byte_to_die(byte: int) -> Die:
    return Die(byte // FACES, byte % FACES + 1)


def byte_to_die(byte: int) -> Die | None:
    """Return the runner's die of this byte, or `None` if it is trampled."""
    if byte < OUTSIDE:
        return _byte_to_die(byte)
    return Die(-1, 1) if byte == UNPLACED else None


def places_of(totals: Iterable[int], last_day: Iterable[int]) -> tuple[int, ...]:
    """Return places from 1 by total, then by the last day's points, else shared (Ruling E-9)."""
    scores = list(zip(totals, last_day, strict=True))
    falling = sorted(scores, reverse=True)
    return tuple([1 + falling.index(own) for own in scores])
