"""Upper limits for what the cards of a deck can give, found by counting cards.

A *pass* is the time from one shuffle to the next. In a pass no card is drawn twice (Ruling I-3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tests.corridas.oracle.paper import CardText, column, modifier, numbers_in, says_clavar, sign

Pack = Sequence[CardText]
Rules = dict[str, str]

MARKS = 10
STROKES = 5
# Number of cards with the same digit (Ruling I-1).
COPIES = 7
SIDES = ("matador", "bull")
SIGNS = ("+", "-")


def scoring(pack: Pack, rules: Rules, tercio: int, side: str, wanted: str) -> int:
    """Return how many cards of a tercio can score for a side with this sign, in one pass.

    The matador scores with cards whose text for the tercio ends with the sign. The bull scores with
    cards that read BULL, together with the BULL entry of the same or the next card (Rulings I-5 and
    I-6).
    """
    if side == "matador":
        return sum(sign(column(card, tercio)) == wanted for card in pack)
    return answered(pack, rules, tercio, lambda text: sign(text) == wanted)


def wounding(pack: Pack, rules: Rules, tercio: int) -> int:
    """Return how many cards of a tercio can lead to HERIDA (a wound), in one pass (I-6, I-7)."""
    return answered(pack, rules, tercio, lambda text: text == "HERIDA")


def answered(pack: Pack, rules: Rules, tercio: int, fits: Callable[[str], bool]) -> int:
    """Return how many cards that read BULL can be answered by an entry that `fits` accepts, in
    one pass.
    """
    bulls = [card for card in pack if column(card, tercio) == "BULL"]
    if rules["bull_reading"] == "same_card":
        return sum(fits(card["bull"]) for card in bulls)
    return min(len(bulls), sum(fits(card["bull"]) for card in pack))


def clavars(pack: Pack) -> list[CardText]:
    """Return the cards that read CLAVAR in the second tercio (Ruling I-8)."""
    return [card for card in pack if says_clavar(card["second"])]


def modifiers(pack: Pack) -> Counter[int]:
    """Return the number of cards with each kill modifier."""
    return Counter(modifier(card["kill"]) for card in pack)


def best_sum(many: int, passes: int) -> int:
    """Return the highest sum of the digits of `many` cards. Each pass has seven nines."""
    digits = [digit for digit in range(9, -1, -1) for _ in range(COPIES * passes)]
    return sum(digits[:many])


def may_warn(pack: Pack, aviso: str) -> set[int]:
    """Return the modifiers of the kill cards that can bring a warning.

    The digit of a kill card is the tens of the warning number (Ruling I-10). 100 is written 00.
    """
    tens = {number // 10 % 10 for number in numbers_in(aviso)}
    return {modifier(card["kill"]) for card in pack if card["number"] in tens}


def most_cards_of_tercio(
    pack: Pack, rules: Rules, tercio: int, marks: int, entries: tuple[int, int]
) -> int:
    """Return the highest number of cards that a tercio with these marks and entries can draw.

    Each entry draws one card. A mark without an entry may draw a card for an injury, if a card
    reads HERIDA. With the option `next_card`, a mark that does not score for the matador may draw
    an answer. The result assumes no reshuffle, because it is compared with the size of one deck.
    """
    of_matador, of_bull = entries
    quiet = max(0, marks - of_matador - of_bull)
    many = marks + of_matador + of_bull + min(quiet, wounding(pack, rules, tercio))
    if rules["bull_reading"] == "next_card":
        reads_bull = sum(column(card, tercio) == "BULL" for card in pack)
        many += min(max(0, marks - of_matador), reads_bull)
    return many


def sums_of_strokes(pack: Pack, strokes: int, warned: int, aviso: str) -> set[int]:
    """Return the possible sums of the kill modifiers, with this number of strokes and of warnings.

    At most ten cards are drawn, so there is one reshuffle at most, and a card comes twice at most.
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
