"""The kill, the last act of a fight: five cards, each followed by one for a time warning.

See Ruling I-10.
"""

from __future__ import annotations

from typing import NamedTuple

from corridas.engine.events import AvisoRead, record
from corridas.engine.sand import HUNDRED, Sand

AVISOS_TO_STOP = 3
AVISO_POINTS = -9


class KillTally(NamedTuple):
    """The penalties of the kill cards, the number of avisos (time warnings) and the resulting
    points.

    `points` contains the penalties and nine points off for the first and for the second aviso. The
    third aviso costs no points (Ruling I-10).
    """

    modifiers: int
    avisos: int
    points: int


NO_KILL = KillTally(0, 0, 0)


def play_kill(sand: Sand) -> KillTally:
    """Draw the five kill cards. The third aviso (time warning) ends the kill early."""
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
