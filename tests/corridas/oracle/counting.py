"""What the cards of a deck can give at most, by counting them and nothing else.

A *pass* is the time from one shuffle to the next: no card is drawn twice in it (Ruling I-3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tests.corridas.oracle.paper import CardText, column, modifier, numbers_in, says_clavar, sign

Pack = Sequence[CardText]
Rules = dict[str, str]

MARKS = 10
STROKES = 5
COPIES = 7
"""Cards of one digit (Ruling I-1)."""
SIDES = ("matador", "bull")
SIGNS = ("+", "-")


def scoring(pack: Pack, rules: Rules, tercio: int, side: str, wanted: str) -> int:
    """How many marks of a tercio can give a side an entry of this sign, in one pass.

    The matador scores by cards that read so under the tercio. The bull scores by marks that read
    BULL, answered by the same card or by one more (Rulings I-5 and I-6).
    """
    if side == "matador":
        return sum(sign(column(card, tercio)) == wanted for card in pack)
    return answered(pack, rules, tercio, lambda text: sign(text) == wanted)


def wounding(pack: Pack, rules: Rules, tercio: int) -> int:
    """How many marks of a tercio can lead to HERIDA, in one pass (Rulings I-6 and I-7)."""
    return answered(pack, rules, tercio, lambda text: text == "HERIDA")


def answered(pack: Pack, rules: Rules, tercio: int, fits: Callable[[str], bool]) -> int:
    """How many marks that read BULL can get an answer that fits, in one pass."""
    bulls = [card for card in pack if column(card, tercio) == "BULL"]
    if rules["bull_reading"] == "same_card":
        return sum(fits(card["bull"]) for card in bulls)
    return min(len(bulls), sum(fits(card["bull"]) for card in pack))


def clavars(pack: Pack) -> list[CardText]:
    """The cards that read CLAVAR in the second tercio (Ruling I-8)."""
    return [card for card in pack if says_clavar(card["second"])]


def modifiers(pack: Pack) -> Counter[int]:
    """How many cards have each kill modifier."""
    return Counter(modifier(card["kill"]) for card in pack)


def best_sum(many: int, passes: int) -> int:
    """The most that so many cards drawn to score can add up to: there are seven nines a pass."""
    digits = [digit for digit in range(9, -1, -1) for _ in range(COPIES * passes)]
    return sum(digits[:many])


def may_warn(pack: Pack, aviso: str) -> set[int]:
    """The kill modifiers that stand on a card whose digit is the tens of a number in AVISO.

    The number of the kill card gives the tens (Ruling I-10), and 100 is 00.
    """
    tens = {number // 10 % 10 for number in numbers_in(aviso)}
    return {modifier(card["kill"]) for card in pack if card["number"] in tens}


def most_cards_of_tercio(
    pack: Pack, rules: Rules, tercio: int, marks: int, entries: tuple[int, int]
) -> int:
    """The most cards that so many marks with so many entries of matador and bull can draw.

    Each entry draws one. A mark without an entry may draw a card for an injury, where one reads
    HERIDA; with the option `next_card`, a mark that is none of the matador's may draw an answer.
    Counted as if nothing was shuffled: for that is what the result is compared with.
    """
    of_matador, of_bull = entries
    quiet = max(0, marks - of_matador - of_bull)
    many = marks + of_matador + of_bull + min(quiet, wounding(pack, rules, tercio))
    if rules["bull_reading"] == "next_card":
        reads_bull = sum(column(card, tercio) == "BULL" for card in pack)
        many += min(max(0, marks - of_matador), reads_bull)
    return many


def sums_of_strokes(pack: Pack, strokes: int, warned: int, aviso: str) -> set[int]:
    """What so many strokes, so many of them with a warning, can add up to.

    Ten cards are drawn at most, so that one shuffle at most falls among them, and a card comes
    twice at most.
    """
    warn, copies = may_warn(pack, aviso), modifiers(pack)
    found = {(0, 0, 0)}
    for value, many in copies.items():
        found = {
            (count + more, hot + some, total + more * value)
            for count, hot, total in found
            for more in range(min(2 * many, strokes - count) + 1)
            for some in range((more if value in warn else 0) + 1)
            if hot + some <= warned
        }
    return {total for count, hot, total in found if (count, hot) == (strokes, warned)}
