"""Upper bounds of what hash marks and seventy cards can give.

Ten marks draw some forty cards. Where the deck cannot be shuffled within a tercio every card comes
at most once, else twice. The second tercio ends only with its second CLAVAR, and a CLAVAR drawn to
score or to answer does not count, so any number of decks may pass through it.
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
# Marks of a second tercio: enough for all the cards that are read of a lidia.
DECKS_ON_END: Final = -(-MAX_CARDS // DECK_SIZE)


class Bounds(NamedTuple):
    """The possible results of one tercio of a deck (Rulings I-4, I-5, I-6, I-8).

    `scoring`: the most marks that can score, by side (matador 0, bull 1) and sign. `marks`: the
    most marks. `copies`: how often a card can come. `best[k]`: the most points of k scoring cards.
    """

    scoring: tuple[dict[int, int], dict[int, int]]
    marks: int
    copies: int
    best: tuple[int, ...]

    def most(self, side: int, sign: int) -> int:
        return self.best[min(self.scoring[side][sign], self.marks, len(self.best) - 1)]

    def together(self, matador: int, bull: int) -> bool:
        """Return whether one tercio can give both totals."""
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
    """Return the bounds of tercio 1-3; `marks` is their number, where known."""
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
    """Return a number that occurs more often among the entries than on cards, if any."""
    counted = Counter(abs(entry) for entry in entries)
    often = [number for number, count in counted.items() if count > CARDS_A_NUMBER * copies]
    return min(often, default=None)


@lru_cache(maxsize=64)
def hurting_tercios(rules: Rules, deck: Deck) -> tuple[int, ...]:
    """Return the tercios 1-3 in which a bull of this deck can injure (Rulings I-6, I-7)."""
    return tuple(tercio for tercio in (1, 2, 3) if _can_hurt(rules, deck, tercio))


def _can_hurt(rules: Rules, deck: Deck, tercio: int) -> bool:
    readings = deck.tercios[tercio - 1].readings
    asking = [place for place, reading in enumerate(readings) if reading.kind is Kind.BULL]
    if rules.bull_reading == "same_card":
        return any(deck.bulls[place].kind is Kind.HERIDA for place in asking)
    return bool(asking) and any(bull.kind is Kind.HERIDA for bull in deck.bulls)


class Stroke(NamedTuple):
    """What a kill card with some modifier may have caused: a warning, none, or either."""

    can_warn: bool
    can_be_silent: bool


def strokes_of(deck: Deck, modifiers: Sequence[int], aviso: Range) -> list[Stroke]:
    """Return, by kill modifier, whether its cards can have caused a warning (Ruling I-10)."""
    return [_stroke(deck, modifier, aviso) for modifier in modifiers]


@lru_cache(maxsize=4096)
def _stroke(deck: Deck, modifier: int, aviso: Range) -> Stroke:
    tens = {
        number for number, kill in zip(deck.numbers, deck.kills, strict=True) if kill == modifier
    }
    built = [(10 * number + units or HUNDRED) in aviso for number in tens for units in range(10)]
    return Stroke(any(built), not all(built))


def totals_of(rules: Rules, deck: Deck, side: int) -> tuple[int, int]:
    """Return the least and most points of a side (matador 0, bull 1) in all three tercios."""
    tercios = [bounds_of(rules, deck, tercio) for tercio in (1, 2, 3)]
    least = -sum(bounds.most(side, -1) for bounds in tercios)
    return least, sum(bounds.most(side, 1) for bounds in tercios)


@lru_cache(maxsize=512)
def kill_sums(deck: Deck, aviso: Range, avisos: int) -> frozenset[int]:
    """Return possible sums of kill cards that caused this many warnings (Ruling I-10).

    The kill is five cards, or fewer where the third warning stops it. A card comes at most twice,
    once from each of two shuffles.
    """
    alike = Counter(
        (modifier, *_warnings(number, aviso))
        for modifier, number in zip(deck.kills, deck.numbers, strict=True)
    )
    sums = {(0, 0, 0)}  # cards, warnings, their sum
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
    """Return whether a kill card of this number can cause a warning, and whether none."""
    met = [(10 * tens + units or HUNDRED) in aviso for units in range(10)]
    return any(met), not all(met)
