"""Plays the three acts (tercios) of a fight and decides whether the bull is spared.

See the entries 1s, 2s and 3s in the rulebook.
"""

from __future__ import annotations

from corridas.engine.deck import CLAVARS_TO_END
from corridas.engine.events import Digit, IndultoChecked
from corridas.engine.sand import HUNDRED, Sand
from corridas.engine.script import FIRST, SECOND, THIRD


def play_first(sand: Sand) -> None:
    """Play the first act: ten moves (Ruling I-4)."""
    _play_marks(sand, FIRST)


def play_second(sand: Sand) -> None:
    """Play the second act until the second CLAVAR, whose effects still count (Ruling I-8)."""
    _play_marks(sand, SECOND)


def play_faena(sand: Sand) -> None:
    """Play the third act before the kill: ten moves (Ruling I-4)."""
    _play_marks(sand, THIRD)


def _play_marks(sand: Sand, tercio: int) -> None:
    """Draw cards until the act has all its moves, or its two CLAVARs (Rulings I-4, I-5, I-8)."""
    draw, write, numbers = sand.draw, sand.events.append, sand.numbers
    asks = sand.deck.tercios[tercio - 1].asks
    script = sand.script.tercios[tercio - 1]
    clavars_left = CLAVARS_TO_END
    for moves in script.moves():
        card = draw()
        write(moves[card])
        ask = asks[card]
        if ask is None:
            continue
        if ask.bull:
            sand.answer(tercio, card)
        elif sign := ask.sign:
            scoring = draw()
            sand.matador_points += sign * numbers[scoring]
            write(script.scores[sign][scoring])
        if ask.clavar:
            clavars_left -= 1
            if not clavars_left:
                break
    write(script.ended)


def check_indulto(sand: Sand) -> bool:
    """Draw whether the bull is spared, and return the result (Ruling I-9).

    A bull without a positive score is never spared, and no cards are drawn for it.
    """
    if sand.bull_points <= 0:
        return False
    number = draw_hundred(sand, sand.script.indulto)
    spared = number in sand.card.indulto
    sand.events.append(IndultoChecked(number, spared))
    return spared


def draw_hundred(sand: Sand, digits: tuple[list[Digit], list[Digit]]) -> int:
    """Draw two cards, tens then units, and return a number from 1 to 100; `00` is 100 (Ruling
    I-2).
    """
    tens, units = sand.draw(), sand.draw()
    sand.events += (digits[0][tens], digits[1][units])
    return 10 * sand.numbers[tens] + sand.numbers[units] or HUNDRED
