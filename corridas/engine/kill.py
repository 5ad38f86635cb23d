"""The kill: five cards, each followed by the number of a possible warning (Ruling I-10)."""

from __future__ import annotations

from typing import NamedTuple

from corridas.engine.events import AvisoRead, Stroke
from corridas.engine.sand import Sand

STROKES = 5
AVISOS_TO_STOP = 3
AVISO_POINTS = -9


class KillTally(NamedTuple):
    """Modifiers added up (0 or less) and the count of warnings, 0-3; three stop the bullfight."""

    modifiers: int
    avisos: int

    @property
    def stopped(self) -> bool:
        """Whether the third warning came."""
        return self.avisos == AVISOS_TO_STOP

    @property
    def points(self) -> int:
        """What the kill takes off the score: the modifiers, and 9 a first or second warning."""
        return self.modifiers + AVISO_POINTS * min(self.avisos, AVISOS_TO_STOP - 1)


def play_kill(sand: Sand) -> KillTally:
    """Five strokes, or as many as the third warning allows."""
    draw, drawn, record = sand.pile.draw, sand.pile.drawn, sand.events.append
    aviso = sand.card.aviso
    modifiers = avisos = 0
    for stroke in range(1, STROKES + 1):
        card = draw()
        modifier = sand.deck.kills[card]
        modifiers += modifier
        record(Stroke(len(drawn) - 1, stroke, card, modifier))
        clock = draw()
        number = sand.hundred(card, clock)
        warned = aviso.low <= number <= aviso.high
        avisos += warned
        record(AvisoRead(len(drawn) - 1, clock, number, warned, avisos))
        if avisos == AVISOS_TO_STOP:
            break
    return KillTally(modifiers, avisos)
