"""A legal move at random: for the bot that does not think, for tests and for measuring."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from eltoro.engine.board import STARTS
from eltoro.engine.cards import Card, Effect, Whose
from eltoro.engine.dice import BULL_NAMES, FACES, MOST_BULLS, UNPLACED
from eltoro.engine.game import Game
from eltoro.engine.moves import Ask, Move
from eltoro.engine.offers import turns_of
from eltoro.engine.sight import (
    Seen,
    Sight,
    free_signs,
    own_signs,
    runners_for,
    spaces_for,
    tokens_left,
)
from eltoro.engine.town import View
from fairness import Chance

Item = TypeVar("Item")
Chooser: TypeAlias = Callable[[Seen, int, Card, Chance], Sequence[str]]


def random_move(seen: Game | View, chance: Chance) -> Move:
    """Something legal for whose turn it is: any card held, aimed at any number of any targets.

    Of a game it looks at nothing that the seat may not see. Raises `ValueError` where no decision
    is awaited, or the view is not that of whose turn it is.
    """
    if isinstance(seen, View):
        if seen.turn is None or seen.seat != seen.turn:
            raise ValueError("This seat has nothing to decide.")
        sight = Sight(seen)
        return _chosen(sight, seen.turn, sight.hand, chance)
    if seen.turn is None:
        raise ValueError("The game is over.")
    return _chosen(seen, seen.turn, seen.hands[seen.turn], chance)


def _chosen(seen: Seen, seat: int, hand: Sequence[int], chance: Chance) -> Move:
    tables = seen.tables
    if seen.ask is Ask.CARD:
        index = hand[chance.below(len(hand))]
        card = tables.cards[index]
        targets = CHOOSERS[card.effect](seen, seat, card, chance)
        return Move(Ask.CARD, card.key, tuple(targets)) if targets else tables.bare[index]
    if seen.ask is Ask.DISCARD:
        away = [tables.keys[index] for index in hand if chance.below(2)]
        return Move(Ask.DISCARD, "", tuple(away))
    begin, end = seen.roster.begins[seat : seat + 2]
    ones = [at for at in range(begin, end) if seen.dice[at] == UNPLACED]
    names = seen.roster.names
    return Move(Ask.START, "", tuple(f"{names[at]}>{chance.pick(STARTS)}" for at in ones))


def _some(items: Sequence[Item], most: int, chance: Chance) -> list[Item]:
    """Any number of different items up to so many, in any order."""
    count = chance.below(min(most, len(items)) + 1)
    if count == 1:
        return [items[chance.below(len(items))]]
    pool = list(items) if count else []
    return [pool.pop(chance.below(len(pool))) for _ in range(count)]


def _nothing(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    return ()


def _runners(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    names = seen.roster.names
    found = _some(runners_for(seen, seat, card.whose), card.amount, chance)
    return [names[at] for at in found]


def _turns(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    names, dice = seen.roster.names, seen.dice
    found = _some(runners_for(seen, seat, card.whose), card.amount, chance)
    return [names[at] + chance.pick(turns_of(dice[at], card)) for at in found]


def _faces(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    return [f"{name}={chance.roll()}" for name in _runners(seen, seat, card, chance)]


def _pairs(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    names = seen.roster.names
    own = _some(runners_for(seen, seat, Whose.OWN), card.amount, chance)
    others = list(runners_for(seen, seat, Whose.OTHER))
    own = own[: len(others)]
    return [f"{names[at]}~{names[others.pop(chance.below(len(others)))]}" for at in own]


def _space(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    spaces = seen.tables.rules.board.spaces
    return [f"@{spaces[at].key}" for at in _some(spaces_for(seen, seat, card), 1, chance)]


def _bulls(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    return _some(BULL_NAMES[: len(seen.bulls)], card.amount, chance)


def _bull_turns(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    found = _some(range(len(seen.bulls)), card.amount, chance)
    return [BULL_NAMES[at] + chance.pick(turns_of(seen.bulls[at], card)) for at in found]


def _led(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    board, led = seen.tables.rules.board, []
    for at in _some(range(len(seen.bulls)), card.amount, chance):
        beside = board.neighbours(seen.bulls[at] // FACES)
        if beside:
            led.append(f"{BULL_NAMES[at]}>{board.spaces[chance.pick(beside)].key}")
    return led


def _new_bulls(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    board = seen.tables.rules.board
    room = min(card.amount, MOST_BULLS - len(seen.bulls))
    spaces = _some(board.rows[seen.step], room, chance)
    return [f"@{board.spaces[space].key}" for space in spaces]


def _signs(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    write, left = seen.tables.rules.board.write_sign, tokens_left(seen, seat)
    own = [] if left else own_signs(seen, seat)
    most = min(card.amount, left or len(own))
    signs = [write(sign) for sign in _some(free_signs(seen, seat), most, chance)]
    if left:
        return signs
    return [f"{write(own.pop(chance.below(len(own))))}>{sign}" for sign in signs]


def _tokens(seen: Seen, seat: int, card: Card, chance: Chance) -> Sequence[str]:
    write = seen.tables.rules.board.write_sign
    return [write(sign) for sign in _some(list(seen.tokens), card.amount, chance)]


CHOOSERS: Final[Mapping[Effect, Chooser]] = {
    Effect.ROLL: _runners,
    Effect.ROLL_SPACE: _space,
    Effect.ROLL_ALL: _nothing,
    Effect.TURN: _turns,
    Effect.FLIP: _runners,
    Effect.ODD: _runners,
    Effect.EVEN: _runners,
    Effect.SET: _faces,
    Effect.SWAP: _pairs,
    Effect.BULL_ROLL: _bulls,
    Effect.BULL_ROLL_SPACE: _space,
    Effect.BULL_TURN: _bull_turns,
    Effect.BULL_FLIP: _bulls,
    Effect.BULL_LEAD: _led,
    Effect.BULL_ADD: _new_bulls,
    Effect.SIGN: _signs,
    Effect.UNSIGN: _tokens,
    Effect.DRAW: _nothing,
    Effect.POINTS: _nothing,
    Effect.BRAVE: _nothing,
}
"""By effect, what the targets may be."""
