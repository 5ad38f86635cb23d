"""The three tercios up to the check for indulto (rulebook, entries 1s, 2s and 3s)."""

from __future__ import annotations

from corridas.engine.deck import CLAVARS_TO_END, Kind
from corridas.engine.events import Digit, IndultoChecked, Move, Purpose, TercioEnded
from corridas.engine.sand import Sand

MARKS = 10
FIRST, SECOND, THIRD = 1, 2, 3


def play_first(sand: Sand) -> None:
    """The first tercio: ten moves (Ruling I-4)."""
    _play_marks(sand, FIRST)


def play_faena(sand: Sand) -> None:
    """The caping of the third tercio: ten moves (Ruling I-4)."""
    _play_marks(sand, THIRD)


def _play_marks(sand: Sand, tercio: int) -> None:
    draw, drawn, record = sand.pile.draw, sand.pile.drawn, sand.events.append
    readings = sand.deck.tercios[tercio - 1]
    for mark in range(1, MARKS + 1):
        card = draw()
        reading = readings[card]
        record(Move(len(drawn) - 1, tercio, mark, card, reading))
        sand.resolve(tercio, card, reading)
    record(TercioEnded(len(drawn) - 1, tercio))


def play_second(sand: Sand) -> None:
    """The second tercio: until the second CLAVAR, which is still resolved (Ruling I-8)."""
    draw, drawn, record = sand.pile.draw, sand.pile.drawn, sand.events.append
    readings = sand.deck.tercios[SECOND - 1]
    mark = clavars = 0
    while clavars < CLAVARS_TO_END:
        card = draw()
        mark += 1
        reading = readings[card]
        record(Move(len(drawn) - 1, SECOND, mark, card, reading))
        clavars += reading.kind is Kind.CLAVAR
        sand.resolve(SECOND, card, reading)
    record(TercioEnded(len(drawn) - 1, SECOND))


def check_indulto(sand: Sand) -> bool:
    """Whether the bull is spared; asked only with its total above 0 (Ruling I-9)."""
    if sand.bull_points <= 0:
        return False
    number = draw_hundred(sand, Purpose.INDULTO)
    spared = number in sand.card.indulto
    sand.events.append(IndultoChecked(sand.position, number, spared))
    return spared


def draw_hundred(sand: Sand, purpose: Purpose) -> int:
    """Two cards, tens then units, as a number from 1 to 100 (Ruling I-2)."""
    tens = sand.pile.draw()
    sand.events.append(Digit(sand.position, purpose, True, tens))
    units = sand.pile.draw()
    sand.events.append(Digit(sand.position, purpose, False, units))
    return sand.hundred(tens, units)
