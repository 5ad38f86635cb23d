"""The state of a game of El Toro, and the part of this state that a seat may see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from eltoro.engine.board import Sign
from eltoro.engine.dice import FACES, OUTSIDE, TOKENS, UNPLACED
from eltoro.engine.events import Event
from eltoro.engine.lookup import Roster, Tables
from eltoro.engine.moves import DecisionKind, Move
from eltoro.engine.rules import Rules
from eltoro.engine.town import Die, Phase, Town, View
from fairness import Chance, Seed

# Number of dice that are rolled in advance. A whole day needs about as many dice.
ROLLS_AHEAD: Final = 96
# For each number of players and each seat: the next seat to the left.
NEXT_SEAT: Final = tuple(
    tuple((seat + 1) % players for seat in range(players)) for players in range(1 + 6)
)
# For each number of players and each first player: all seats in turn order.
TURN_ORDERS: Final = tuple(
    tuple(tuple((first + left) % players for left in range(players)) for first in range(players))
    for players in range(1 + 6)
)
# A move as a tuple of numbers. It is converted to a `Move` only if a caller needs the notation.
MoveNote: TypeAlias = tuple[Roster, DecisionKind, int, int, tuple[object, ...]]
Witness: TypeAlias = Callable[[Event, "GameState"], None]


class GameState:
    """The state of a game. It contains all hidden cards, so players only get a `view`.

    `turn`: the seat that must decide, `None` when the game is over. `ask`: the kind of its
    decision. `log`: the moves so far. `day` (from 1), `step`, `phase`, `first`, `tokens`,
    `destinations`, `effects` are as in `Town`. `dice`, `bulls`: all runners in the order of the
    `roster`, and all bulls, as bytes (see the module `dice`). `hands`, `deck` (cards are drawn from
    its end), `discards`: indexes of cards. `day_points`: points by day and by seat. `record`: the
    log, partly as numbers.
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
        self.ask: DecisionKind | None = None
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
        """Return the faces of the next `count` dice of the day, 1 to 6 each."""
        at = self._at
        end = at + count
        if end > self._ahead:
            return self._throw_ahead(count)
        self._at = end
        return self._faces[at:end]

    def _throw_ahead(self, count: int) -> bytes:
        """Roll more dice in advance, because too few are left, and return the next `count` dice."""
        self.throw_ahead(self._faces[self._at :] + self.chance.dice(ROLLS_AHEAD + count))
        return self.throw(count)

    def throw_ahead(self, faces: bytes) -> None:
        """Roll dice for the day in advance.

        After this call, the random numbers of the day may only be used for dice.
        """
        self._faces, self._at, self._ahead = faces, 0, len(faces)

    def report_event(self, event: Event) -> None:
        """Report an event to the witness, if there is one."""
        if self.witness is not None:
            self.witness(event, self)

    @property
    def is_over(self) -> bool:
        """True if the last day has been scored."""
        return self.turn is None

    @property
    def points(self) -> tuple[int, ...]:
        """The total points of each seat (Ruling E-9)."""
        return tuple(map(sum, zip(*self.day_points, strict=True)))

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, from 1. Tied seats share a place.

        Seats are compared by total points, then by the points of the last day (Ruling E-9).
        """
        return places_of(self.points, self.day_points[-1])

    def view(self, seat: int | None) -> View:
        """Return the part of the game that a seat may see, or a spectator if `seat` is `None`.

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
        """Return the public part of the current state."""
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
    """Return the die of a runner from its byte, or `None` if the runner is trampled."""
    if byte < OUTSIDE:
        return _byte_to_die(byte)
    return Die(-1, 1) if byte == UNPLACED else None


def places_of(totals: Iterable[int], last_day: Iterable[int]) -> tuple[int, ...]:
    """Return the place of each seat, from 1 (Ruling E-9).

    Seats are compared by total points, then by the points of the last day. Tied seats share a
    place.
    """
    scores = list(zip(totals, last_day, strict=True))
    falling = sorted(scores, reverse=True)
    return tuple([1 + falling.index(own) for own in scores])
