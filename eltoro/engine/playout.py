"""A game played to its end by players who do not think: `random_move`, without a word said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from eltoro.engine.choosers import random_starts
from eltoro.engine.course import end_step
from eltoro.engine.dice import FACES, UNPLACED
from eltoro.engine.evening import end_evening
from eltoro.engine.morning import late_bulls
from eltoro.engine.moves import Ask

if TYPE_CHECKING:
    from eltoro.engine.game import Game

LARGE: Final = float(1 << 32)
CARD: Final = Ask.CARD
START: Final = Ask.START
DISCARD: Final = Ask.DISCARD


def play_out(game: Game, random: Callable[[], float]) -> None:
    """Every decision by `random`, up to the end of the game; nothing is read, nothing refused."""
    while game.turn is not None:
        order = game.orders[game.first]
        left = order[order.index(game.turn) :]
        if game.ask is CARD:
            _rest_of_step(game, left, random)
        elif game.ask is START:
            _rest_of_ones(game, left, random)
        else:
            _rest_of_evening(game, left, random)


def _rest_of_step(game: Game, left: Sequence[int], random: Callable[[], float]) -> None:
    """A card of everybody whose turn is still to come, then all that follows."""
    hands, roster, note = game.hands, game.roster, game.record.append
    acts, discard = game.tables.acts, game.discards.append
    for turn in left:
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
        discard(index)
    end_step(game)


def _rest_of_ones(game: Game, left: Sequence[int], random: Callable[[], float]) -> None:
    """The 1s of everybody who has still to place them, then the late bulls."""
    dice, begins, note = game.dice, game.roster.begins, game.record.append
    find = dice.find
    for turn in left:
        if find(UNPLACED, begins[turn], begins[turn + 1]) >= 0:
            placed = random_starts(game, turn, int(random() * LARGE))
            for at, space in placed:
                dice[at] = space * FACES
            note((game.roster, START, turn, -1, placed))
    late_bulls(game)


def _rest_of_evening(game: Game, left: Sequence[int], random: Callable[[], float]) -> None:
    """What everybody who holds cards still puts away, then the deal and the next morning."""
    hands, roster, note = game.hands, game.roster, game.record.append
    for turn in left:
        hand = hands[turn]
        if not hand:
            continue
        number = int(random() * LARGE)
        if len(hand) == 1:
            away = tuple(hand) if number & 1 else ()
        else:
            away = tuple([index for place, index in enumerate(hand) if number >> place & 1])
        if away:
            hands[turn] = [index for place, index in enumerate(hand) if not number >> place & 1]
            game.discards += away
        note((roster, DISCARD, turn, -1, away))
    end_evening(game)
