"""Running with the Bulls at a table of the site: the whole game is one round, folded by the engine.

One seed for three days: the deck goes on over the nights, so that a seed opened in between would
show what is in the hands. The stake (Ruling F-2) names all that the game depends on and nothing
that is hidden: rules with their digest, and how many play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.utils.translation import gettext as _

from eltoro.bots import BOTS
from eltoro.engine import (
    ENGINE_VERSION,
    Event,
    Game,
    IllegalMove,
    Move,
    NotationError,
    Odds,
    Phase,
    Rules,
    State,
)
from eltoro.stage import sentences
from eltoro.stage.frames import MoveResult, TownEvent
from eltoro.stage.hand import read_form
from eltoro.stage.scene import build_scene, odds_by_runner
from fairness import Seed
from leagues.games import JSON, Folded, MoveRefused, Position, RoundLog

KEY: Final = "eltoro"
BUDGET_MS: Final = 200
"""What a bot may think at a move."""
GAME_CACHE_SIZE: Final = 2048
ODDS_CACHE_SIZE: Final = 128


@dataclass(frozen=True, kw_only=True)
class ElToroPosition:
    """A game at a table; `game` is None before it begins, and is not changed any more.

    `seed` and `moves` are what it was folded from.
    """

    rules: Rules
    seats: int
    game: Game | None
    seed: bytes = b""
    moves: tuple[str, ...] = ()

    @property
    def turn(self) -> int | None:
        """The seat to move."""
        return None if self.game is None else self.game.turn

    @property
    def made(self) -> int:
        """Moves of the game."""
        return len(self.moves)

    @property
    def round_over(self) -> bool:
        """Whether the last day is over, or the first has not begun."""
        return self.turn is None

    @property
    def match_over(self) -> bool:
        """Whether the last day is over: one game is the whole match."""
        return self.game is not None and self.game.over

    @property
    def points(self) -> tuple[int, ...]:
        """Points by seat, of all days so far."""
        return (0,) * self.seats if self.game is None else tuple(self.game.points)

    @property
    def places(self) -> tuple[int, ...]:
        """Places by seat (Ruling E-9)."""
        return tuple(self.game.places) if self.game is not None and self.match_over else ()

    def happened(self) -> MoveResult:
        """What the last move brought, or the first morning, each event with the town after it."""
        told: list[TownEvent] = []

        def witness(event: Event, game: State) -> None:
            told.append(TownEvent(event, game.town()))

        if not self.moves:
            Game.new(self.rules, self.seats, Seed(self.seed), witness)
            return MoveResult(None, told)
        before = _replay(self.rules, self.seats, self.seed, self.moves[:-1])
        before.copy().play(Move.read(self.moves[-1]), witness=witness)
        return MoveResult(before.town(), told)

    def odds(self) -> dict[tuple[int, int], Odds]:
        """Where every runner in town will arrive, by seat and number; counted once a position."""
        return _cached_odds(self.rules, self.seats, self.seed, self.moves)

    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The cards of every seat: for replays of games that are over."""
        if self.game is None:
            return ()
        return tuple(self.game.view(seat).hand for seat in range(self.seats))


