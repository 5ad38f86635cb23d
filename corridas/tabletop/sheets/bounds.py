"""Limits of the points that one tercio can give with a deck of seventy cards.

Ten hash marks draw about forty cards. If the deck cannot be shuffled within a tercio, each card
comes at most once, otherwise at most twice. The second tercio ends only with its second CLAVAR, and
a CLAVAR card that is drawn to score or to answer does not count. So this tercio can use any number
of decks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from corridas.engine import AVISOS_TO_STOP, DECK_SIZE, MARKS, STROKES, Deck, Kind, Range, Rules
from corridas.tabletop.sheets.shape import MAX_CARDS

CARDS_A_NUMBER: Final = 7
CLAVARS: Final = 2
HUNDRED: Final = 100
# Maximum number of decks that a second tercio uses: enough for all cards that are read of a lidia.
DECKS_ON_END: Final = -(-MAX_CARDS // DECK_SIZE)


class Bounds(NamedTuple):
    """The possible results of one tercio of a deck (Rulings I-4, I-5, I-6, I-8).

    `scoring` is the maximum number of hash marks that can score, by side (matador 0, bull 1) and
    sign. `marks` is the maximum number of marks. `copies` is how often the same card can come.
    `best[k]` is the maximum number of points of `k` scoring cards.
    """

    scoring: tuple[dict[int, int], dict[int, int]]
    marks: int
    copies: int
    best: tuple[int, ...]

    def most(self, side: int, sign: int) -> int:
        return self.best[min(self.scoring[side][sign], self.marks, len(self.best) - 1)]

    def together(self, matador: int, bull: int) -> bool:
        """Return whether one tercio (act of a fight) can give these totals of matador and bull."""
        mine, his = self._fewest(0, matador), self._fewest(1, bull)
        if mine is None or his is None or mine + his > self.marks:
            return False
        cards = min(self._limit(0, matador) + self._limit(1, bull), self.marks)
        return abs(matador) + abs(bull) <= self.best[min(cards, len(self.best) - 1)]

    def _limit(self, side: int, total: int) -> int:
        return self.scoring[side][1 if total > 0 else -1] if total else 0

    def _fewest(self, side: int, total: int) -> int | None:
        for marks in range(min(self._limit(side, total), self.marks) + 1):
            if abs(total) <= self.best[min(marks, len(self.best) - 1)]:
                return marks
        return None


@lru_cache(maxsize=256)
def bounds_of(rules: Rules, deck: Deck, tercio: int, marks: int | None = None) -> Bounds:
    """Return the limits of tercio 1-3.

    `marks` is its number of hash marks, if known.
    """
    if tercio == 2:
        copies = DECKS_ON_END
    else:
        copies = 1 if tercio == 1 and rules.shuffle == "each_bull" else 2
    cards = len(deck.cards) * copies
    most = cards if tercio == 2 else MARKS
    count = most if marks is None else marks
    scoring = (_matador(deck, tercio, copies), _bull(rules, deck, tercio, copies))
    numbers = sorted(deck.numbers * copies, reverse=True)
    best = [0]
    for number in numbers:
        best.append(best[-1] + number)
    return Bounds(scoring, count, copies, tuple(best))


def _matador(deck: Deck, tercio: int, copies: int) -> dict[int, int]:
    readings = deck.tercios[tercio - 1].readings
    limits = {1: 0, -1: 0}
    for sign in limits:
        scoring = [reading for reading in readings if reading.sign == sign]
        clavars = sum(reading.kind is Kind.CLAVAR for reading in scoring)
        plain = (len(scoring) - clavars) * copies
        limits[sign] = plain + min(CLAVARS, clavars * copies)
    return limits


def _bull(rules: Rules, deck: Deck, tercio: int, copies: int) -> dict[int, int]:
    readings = deck.tercios[tercio - 1].readings
    asking = [place for place, reading in enumerate(readings) if reading.kind is Kind.BULL]
    if rules.bull_reading == "same_card":
        return {
            sign: copies * sum(deck.bulls[place].sign == sign for place in asking)
            for sign in (1, -1)
        }
    return {
        sign: copies * min(len(asking), sum(bull.sign == sign for bull in deck.bulls))
        for sign in (1, -1)
    }


def eighth(entries: Sequence[int], copies: int) -> int | None:
    """Return a digit that the entries of a scoresheet contain more often than the deck has
    cards with this digit. Return None if no digit occurs too often.
    """
    counted = Counter(abs(entry) for entry in entries)
    often = [number for number, count in counted.items() if count > CARDS_A_NUMBER * copies]
    return min(often, default=None)


@lru_cache(maxsize=64)
def hurting_tercios(rules: Rules, deck: Deck) -> tuple[int, ...]:
    """Return the tercios (acts 1-3 of a fight) in which a bull can injure a matador with this deck.

    See Rulings I-6 and I-7.
    """
    return tuple(tercio for tercio in (1, 2, 3) if _can_hurt(rules, deck, tercio))


def _can_hurt(rules: Rules, deck: Deck, tercio: int) -> bool:
    readings = deck.tercios[tercio - 1].readings
    asking = [place for place, reading in enumerate(readings) if reading.kind is Kind.BULL]
    if rules.bull_reading == "same_card":
        return any(deck.bulls[place].kind is Kind.HERIDA for place in asking)
    return bool(asking) and any(bull.kind is Kind.HERIDA for bull in deck.bulls)


class Stroke(NamedTuple):
    """The effects that a card of the kill can have had.

    `can_warn` is true if it can have caused an aviso (warning), and `can_be_silent` if it can have
    caused none.
    """

    can_warn: bool
    can_be_silent: bool


def strokes_of(deck: Deck, modifiers: Sequence[int], aviso: Range) -> list[Stroke]:
    """Return, for each modifier of a kill card, whether cards with it can have caused an
    aviso (warning).

    See Ruling I-10.
    """
    return [_stroke(deck, modifier, aviso) for modifier in modifiers]


@lru_cache(maxsize=4096)
def _stroke(deck: Deck, modifier: int, aviso: Range) -> Stroke:
    tens = {
        number for number, kill in zip(deck.numbers, deck.kills, strict=True) if kill == modifier
    }
    built = [(10 * number + units or HUNDRED) in aviso for number in tens for units in range(10)]
    return Stroke(any(built), not all(built))


def totals_of(rules: Rules, deck: Deck, side: int) -> tuple[int, int]:
    """Return the minimum and maximum points of a side in all three tercios together.

    The side is 0 for the matador and 1 for the bull.
    """
    tercios = [bounds_of(rules, deck, tercio) for tercio in (1, 2, 3)]
    least = -sum(bounds.most(side, -1) for bounds in tercios)
    return least, sum(bounds.most(side, 1) for bounds in tercios)


@lru_cache(maxsize=512)
def kill_sums(deck: Deck, aviso: Range, avisos: int) -> frozenset[int]:
    """Return all possible sums of the kill with this number of avisos (warnings).

    See Ruling I-10. The kill takes five cards, or fewer if the third aviso ends it. A card comes at
    most twice, once from each of two shuffled decks.
    """
    alike = Counter(
        (modifier, *_warnings(number, aviso))
        for modifier, number in zip(deck.kills, deck.numbers, strict=True)
    )
    sums = {(0, 0, 0)}  # numbers of cards and of warnings, and the sum of modifiers
    for (modifier, can_warn, can_be_silent), cards in alike.items():
        for _card in range(min(2 * cards, STROKES)):
            more = {
                (drawn + 1, warned + warns, total + modifier)
                for drawn, warned, total in sums
                for warns in (*([1] if can_warn else []), *([0] if can_be_silent else []))
                if drawn < STROKES and warned + warns <= AVISOS_TO_STOP
            }
            if more <= sums:
                break
            sums |= more
    least = AVISOS_TO_STOP if avisos == AVISOS_TO_STOP else STROKES
    return frozenset(total for drawn, warned, total in sums if drawn >= least and warned == avisos)


def _warnings(tens: int, aviso: Range) -> tuple[bool, bool]:
    """Return whether a kill card with this number can cause an aviso (warning).

    The second value is whether it can cause none.
    """
    met = [(10 * tens + units or HUNDRED) in aviso for units in range(10)]
    return any(met), not all(met)
