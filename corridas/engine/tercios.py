"""The three tercios up to the check for indulto (rulebook, entries 1s, 2s and 3s)."""

from __future__ import annotations

from corridas.engine.deck import ANSWER, CLAVARS_TO_END
from corridas.engine.events import Digit, IndultoChecked, Scored, Side, record
from corridas.engine.sand import HUNDRED, Sand
from corridas.engine.script import FIRST, SECOND, THIRD

_MATADOR = Side.MATADOR


def play_first(sand: Sand) -> None:
    """The first tercio: ten moves (Ruling I-4)."""
    _play_marks(sand, FIRST)


def play_second(sand: Sand) -> None:
    """The second tercio: until the second CLAVAR, which is still resolved (Ruling I-8)."""
    _play_marks(sand, SECOND)


def play_faena(sand: Sand) -> None:
    """The caping of the third tercio: ten moves (Ruling I-4)."""
    _play_marks(sand, THIRD)


def _play_marks(sand: Sand, tercio: int) -> None:
    """Draw for the tercio until its marks, or the CLAVARs, are complete (Rulings I-4, I-5, I-8)."""
    draw, keep, write, numbers = sand.draw, sand.drawn.append, sand.events.append, sand.numbers
    _, asks, clavars = sand.deck.tercios[tercio - 1]
    script = sand.script.tercios[tercio - 1]
    clavars_left = CLAVARS_TO_END
    for moves in script.moves():
        card = draw()
        keep(card)
        write(moves[card])
        ask = asks[card]
        if ask == ANSWER:
            sand.answer(tercio, card)
        elif ask:
            scoring = draw()
            keep(scoring)
            points = ask * numbers[scoring]
            sand.matador_points += points
            write(record(Scored, (_MATADOR, tercio, scoring, points, sand.matador_points)))
        if clavars[card]:
            clavars_left -= 1
            if not clavars_left:
                break
    write(script.ended)


def check_indulto(sand: Sand) -> bool:
    """Whether the bull is spared; asked only with its total above 0 (Ruling I-9)."""
    if sand.bull_points <= 0:
        return False
    number = draw_hundred(sand, sand.script.indulto)
    spared = number in sand.card.indulto
    sand.events.append(IndultoChecked(number, spared))
    return spared


def draw_hundred(sand: Sand, digits: tuple[list[Digit], list[Digit]]) -> int:
    """Two cards, tens then units, as a number from 1 to 100: `00` is 100 (Ruling I-2)."""
    tens, units = sand.draw(), sand.draw()
    sand.drawn += (tens, units)
    sand.events += (digits[0][tens], digits[1][units])
    return 10 * sand.numbers[tens] + sand.numbers[units] or HUNDRED
