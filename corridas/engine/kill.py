"""The kill: five cards, each followed by the number of a possible warning (Ruling I-10)."""

from __future__ import annotations

from typing import NamedTuple

from corridas.engine.events import AvisoRead, record
from corridas.engine.sand import HUNDRED, Sand

AVISOS_TO_STOP = 3
AVISO_POINTS = -9


class KillTally(NamedTuple):
    """The sum of modifiers (0 or less), the count of warnings 0-3, and their total effect.

    The first and second warning cost nine points each, the third none (Ruling I-10).
    """

    modifiers: int
    avisos: int
    points: int


NO_KILL = KillTally(0, 0, 0)


def play_kill(sand: Sand) -> KillTally:
    """Play five strokes, or as many as the third warning allows."""
    draw, write, numbers, kills = sand.draw, sand.events.append, sand.numbers, sand.deck.kills
    low, high = sand.card.aviso
    modifiers = avisos = 0
    for strokes in sand.script.strokes:
        card, clock = draw(), draw()
        modifiers += kills[card]
        number = 10 * numbers[card] + numbers[clock] or HUNDRED
        warned = low <= number <= high
        avisos += warned
        write(strokes[card])
        write(record(AvisoRead, (clock, number, warned, avisos)))
        if avisos == AVISOS_TO_STOP:
            break
    points = modifiers + AVISO_POINTS * min(avisos, AVISOS_TO_STOP - 1)
    return KillTally(modifiers, avisos, points)
