"""A game played to its end by players who do not think: `random_move`, without a word said."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from eltoro.engine.choosers import random_starts
from eltoro.engine.course import end_step
from eltoro.engine.evening import put_away
from eltoro.engine.morning import put_ones
from eltoro.engine.moves import Ask

if TYPE_CHECKING:
    from eltoro.engine.game import Game

LARGE: Final = float(1 << 32)
CARD: Final = Ask.CARD


def play_out(game: Game, random: Callable[[], float]) -> None:
    """Every decision by `random`, up to the end of the game; nothing is read, nothing refused."""
    while game.turn is not None:
        if game.ask is CARD:
            _rest_of_step(game, game.turn, random)
        elif game.ask is Ask.START:
            placed = random_starts(game, game.turn, int(random() * LARGE))
            game.record.append((game.roster, Ask.START, game.turn, -1, placed))
            put_ones(game, game.turn, placed)
        else:
            _discard(game, game.turn, int(random() * LARGE))


def _rest_of_step(game: Game, seat: int, random: Callable[[], float]) -> None:
    """A card of everybody whose turn is still to come, then all that follows."""
    hands, roster, note = game.hands, game.roster, game.record.append
    acts = game.tables.acts
    order = game.orders[game.first]
    for turn in order[order.index(seat) :]:
        hand = hands[turn]
        if not hand:
            continue
        number = int(random() * LARGE)
        size = len(hand)
        index = hand.pop(number % size)
        card, _, act, choose, bare = acts[index]
        aimed = choose(game, turn, card, number // size) if choose else bare
        note((roster, CARD, turn, index, aimed))
        if aimed:
            act(game, turn, card, aimed)
        game.discards.append(index)
    end_step(game)


def _discard(game: Game, seat: int, number: int) -> None:
    kept: list[int] = []
    away: list[int] = []
    for place, index in enumerate(game.hands[seat]):
        (away if number >> place & 1 else kept).append(index)
    game.record.append((game.roster, Ask.DISCARD, seat, -1, tuple(away)))
    put_away(game, seat, kept, away)
