"""Plays corridas whose fights depend on the deck and the rules alone, not on a matador's card.

Estimates of a card's results are made from these fights. They never count (Ruling F-3).
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import count

from corridas.engine.corrida import BULLS, shuffler
from corridas.engine.deck import Deck
from corridas.engine.lidia import LidiaRecord, play_lidia
from corridas.engine.matador import RANGES, MatadorCard
from corridas.engine.rules import Rules
from corridas.engine.sand import Sand
from fairness import Seed

# The empty ranges for AVISO and INDULTO: every bull is killed, with five strokes and no aviso.
_BLANK = MatadorCard.parse("", 0, None, {**dict.fromkeys(RANGES, "-"), "silencio": "1-100"})


class _UnharmedSand(Sand):
    """A ring in which the matador goes on after every injury."""

    __slots__ = ()

    def _replace(self) -> None:
        pass


def corridas_without_matador(
    rules: Rules, deck: Deck, seed: Seed
) -> Iterator[tuple[LidiaRecord, ...]]:
    """Yield corridas of six fights without end, played by a blank card in category 1.

    A check for indulto spares no bull, no stroke brings an aviso (time warning), and an injury has
    no effect. The last twelve cards of each fight are therefore the five kill cards, each followed
    by the card for an aviso, and the two cards of the final number. If the bull's points are above
    0, the two cards before them are those of the check for indulto (Rulings I-9 and I-10).
    """
    sand = _UnharmedSand(rules, deck, 1, (_BLANK,))
    for corrida in count():
        pile_of = shuffler(rules, Seed(sha256(seed.value + corrida.to_bytes(4)).digest()))
        yield tuple(play_lidia(sand, turn, 0, pile_of(turn)) for turn in range(BULLS))