class ElToroTable(Folded):
    """The adapter that `leagues` plays Running with the Bulls through."""

    template = "eltoro/_table.html"

    def stake(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        """What the game is played for: the engine, the rules with their digest, the players."""
        read = Rules.from_options(rules)
        return {
            "game": KEY,
            "engine": ENGINE_VERSION,
            "rules": read.options(),
            "digest": read.digest,
            "players": seats,
        }

    def restore(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> ElToroPosition:
        """The game after these moves. Raises MoveRefused where it is none."""
        read = Rules.from_options(rules)
        if not rounds:
            return ElToroPosition(rules=read, seats=seats, game=None)
        if len(rounds) > 1:
            raise MoveRefused(_("This match consists of a single evening."))
        seed, moves = rounds[0].seed, rounds[0].moves
        game = _cached_game(read, seats, seed, moves)
        return ElToroPosition(rules=read, seats=seats, game=game, seed=seed, moves=moves)

    def play(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], seat: int, move: str
    ) -> ElToroPosition:
        """The game after one more move of that seat."""
        before = self.restore(rules=rules, seats=seats, rounds=rounds)
        if before.game is None:
            raise MoveRefused(_("The game has not begun yet."))
        if before.turn != seat and not before.match_over:
            raise MoveRefused(sentences.refusal_sentence(IllegalMove("not_your_turn")), "E-4")
        moves = (*before.moves, str(_read_move(move)))
        game = _cached_game(before.rules, seats, before.seed, moves)
        return ElToroPosition(
            rules=before.rules, seats=seats, game=game, seed=before.seed, moves=moves
        )

    def read_moves(
        self, fields: Mapping[str, str], *, position: Position, seat: int
    ) -> tuple[str, ...]:
        """The move that the form says: cards and their targets, 1s placed, or discards."""
        written = read_form(fields)
        if not written:
            raise MoveRefused(_("Choose a card first."))
        return (str(_read_move(written)),)

    def bot_move(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], bot: str, seed: bytes
    ) -> str:
        """What the bot plays; it is shown its own view and nothing else."""
        position = self.restore(rules=rules, seats=seats, rounds=rounds)
        if position.game is None or position.turn is None:
            raise MoveRefused(_("It is nobody’s turn to move."))
        view = position.game.view(position.turn)
        return str(BOTS[bot].choose(view, Seed(seed).chance("bot"), BUDGET_MS))

    def scene(
        self,
        position: Position,
        *,
        seat: int | None,
        names: Sequence[str] = (),
        notes: Sequence[str] = (),
        chosen: Mapping[str, str] | None = None,
        revealed: bool = False,
    ) -> Mapping[str, Any]:
        """What the page draws of the view of that seat."""
        assert isinstance(position, ElToroPosition)
        if position.game is None:
            return {}
        return build_scene(
            position.game.view(seat),
            names=names,
            notes=notes,
            happened=position.happened(),
            odds=position.odds(),
            chosen=chosen,
            revealed=position.hands() if revealed else None,
        )

    def sheet(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        """The game as the referee reads it: its seed and every move."""
        (played,) = rounds
        return {"kind": "log", "seed": played.seed.hex(), "moves": list(played.moves)}


def _cached_game(rules: Rules, seats: int, seed: bytes, moves: tuple[str, ...]) -> Game:
    """A game as kept, not to be played on: it may be another's too."""
    try:
        return _replay(rules, seats, seed, moves)
    except IllegalMove as error:
        raise MoveRefused(sentences.refusal_sentence(error), error.ruling) from error
    except NotationError as error:
        raise MoveRefused(_("That is not a valid move.")) from error


@lru_cache(maxsize=GAME_CACHE_SIZE)
def _replay(rules: Rules, seats: int, seed: bytes, moves: tuple[str, ...]) -> Game:
    """The game after these moves, made of the one before the last of them."""
    if not moves:
        return Game.new(rules, seats, Seed(seed))
    game = _replay(rules, seats, seed, moves[:-1]).copy()
    game.play(Move.read(moves[-1]))
    return game


@lru_cache(maxsize=ODDS_CACHE_SIZE)
def _cached_odds(
    rules: Rules, seats: int, seed: bytes, moves: tuple[str, ...]
) -> dict[tuple[int, int], Odds]:
    """Everybody who looks at a position sees the same. None while bulls are still to come: every
    throw of theirs would have to be counted in, and a look has to be quick.
    """
    town = _replay(rules, seats, seed, moves).town()
    return {} if town.phase is Phase.MORNING else odds_by_runner(town, rules)


def _read_move(text: str) -> Move:
    try:
        return Move.read(text)
    except NotationError as error:
        raise MoveRefused(_("That is not a valid move.")) from error
