"""A slow reading of matador cards off recorded fights, to compare the chances with.

It was written from Rulings I-2 and I-9 to I-13 and shares no code with the site. A fight is played
once without a matador; afterwards every card can be read off it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

# The card numbers of a fight from the kill on: five strokes with a card for the clock each, and the
# final number. The check for indulto is before them.
KILL_CARDS = 10
LAST_CARDS = 12
SIGNS = {"separate": 0, "against": -1, "for": 1}
TROPHIES = ("oreja", "dos_orejas", "rabo")
VERDICTS = ("bronca", "pitos", "silencio", "division", "aplausos", "ovacion")


class Fight(NamedTuple):
    """What the cards of a fight say, whichever matador fights it.

    `clocks` are the numbers that are checked for avisos. `check` is the number that is checked for
    the indulto, or 0 if the bull cannot be spared. The scores are before avisos and division.
    """

    clocks: list[int]
    killed_score: int
    killed_number: int
    check: int
    spared_score: int
    spared_number: int


def two_cards(tens: int, units: int) -> int:
    return 10 * tens + units if tens or units else 100


def fight(
    points: int, bull: int, draws: bytes, numbers: list[int], kills: list[int], bull_points: str
) -> Fight:
    """Return what the cards say. `points` and `bull` are the totals before the kill."""
    digits = [numbers[card] for card in draws[-LAST_CARDS - 2 :]]
    check, last = digits[:2], digits[2:]
    pairs = [two_cards(*last[at : at + 2]) for at in range(0, LAST_CARDS, 2)]
    score = points + SIGNS[bull_points] * bull
    strokes = draws[-LAST_CARDS : -LAST_CARDS + KILL_CARDS : 2]
    return Fight(
        clocks=pairs[:5],
        killed_score=score + sum(kills[card] for card in strokes),
        killed_number=pairs[5],
        check=two_cards(*check) if bull > 0 else 0,
        spared_score=score,
        spared_number=pairs[0],
    )


# How a fight ended: number of avisos, whether the bull was spared, score before division, and final
# number as drawn. The last two are 0 after the third aviso. A million plain tuples take much less
# time than as many named ones.
Ended: TypeAlias = tuple[int, bool, int, int]


def end(seen: Fight, aviso: frozenset[int], indulto: frozenset[int]) -> Ended:
    """Return how a fight ends for a card with these numbers of AVISO and INDULTO."""
    if seen.check in indulto:
        return 0, True, seen.spared_score, seen.spared_number
    avisos = 0
    for number in seen.clocks:
        if number in aviso:
            avisos += 1
    if avisos >= 3:
        return 3, False, 0, 0
    return avisos, False, seen.killed_score - 9 * avisos, seen.killed_number


def numbers_of(text: str) -> frozenset[int]:
    """Return the numbers of a printed range such as `81-94`, `7` or `-`."""
    if text == "-":
        return frozenset()
    low, _, high = text.partition("-")
    return frozenset(range(int(low), int(high or low) + 1))


def read(ended: Ended, ranges: Mapping[str, frozenset[int]], category: int) -> set[str]:
    """Return the names of everything that a fight brought."""
    avisos, spared, points, drawn = ended
    brought = {"aviso"} if avisos else set()
    if avisos == 3:
        return brought | {"three_avisos"}
    if spared:
        brought.add("indulto")
    score = abs(points) // category
    number = drawn + (score if points > 0 else -score)
    number = min(max(number, 1), 100)
    brought |= {name for name in (*TROPHIES, *VERDICTS) if number in ranges[name]}
    if number in ranges["vuelta"]:
        brought |= {"vuelta"} if brought & set(TROPHIES) else {"vuelta", "vuelta_without_ear"}
    return brought


def parsed(ranges: Mapping[str, str]) -> dict[str, frozenset[int]]:
    return {name: numbers_of(text) for name, text in ranges.items()}


class Readings:
    """Counts how the fights end for many cards. `shares` then reads one of the cards."""

    def __init__(self, cards: Iterable[Mapping[str, str]]) -> None:
        keys = {(card["aviso"], card["indulto"]) for card in cards}
        self.fights = 0
        self.ended: dict[tuple[str, str], Counter[Ended]] = {key: Counter() for key in keys}
        self._sets = [
            (counter, numbers_of(aviso), numbers_of(indulto))
            for (aviso, indulto), counter in self.ended.items()
        ]

    def add(self, seen: Fight) -> None:
        self.fights += 1
        for counter, aviso, indulto in self._sets:
            counter[end(seen, aviso, indulto)] += 1

    def shares(self, card: Mapping[str, str], category: int) -> dict[str, float]:
        """Return the share of fights that brought each thing with this card."""
        ranges, counts = parsed(card), Counter[str]()
        for ended, fights in self.ended[card["aviso"], card["indulto"]].items():
            for name in read(ended, ranges, category):
                counts[name] += fights
        return {name: count / self.fights for name, count in counts.items()}
