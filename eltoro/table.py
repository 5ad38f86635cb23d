"""Adapter with which Running with the Bulls is played at online game tables.

The whole game is one round with a single seed, even though it has three days: the deck is used on
all days, so revealing the seed after a day would reveal the hands. Before the game, the site
publishes a commitment to the seed and to everything else that the game depends on: the rules with
their digest, and the number of players (Ruling F-2). None of this is hidden from players, except
the seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.utils.translation import gettext as _

from api.types import JSON
from eltoro.bots import BOTS
from eltoro.engine import (
    ENGINE_VERSION,
    Event,
    Game,
    GameState,
    IllegalMove,
    Move,
    NotationError,
    Odds,
    Phase,
    Rules,
    View,
)
from eltoro.stage import sentences
from eltoro.stage.frames import MoveResult, TownEvent
from eltoro.stage.hand import read_form
from eltoro.stage.scene import build_scene, odds_by_runner
from fairness import Seed
from leagues.games import MoveRefused, Position, ReplayedTable, RoundLog, read_move

KEY: Final = "eltoro"
GAME_CACHE_SIZE: Final = 2048
ODDS_CACHE_SIZE: Final = 128


@dataclass(frozen=True, kw_only=True)
class ElToroPosition:
    """A game at a game table.

    `game` is None before the game begins. It is cached and must not be changed. It is calculated
    from `seed` and `moves`.
    """

    rules: Rules
    seats: int
    game: Game | None
    seed: bytes = b""
    moves: tuple[str, ...] = ()

    @property
    def turn(self) -> int | None:
        return None if self.game is None else self.game.turn

    @property
    def made(self) -> int:
        return len(self.moves)

    @property
    def round_over(self) -> bool:
        """True if no round is in progress: the game is over or has not begun."""
        return self.turn is None

    @property
    def match_over(self) -> bool:
        """True if the game is over. A match consists of a single game."""
        return self.game is not None and self.game.is_over

    @property
    def points(self) -> tuple[int, ...]:
        return (0,) * self.seats if self.game is None else tuple(self.game.points)

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(self.game.places) if self.game is not None and self.match_over else ()

    def happened(self) -> MoveResult:
        """Return the events of the last move, or of the first morning, each with the town
        after it.
        """
        town_events: list[TownEvent] = []

        def witness(event: Event, game: GameState) -> None:
            town_events.append(TownEvent(event, game.town()))

        if not self.moves:
            Game.new(self.rules, self.seats, Seed(self.seed), witness)
            return MoveResult(None, town_events)
        before = _replay(self.rules, self.seats, self.seed, self.moves[:-1])
        before.copy().play(Move.read(self.moves[-1]), witness=witness)
        return MoveResult(before.town(), town_events)

    def odds(self) -> dict[tuple[int, int], Odds]:
        return _cached_odds(self.rules, self.seats, self.seed, self.moves)

    def hands(self) -> tuple[tuple[int, ...], ...]:
        if self.game is None:
            return ()
        return tuple(self.game.view(seat).hand for seat in range(self.seats))


class ElToroTable(ReplayedTable[ElToroPosition]):
    """Connects El Toro with the online game tables of `leagues`: deals games, applies moves and
    returns what each player sees.
    """

    template = "eltoro/_table.html"
    bots = BOTS
    budget_ms = 200

    def stake(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        """Return the data that the commitment covers: engine, rules with their digest, players."""
        read = Rules.from_options(rules)
        return stake_of_game(read.options(), read.digest, seats)

    def restore(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> ElToroPosition:
        """Return the state of a game after these stored moves.

        Raises `MoveRefused` for an illegal move.
        """
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
        before = self.restore(rules=rules, seats=seats, rounds=rounds)
        if before.game is None:
            raise MoveRefused(_("The game has not begun yet."))
        if before.turn != seat and not before.match_over:
            raise MoveRefused(sentences.refusal_sentence(IllegalMove("not_your_turn")), "E-4")
        moves = (*before.moves, str(read_move(Move.read, move)))
        game = _cached_game(before.rules, seats, before.seed, moves)
        return ElToroPosition(
            rules=before.rules, seats=seats, game=game, seed=before.seed, moves=moves
        )

    def read_moves(
        self, fields: Mapping[str, str], *, position: Position, seat: int
    ) -> tuple[str, ...]:
        written = read_form(fields)
        if not written:
            raise MoveRefused(_("Choose a card first."))
        return (str(read_move(Move.read, written)),)

    def view_to_move(self, position: ElToroPosition) -> View:
        if position.game is None or position.turn is None:
            raise MoveRefused(_("It is nobody’s turn to move."))
        return position.game.view(position.turn)

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
        (played,) = rounds
        return {"kind": "log", "seed": played.seed.hex(), "moves": list(played.moves)}


def stake_of_game(options: Mapping[str, JSON], digest: str, seats: int) -> dict[str, JSON]:
    return {
        "game": KEY,
        "engine": ENGINE_VERSION,
        "rules": options,
        "digest": digest,
        "players": seats,
    }


def _cached_game(rules: Rules, seats: int, seed: bytes, moves: tuple[str, ...]) -> Game:
    """Return the game after these moves. It is cached, so it must not be changed.

    Raises `MoveRefused` for an illegal move.
    """
    try:
        return _replay(rules, seats, seed, moves)
    except IllegalMove as error:
        raise MoveRefused(sentences.refusal_sentence(error), error.ruling) from error
    except NotationError as error:
        raise MoveRefused(_("This move is not valid.")) from error


@lru_cache(maxsize=GAME_CACHE_SIZE)
def _replay(rules: Rules, seats: int, seed: bytes, moves: tuple[str, ...]) -> Game:
    """Return the game after these moves, calculated from the cached game before the last move."""
    if not moves:
        return Game.new(rules, seats, Seed(seed))
    game = _replay(rules, seats, seed, moves[:-1]).copy()
    game.play(Move.read(moves[-1]))
    return game


@lru_cache(maxsize=ODDS_CACHE_SIZE)
def _cached_odds(
    rules: Rules, seats: int, seed: bytes, moves: tuple[str, ...]
) -> dict[tuple[int, int], Odds]:
    """Return the chances of all runners, cached for all viewers.

    The result is empty in the morning until all bulls have been rolled, because calculating all
    possible rolls would take too long for a page.
    """
    town = _replay(rules, seats, seed, moves).town()
    return {} if town.phase is Phase.MORNING else odds_by_runner(town, rules)
