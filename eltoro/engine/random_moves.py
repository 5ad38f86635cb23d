"""Random legal moves of El Toro: a single move for bots and tests, or all moves to the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from eltoro.engine.byte_view import ByteView
from eltoro.engine.day import end_evening, end_step, late_bulls
from eltoro.engine.dice import FACES, UNPLACED
from eltoro.engine.moves import DecisionKind, Move
from eltoro.engine.random_targets import Position, random_starts
from eltoro.engine.state import GameState
from eltoro.engine.town import View
from fairness import Chance

RANDOM_RANGE: Final = float(1 << 32)
CARD: Final = DecisionKind.CARD
START: Final = DecisionKind.START
DISCARD: Final = DecisionKind.DISCARD


def random_move(seen: GameState | View, chance: Chance) -> Move:
    """Return a random legal move: any card with any number of its possible targets.

    If `seen` is a game, only information visible to the seat is used. All choices are derived from
    one number below 2 to the 32nd, so the choices are very nearly equally likely. Raises
    `ValueError` if no decision must be made, or if the view belongs to another seat.
    """
    if isinstance(seen, View):
        if seen.turn is None or seen.seat != seen.turn:
            raise ValueError("This seat has nothing to decide.")
        return _choose_move(ByteView(seen), seen.turn, seen.hand, chance.word())
    if seen.turn is None:
        raise ValueError("The game is over.")
    return _choose_move(seen, seen.turn, seen.hands[seen.turn], chance.word())


def _choose_move(seen: Position, seat: int, hand: Sequence[int], number: int) -> Move:
    roster = seen.roster
    if seen.ask is CARD:
        index = hand[number % len(hand)]
        card, _, _, choose, bare = roster.tables.acts[index]
        aimed = choose(seen, seat, card, number // len(hand)) if choose else bare
        return roster.move(index, seat, aimed)
    if seen.ask is DecisionKind.DISCARD:
        away = [index for place, index in enumerate(hand) if number >> place & 1]
        return roster.other_move(DecisionKind.DISCARD, seat, tuple(away))
    return roster.other_move(DecisionKind.START, seat, random_starts(seen, seat, number))


def play_out(game: GameState, random: Callable[[], float]) -> None:
    """Play random moves to the end of the game, without parsing and checking them."""
    while game.turn is not None:
        if game.ask is CARD:
            _rest_of_steps(game, random)
        elif game.ask is START:
            _rest_of_ones(game, random)
        else:
            _rest_of_evening(game, random)


def _seats_left(game: GameState) -> Sequence[int]:
    """Return the seat whose turn it is, followed by the seats that have their turn later in the
    same round of turns.
    """
    order = game.orders[game.first]
    return order[order.index(game.turn) :]


def _rest_of_steps(game: GameState, random: Callable[[], float]) -> None:
    """Play random cards for all remaining seats and end each step, until no card can be played."""
    hands, note, discard = game.hands, game.record.append, game.discards.append
    acts = game.tables.acts
    while game.ask is CARD:
        roster = game.roster  # changes if a new day begins without a decision
        for turn in _seats_left(game):
            hand = hands[turn]
            size = len(hand)
            if not size:
                continue
            number = int(random() * RANDOM_RANGE)
            index = hand.pop(number % size)
            card, _, act, choose, bare = acts[index]
            aimed = choose(game, turn, card, number // size) if choose else bare
            note((roster, CARD, turn, index, aimed))
            if aimed:
                act(game, turn, card, aimed)
            discard(index)
        end_step(game)


def _rest_of_ones(game: GameState, random: Callable[[], float]) -> None:
    """Place runners that show 1 at random for all remaining seats, then roll the last bulls."""
    dice, begins, note = game.dice, game.roster.begins, game.record.append
    find = dice.find
    for turn in _seats_left(game):
        if find(UNPLACED, begins[turn], begins[turn + 1]) >= 0:
            placed = random_starts(game, turn, int(random() * RANDOM_RANGE))
            for at, space in placed:
                dice[at] = space * FACES
            note((game.roster, START, turn, -1, placed))
    late_bulls(game)


def _rest_of_evening(game: GameState, random: Callable[[], float]) -> None:
    """Discard random cards for all remaining seats, then deal and begin the next day."""
    hands, roster, note = game.hands, game.roster, game.record.append
    for turn in _seats_left(game):
        hand = hands[turn]
        if not hand:
            continue
        number = int(random() * RANDOM_RANGE)
        if len(hand) == 1:
            away = tuple(hand) if number & 1 else ()
        else:
            away = tuple([index for place, index in enumerate(hand) if number >> place & 1])
        if away:
            hands[turn] = [index for place, index in enumerate(hand) if not number >> place & 1]
            game.discards += away
        note((roster, DISCARD, turn, -1, away))
    end_evening(game)
