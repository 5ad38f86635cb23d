"""A legal move at random: for the bot that does not think, for tests and for measuring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eltoro.engine.choosers import random_starts
from eltoro.engine.game import Game
from eltoro.engine.moves import Ask, Move
from eltoro.engine.sight import Seen, Sight
from eltoro.engine.town import View
from fairness import Chance

CARD: Final = Ask.CARD


def random_move(seen: Game | View, chance: Chance) -> Move:
    """Something legal for whose turn it is: any card held, aimed at any number of any targets.

    Of a game it looks at nothing that the seat may not see. Choices are taken out of one number
    below 2 to the 32nd, which favours none by more than that. Raises `ValueError` where no
    decision is awaited, or the view is not that of whose turn it is.
    """
    if isinstance(seen, View):
        if seen.turn is None or seen.seat != seen.turn:
            raise ValueError("This seat has nothing to decide.")
        return _chosen(Sight(seen), seen.turn, seen.hand, chance.word())
    if seen.turn is None:
        raise ValueError("The game is over.")
    return _chosen(seen, seen.turn, seen.hands[seen.turn], chance.word())


def _chosen(seen: Seen, seat: int, hand: Sequence[int], number: int) -> Move:
    roster = seen.roster
    if seen.ask is CARD:
        index = hand[number % len(hand)]
        card, _, _, choose, bare = roster.tables.acts[index]
        aimed = choose(seen, seat, card, number // len(hand)) if choose else bare
        return roster.move(index, seat, aimed)
    if seen.ask is Ask.DISCARD:
        away = [index for place, index in enumerate(hand) if number >> place & 1]
        return roster.other(Ask.DISCARD, seat, tuple(away))
    return roster.other(Ask.START, seat, random_starts(seen, seat, number))
