"""A whole game, from the first deal to the last day: the mutable heart of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from eltoro.engine.board import Sign
from eltoro.engine.cardplay import play_card
from eltoro.engine.dice import FACES, OUTSIDE, TOKENS, UNPLACED
from eltoro.engine.errors import IllegalMove
from eltoro.engine.evening import deal_first, discard
from eltoro.engine.events import Event
from eltoro.engine.morning import AT_ONCE, place
from eltoro.engine.moves import Ask, Move
from eltoro.engine.rules import Rules
from eltoro.engine.town import Die, Phase, Town, View, view_of
from fairness import Chance, Seed

if TYPE_CHECKING:
    from eltoro.engine.roster import Roster
    from eltoro.engine.tables import Tables

CARD: Final = Ask.CARD
Witness: TypeAlias = Callable[[Event, "Game"], None]
ASKED: Final[Mapping[Ask, str]] = {
    Ask.START: "ask_start",
    Ask.CARD: "ask_card",
    Ask.DISCARD: "ask_discard",
}
PLAYING: Final[Mapping[Ask, Callable[[Game, int, Move], None]]] = {
    Ask.START: place,
    Ask.CARD: play_card,
    Ask.DISCARD: discard,
}
NEXT: Final = tuple(
    tuple((seat + 1) % players for seat in range(players)) for players in range(1 + 6)
)
"""By the number of players, who sits to the left of each seat."""
ORDERS: Final = tuple(
    tuple(tuple((first + left) % players for left in range(players)) for first in range(players))
    for players in range(1 + 6)
)
"""By the number of players and the first of them, all seats in turn order."""
Note: TypeAlias = tuple["Roster", Ask, int, int, tuple[Any, ...]]
"""A move as numbers, until somebody asks for it in words."""


class Game:
    """A game being played. It holds all cards; players are shown a `view` and nothing else.

    `turn`: whose decision is awaited, `None` when the game is over; `ask`: which. `log`: the moves
    so far, which with rules, players and seed are the whole record. `day` (from 1), `step`,
    `phase`, `first`, `tokens`, `destinations`, `effects` are as in `Town`. Dice are bytes (see
    `dice`): `dice` all runners in the order of the `roster`, `bulls`. `hands`, `deck` (taken
    from its end), `discards`: indexes of cards. `day_points`: by day, by seat. `record`: the log,
    some of it still as numbers.
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

    def __init__(self, rules: Rules, players: int, seed: Seed) -> None:
        rules.runners(players)
        self.rules = rules
        self.players = players
        self.seed = seed
        self.tables: Tables = rules.tables
        self.following = NEXT[players]
        self.orders = ORDERS[players]
        self.witness: Witness | None = None
        self.turn: int | None = None
        self.ask: Ask | None = None
        self.record: list[Move | Note] = []
        self.day = 1
        self.step = self.first = self.shuffles = 0
        self.phase = Phase.MORNING
        self.chance: Chance = seed.chance("deck/0")
        self._faces, self._at, self._ahead = b"", 0, 0
        self.roster: Roster = self.tables.roster((0,) * players)
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

    @classmethod
    def new(cls, rules: Rules, players: int, seed: Seed, witness: Witness | None = None) -> Game:
        """A game dealt, its first morning rolled up to the first decision.

        Raises `ValueError` for fewer than two players or more than six (Ruling E-1).
        """
        game = cls(rules, players, seed)
        game.witness = witness
        deal_first(game)
        game.witness = None
        return game

    def play(self, move: Move, seat: int | None = None, witness: Witness | None = None) -> None:
        """Play a move of whose turn it is; where a seat is given it must be that one.

        All that follows from it happens, up to the next decision; `witness` is told each event.
        Raises `IllegalMove`, with the reason and the ruling that decides it; nothing is changed.
        """
        turn = self.turn
        if turn is None:
            raise IllegalMove("over")
        if seat is not None and seat != turn:
            raise IllegalMove("not_your_turn")
        kind = move.kind
        if kind is not self.ask:
            raise IllegalMove(ASKED[self.ask])  # type: ignore[index]  # somebody's turn: asked
        self.witness = witness
        try:
            PLAYING[kind](self, turn, move)
        finally:
            self.witness = None

    def throw(self, count: int) -> bytes:
        """The next dice of the day, 1 to 6 each; read from the day's chance by the hundred."""
        at = self._at
        end = at + count
        if end > self._ahead:
            return self._throw_ahead(count)
        self._at = end
        return self._faces[at:end]

    def _throw_ahead(self, count: int) -> bytes:
        """The rest of what was thrown ahead, and more."""
        self.throw_ahead(self._faces[self._at :] + self.chance.dice(AT_ONCE + count))
        return self.throw(count)

    def throw_ahead(self, faces: bytes) -> None:
        """These are the next dice; from here on the day's chance is dice and nothing else."""
        self._faces, self._at, self._ahead = faces, 0, len(faces)

    def tell(self, event: Event) -> None:
        """Tell the witness, if there is one."""
        if self.witness is not None:
            self.witness(event, self)

    def copy(self) -> Game:
        """Another game in the same position, to be played on apart from this one."""
        twin = Game.__new__(Game)
        for name in Game.__slots__:
            setattr(twin, name, getattr(self, name))
        for name in ("bulls", "chance", "deck", "dice", "discards", "effects", "record", "tokens"):
            setattr(twin, name, copy(getattr(self, name)))
        twin.downs = {seat: down.copy() for seat, down in self.downs.items()}
        twin.hands = [hand.copy() for hand in self.hands]
        twin.day_points = [points.copy() for points in self.day_points]
        twin.witness = None
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled by its record, from which the rest follows."""
        return replay, (self.rules, self.players, self.seed, tuple(self.log))

    @property
    def log(self) -> list[Move]:
        """The moves so far."""
        log = self.record
        for number, note in enumerate(log):
            if isinstance(note, tuple):
                roster, kind, seat, index, aimed = note
                if kind is CARD:
                    log[number] = roster.move(index, seat, aimed)
                else:
                    log[number] = roster.other(kind, seat, aimed)
        return log.copy()  # type: ignore[return-value]  # no note is left in it

    def play_out(self, random: Callable[[], float]) -> None:
        """Play to the end as `random_move` would; `random` gives numbers from 0 below 1.

        Every move is legal and goes into the log. For estimates the generator may be a fast one
        (Ruling F-3).
        """
        from eltoro.engine.playout import play_out

        play_out(self, random)

    @property
    def over(self) -> bool:
        """Whether the last day has been scored."""
        return self.turn is None

    @property
    def points(self) -> tuple[int, ...]:
        """The total of each seat so far (Ruling E-9)."""
        return tuple(map(sum, zip(*self.day_points, strict=True)))

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat by the points so far, from 1; who is level shares one.

        By total, then by the points of the last day (Ruling E-9).
        """
        return places_of(self.points, self.day_points[-1])

    def view(self, seat: int | None) -> View:
        """All that this seat may see, or a watcher where it is `None`."""
        return view_of(self, seat)

    def town(self) -> Town:
        """All that lies open now."""
        begins, dice = self.roster.begins, self.dice
        totals = tuple(map(sum, zip(*self.day_points, strict=True)))
        held = list(self.tokens.values())
        return Town(
            day=self.day,
            step=self.step,
            phase=self.phase,
            first=self.first,
            runners=tuple(
                tuple(map(as_die, dice[begins[seat] : begins[seat + 1]]))
                for seat in range(self.players)
            ),
            bulls=tuple(map(_die, self.bulls)),
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


def _die(byte: int) -> Die:
    return Die(byte // FACES, byte % FACES + 1)


def as_die(byte: int) -> Die | None:
    """The runner's die of this byte; `None` where it is trampled."""
    if byte < OUTSIDE:
        return _die(byte)
    return Die(-1, 1) if byte == UNPLACED else None


def places_of(totals: Iterable[int], last_day: Iterable[int]) -> tuple[int, ...]:
    """Places from 1 by total, then by the points of the last day, else shared (Ruling E-9)."""
    scores = list(zip(totals, last_day, strict=True))
    falling = sorted(scores, reverse=True)
    return tuple([1 + falling.index(own) for own in scores])


def replay(
    rules: Rules,
    players: int,
    seed: Seed,
    moves: Iterable[Move],
    witness: Witness | None = None,
) -> Game:
    """The game from this seed with these moves; `IllegalMove` for the first that is refused."""
    game = Game.new(rules, players, seed, witness)
    for move in moves:
        game.play(move, witness=witness)
    return game
