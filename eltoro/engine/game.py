"""A game of El Toro from the first deal to the last day. The game object is changed in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import Final

from eltoro.engine.day import deal_first, discard, place_ones, play_card
from eltoro.engine.effects import tables_of
from eltoro.engine.errors import IllegalMove
from eltoro.engine.moves import DecisionKind, Move
from eltoro.engine.random_moves import play_out
from eltoro.engine.rules import Rules
from eltoro.engine.state import GameState, Witness
from fairness import Seed

CARD: Final = DecisionKind.CARD
ASK_CODES: Final[Mapping[DecisionKind, str]] = {
    DecisionKind.START: "ask_start",
    DecisionKind.CARD: "ask_card",
    DecisionKind.DISCARD: "ask_discard",
}
MOVE_HANDLERS: Final[Mapping[DecisionKind, Callable[[GameState, int, Move], None]]] = {
    DecisionKind.START: place_ones,
    DecisionKind.CARD: play_card,
    DecisionKind.DISCARD: discard,
}


class Game(GameState):
    """A game of El Toro in progress."""

    __slots__ = ()

    def __init__(self, rules: Rules, players: int, seed: Seed) -> None:
        rules.runners(players)
        super().__init__(rules, tables_of(rules), players, seed)

    @classmethod
    def new(cls, rules: Rules, players: int, seed: Seed, witness: Witness | None = None) -> Game:
        """Deal a new game and roll its first morning, up to the first decision of a player.

        Raises `ValueError` for fewer than two or more than six players (Ruling E-1).
        """
        game = cls(rules, players, seed)
        game.witness = witness
        deal_first(game)
        game.witness = None
        return game

    def play(self, move: Move, seat: int | None = None, witness: Witness | None = None) -> None:
        """Play a move for the seat whose turn it is, and everything up to the next decision.

        `seat` is the player who makes the move: if it is given, the turn is checked too. `witness`
        receives every event. Raises `IllegalMove` with the reason and its ruling. The game is then
        unchanged.
        """
        turn = self.turn
        if turn is None:
            raise IllegalMove("over")
        if seat is not None and seat != turn:
            raise IllegalMove("not_your_turn")
        kind = move.kind
        if kind is not self.ask:
            raise IllegalMove(ASK_CODES[self.ask])  # type: ignore[index]  # not None during a turn
        self.witness = witness
        try:
            MOVE_HANDLERS[kind](self, turn, move)
        finally:
            self.witness = None

    def copy(self) -> Game:
        """Return an independent copy of the game."""
        twin = Game.__new__(Game)
        for name in GameState.__slots__:
            setattr(twin, name, getattr(self, name))
        for name in ("bulls", "chance", "deck", "dice", "discards", "effects", "record", "tokens"):
            setattr(twin, name, copy(getattr(self, name)))
        twin.downs = {seat: down.copy() for seat, down in self.downs.items()}
        twin.hands = [hand.copy() for hand in self.hands]
        twin.day_points = [points.copy() for points in self.day_points]
        twin.witness = None
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        """Return the arguments for pickling the game: rules, players, seed and moves."""
        return replay, (self.rules, self.players, self.seed, tuple(self.log))

    @property
    def log(self) -> list[Move]:
        """The moves of the game so far, as `Move` objects."""
        log = self.record
        for number, note in enumerate(log):
            if isinstance(note, tuple):
                roster, kind, seat, index, aimed = note
                if kind is CARD:
                    log[number] = roster.move(index, seat, aimed)
                else:
                    log[number] = roster.other_move(kind, seat, aimed)
        return log.copy()  # type: ignore[return-value]  # all notes are converted

    def play_out(self, random: Callable[[], float]) -> None:
        """Play random legal moves to the end of the game, as `random_move` does.

        `random` returns numbers from 0 to below 1. All moves are added to the log. For estimates,
        `random` may be a fast generator (Ruling F-3).
        """
        play_out(self, random)


def replay(
    rules: Rules,
    players: int,
    seed: Seed,
    moves: Iterable[Move],
    witness: Witness | None = None,
) -> Game:
    """Play a game from this seed with these moves and return it.

    Raises `IllegalMove` for the first illegal move.
    """
    game = Game.new(rules, players, seed, witness)
    for move in moves:
        game.play(move, witness=witness)
    return game
