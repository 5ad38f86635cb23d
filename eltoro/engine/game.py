"""A game from the first deal to the last day, which changes in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import Final

from eltoro.engine.day import deal_first, discard, place_ones, play_card
from eltoro.engine.effects import tables_of
from eltoro.engine.errors import IllegalMove
from eltoro.engine.moves import Ask, Move
from eltoro.engine.random_moves import play_out
from eltoro.engine.rules import Rules
from eltoro.engine.state import State, Witness
from fairness import Seed

CARD: Final = Ask.CARD
ASK_CODES: Final[Mapping[Ask, str]] = {
    Ask.START: "ask_start",
    Ask.CARD: "ask_card",
    Ask.DISCARD: "ask_discard",
}
MOVE_HANDLERS: Final[Mapping[Ask, Callable[[State, int, Move], None]]] = {
    Ask.START: place_ones,
    Ask.CARD: play_card,
    Ask.DISCARD: discard,
}


class Game(State):
    """A game in progress."""

    __slots__ = ()

    def __init__(self, rules: Rules, players: int, seed: Seed) -> None:
        rules.runners(players)
        super().__init__(rules, tables_of(rules), players, seed)

    @classmethod
    def new(cls, rules: Rules, players: int, seed: Seed, witness: Witness | None = None) -> Game:
        """Deal a game and roll its first morning up to the first decision.

        Raises `ValueError` for fewer than two players or more than six (Ruling E-1).
        """
        game = cls(rules, players, seed)
        game.witness = witness
        deal_first(game)
        game.witness = None
        return game

    def play(self, move: Move, seat: int | None = None, witness: Witness | None = None) -> None:
        """Play a move for the seat to move, which must be `seat` if given.

        Everything up to the next decision follows, and `witness` gets each event. Raises
        `IllegalMove` with the reason and its ruling. The game is then unchanged.
        """
        turn = self.turn
        if turn is None:
            raise IllegalMove("over")
        if seat is not None and seat != turn:
            raise IllegalMove("not_your_turn")
        kind = move.kind
        if kind is not self.ask:
            raise IllegalMove(ASK_CODES[self.ask])  # type: ignore[index]  # somebody's turn: asked
        self.witness = witness
        try:
            MOVE_HANDLERS[kind](self, turn, move)
        finally:
            self.witness = None

    def copy(self) -> Game:
        """Return an independent copy."""
        twin = Game.__new__(Game)
        for name in State.__slots__:
            setattr(twin, name, getattr(self, name))
        for name in ("bulls", "chance", "deck", "dice", "discards", "effects", "record", "tokens"):
            setattr(twin, name, copy(getattr(self, name)))
        twin.downs = {seat: down.copy() for seat, down in self.downs.items()}
        twin.hands = [hand.copy() for hand in self.hands]
        twin.day_points = [points.copy() for points in self.day_points]
        twin.witness = None
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the record."""
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
        """Play to the end like `random_move`. `random` returns numbers from 0 below 1.

        Every move is legal and logged. For estimates a fast generator is allowed (Ruling F-3).
        """
        play_out(self, random)


def replay(
    rules: Rules,
    players: int,
    seed: Seed,
    moves: Iterable[Move],
    witness: Witness | None = None,
) -> Game:
    """Return the game from this seed with these moves. Raises `IllegalMove`."""
    game = Game.new(rules, players, seed, witness)
    for move in moves:
        game.play(move, witness=witness)
    return game
