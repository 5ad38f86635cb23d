"""Unfinished games of Running with the Bulls, used as input for bots."""

from __future__ import annotations

from hypothesis import strategies as st

from eltoro.engine import PROFILES, DecisionKind, Game, random_move
from fairness import Chance, Seed

MOST_MOVES = 160


def chance(label: str = "bot") -> Chance:
    """Return the same sequence of random numbers at every call with this label."""
    return Seed(bytes(32)).chance(label)


def game_after(moves: int, *, profile: str = "el-toro", players: int = 4, number: int = 0) -> Game:
    """Return a game after this many random moves, or just before its end."""
    seed = Seed(number.to_bytes(32, "big"))
    game, dice = Game.new(PROFILES[profile], players, seed), seed.chance("moves")
    for _ in range(moves):
        twin = game.copy()
        twin.play(random_move(twin.view(twin.turn), dice))
        if twin.is_over:
            break
        game = twin
    return game


def playing() -> Game:
    """Return a game in which a card must be played."""
    return next(game for game in map(game_after, range(20, 40)) if game.ask is DecisionKind.CARD)


@st.composite
def under_way(draw: st.DrawFn) -> Game:
    """Generate an unfinished game of any profile with two to six players."""
    return game_after(
        draw(st.integers(0, MOST_MOVES)),
        profile=draw(st.sampled_from(sorted(PROFILES))),
        players=draw(st.integers(2, 6)),
        number=draw(st.integers(0, 2**32)),
    )
