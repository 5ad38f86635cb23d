"""The three tercios up to the check for indulto (rulebook, entries 1s, 2s and 3s)."""

from __future__ import annotations

from corridas.engine.deck import ANSWER, CLAVARS_TO_END
from corridas.engine.events import IndultoChecked, Purpose, TercioEnded
from corridas.engine.sand import HUNDRED, Sand

MARKS = 10
FIRST, SECOND, THIRD = 1, 2, 3
CARDS_TO_END = (MARKS, CLAVARS_TO_END, MARKS)


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
    """Draw for the tercio until enough cards have counted towards its end."""
    draw, keep, write = sand.draw, sand.drawn.append, sand.events.append
    _, asks, counts = sand.deck.tercios[tercio - 1]
    moves = sand.script.moves[tercio - 1]
    left = CARDS_TO_END[tercio - 1]
    mark = 0
    while left:
        card = draw()
        keep(card)
        mark += 1
        if mark == len(moves):
            sand.script.lengthen(tercio)
        left -= counts[card]
        write(moves[mark][card])
        if ask := asks[card]:
            if ask == ANSWER:
                sand.answer(tercio, card)
            else:
                sand.score_matador(tercio, ask)
    write(TercioEnded(tercio))


def check_indulto(sand: Sand) -> bool:
    """Whether the bull is spared; asked only with its total above 0 (Ruling I-9)."""
    if sand.bull_points <= 0:
        return False
    number = draw_hundred(sand, Purpose.INDULTO)
    spared = number in sand.card.indulto
    sand.events.append(IndultoChecked(number, spared))
    return spared


def draw_hundred(sand: Sand, purpose: Purpose) -> int:
    """Two cards, tens then units, as a number from 1 to 100: `00` is 100 (Ruling I-2)."""
    tens, units = sand.draw(), sand.draw()
    sand.drawn += (tens, units)
    tens_events, units_events = sand.script.digits[purpose]
    sand.events += (tens_events[tens], units_events[units])
    return 10 * sand.numbers[tens] + sand.numbers[units] or HUNDRED
