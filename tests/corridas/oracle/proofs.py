"""Prove that figures of a lidia are impossible, from the deck and the matador cards (Ruling I-18).

A proof is returned as a reason in text. None means that nothing was proved; the figures may still
be impossible.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Any

from tests.corridas.oracle.afternoons import Afternoon
from tests.corridas.oracle.paper import (
    CardText,
    column,
    modifier,
    numbers_in,
    says_clavar,
    sign,
    two_cards,
)
from tests.corridas.oracle.table import PaperTable

STROKES = 5
MARKS = 10
# Maximum number of times that one card can come within ten marks or one kill, because the deck may
# be reshuffled in between.
COPIES = 2
Figures = Mapping[str, Any]


def why_impossible(afternoon: Afternoon, lidias: list[dict[str, Any]]) -> str | None:
    """Return why the last of these lidias is impossible, or None.

    The lidias before it are accepted.
    """
    table = PaperTable(afternoon.pack, afternoon.rules, afternoon.order, afternoon.rating)
    found = table.read(lidias)[: len(lidias)]
    if len(found) < len(lidias) or found[-1] is None:
        return "I-18 a figure that cannot stand where it stands"
    last = lidias[-1]
    if last.get("score") is not None:
        return why_score_is_impossible(afternoon, last["score"], found[-1])
    return why_sheet_is_impossible(afternoon, last["sheet"], found[-1])


# results alone


def why_score_is_impossible(afternoon: Afternoon, score: Figures, found: Figures) -> str | None:
    """Return why a result without a score sheet is impossible, or None."""
    ending = score["ending"]
    matador, bull = two_of(score.get("totals"))
    kill = score.get("kill")
    if kill is not None and ending not in ("killed", "three_avisos"):
        return "I-9 or I-16 modifiers of a kill that never was" if kill else None
    if reason := why_totals_are_impossible(afternoon, matador, bull):
        return reason
    if reason := why_ending_is_impossible(afternoon, ending, bull, found["finisher"]):
        return reason
    kills = frozenset({0})
    if ending in ("killed", "three_avisos"):
        kills = kill_sums(afternoon, found["finisher"], ending, found["avisos"])
        if reason := why_kill_is_impossible(kills, kill):
            return reason
    if ending not in ("killed", "spared"):
        return None
    finals = [total_of(afternoon, matador, bull, one, found["avisos"]) for one in
              ([kill] if kill is not None else sorted(kills))]  # fmt: skip
    reached = [numbers_after(final, afternoon.rating) for final in finals if final is not None]
    if reached and not any(low <= score["modified"] <= high for low, high in reached):
        return "I-13 a number that these points cannot make"
    return None


def why_kill_is_impossible(kills: frozenset[int], kill: int | None) -> str | None:
    """Return why the warnings or the sum of the kill modifiers are impossible, or None (I-10)."""
    if not kills:
        return "I-10 warnings that the AVISO range cannot give"
    if kill is not None and kill not in kills:
        return "I-10 modifiers that no strokes of this deck add up to"
    return None


def two_of(totals: object) -> tuple[int | None, int | None]:
    """Return the totals of matador and bull; None for a total that is not on the sheet."""
    pair = [*totals, None, None] if isinstance(totals, list) else [None, None]
    return pair[0], pair[1]


def total_of(
    afternoon: Afternoon, matador: int | None, bull: int | None, kill: int, avisos: int
) -> int | None:
    """Return the final score, or None if a total that it needs is not on the sheet (Ruling
    I-11).
    """
    counts = {"separate": 0, "against": -1, "for": 1}[afternoon.rules["bull_points"]]
    if matador is None or (counts and bull is None):
        return None
    return matador + counts * (bull or 0) + kill - 9 * avisos


def numbers_after(final: int, rating: int) -> tuple[int, int]:
    """Return the lowest and the highest modified number that a final score allows (I-12, I-13)."""
    score = abs(final) // rating * (1 if final > 0 else -1)
    return min(100, max(1, 1 + score)), min(100, max(1, 100 + score))


def why_ending_is_impossible(
    afternoon: Afternoon, ending: str, bull: int | None, finisher: int | None
) -> str | None:
    """Return why the bull cannot have been spared, or cannot have been killed, or None (I-9)."""
    if finisher is None:
        return None
    spares = numbers_in(afternoon.order[finisher]["indulto"])
    if ending == "spared" and (not spares or (bull is not None and bull <= 0)):
        return "I-9 spared without points of the bull or a number that spares"
    if ending == "spared" and not bull_can_score(afternoon):
        return "I-9 spared by a deck that gives the bull no points"
    if ending != "spared" and len(spares) == 100 and bull is not None and bull > 0:
        return "I-9 killed though every number spares"
    return None


def bull_can_score(afternoon: Afternoon) -> bool:
    """Return whether any card of the deck can score for the bull."""
    return any(len(bull_marks(afternoon, tercio)["+"]) for tercio in (1, 2, 3))


# points


def matador_marks(afternoon: Afternoon, tercio: int) -> dict[str, list[CardText]]:
    """Return the cards that score for the matador in a tercio, by sign."""
    each = [(card, column(card, tercio)) for card in afternoon.pack]
    return {s: [card for card, reading in each if sign(reading) == s] for s in "+-"}


def bull_marks(afternoon: Afternoon, tercio: int) -> dict[str, list[CardText]]:
    """Return the cards that score for the bull in a tercio, by sign."""
    calls = [card for card in afternoon.pack if column(card, tercio) == "BULL"]
    if afternoon.rules["bull_reading"] == "same_card":
        return {s: [card for card in calls if sign(card["bull"]) == s] for s in "+-"}
    answers = {s: [card for card in afternoon.pack if sign(card["bull"]) == s] for s in "+-"}
    return {s: answers[s] if calls else [] for s in "+-"}


def most_points(afternoon: Afternoon, whose: str, one: str) -> int | None:
    """Return the most points of a sign that a side can have, or None if there is no limit.

    The second tercio ends with its second CLAVAR card, which may take any number of decks. So there
    is no limit if a card other than CLAVAR scores there.
    """
    marks = matador_marks if whose == "matador" else bull_marks
    best = sorted([card["number"] for card in afternoon.pack] * COPIES, reverse=True)
    sums = [0, *accumulate(best)]
    most = 0
    for tercio in (1, 2, 3):
        scoring = marks(afternoon, tercio)[one]
        limit = min(MARKS, COPIES * len(scoring))
        if tercio == 2 and scoring:
            if whose == "bull" or not all(says_clavar(card["second"]) for card in scoring):
                return None
            limit = 2
        most += sums[limit]
    return most


def why_totals_are_impossible(
    afternoon: Afternoon, matador: int | None, bull: int | None
) -> str | None:
    """Return why the totals are impossible, or None: they exceed what ten marks in each of two
    tercios can give (I-4, I-5).
    """
    for whose, total in (("matador", matador), ("bull", bull)):
        if not total:
            continue
        most = most_points(afternoon, whose, "+" if total > 0 else "-")
        if most is not None and abs(total) > most:
            return "I-5 more points than the marks can bring"
    return None


# the kill


def kill_sums(
    afternoon: Afternoon, finisher: int | None, ending: str, avisos: int
) -> frozenset[int]:
    """Return the possible sums of the kill modifiers with this number of warnings (Ruling I-10)."""
    warned_at = afternoon.order[finisher or 0]["aviso"]
    strokes = tuple(sorted((card["number"], modifier(card["kill"])) for card in afternoon.pack))
    ways = ways_to_kill(strokes, warned_at)
    if ending == "killed":
        return frozenset(total for many, total, warned in ways[0] if (many, warned) == (5, avisos))
    last = ways[1]
    return frozenset(
        total + modified
        for many, total, warned in ways[0]
        if warned == 2 and 2 <= many < STROKES
        for modified in last
    )


@lru_cache(maxsize=256)
def ways_to_kill(
    strokes: tuple[tuple[int, int], ...], warned_at: str
) -> tuple[frozenset[tuple[int, int, int]], frozenset[int]]:
    """Return the possible numbers of strokes with their sums and warnings, and the modifiers
    that can warn.
    """
    numbers = set(numbers_in(warned_at))
    found = {(0, 0, 0)}
    warning: set[int] = set()
    for (number, modified), copies in counted(strokes).items():
        answers = {two_cards(number, units) in numbers for units in range(10)}
        if True in answers:
            warning.add(modified)
        for _ in range(min(STROKES, COPIES * copies)):
            found |= {
                (many + 1, total + modified, warned + answer)
                for many, total, warned in found
                for answer in answers
                if many < STROKES and warned + answer <= 2
            }
    return frozenset(found), frozenset(warning)


def counted(strokes: tuple[tuple[int, int], ...]) -> dict[tuple[int, int], int]:
    """Return how many cards of each kind there are."""
    return {stroke: strokes.count(stroke) for stroke in set(strokes)}


# the whole sheet


def why_sheet_is_impossible(afternoon: Afternoon, sheet: Figures, found: Figures) -> str | None:
    """Return why a score sheet is impossible, or None, by looking at several of its figures
    together.
    """
    tercios = [[entries_of(side) for side in pair[:2]] for pair in sheet["tercios"][:3]]
    if reason := why_entries_are_impossible(afternoon, tercios):
        return reason
    if found["ending"] == "broken_off":
        return why_broken_off_is_impossible(afternoon, tercios, sheet.get("marks"))
    if found["ending"] == "spared":
        return None
    if found["kill_points"] not in kill_sums(
        afternoon, found["finisher"], found["ending"], found["avisos"]
    ):
        return "I-10 modifiers that no strokes of this deck add up to"
    return None


def entries_of(side: object) -> tuple[int, list[int] | None]:
    """Return the sum of one side of a tercio, and its entries if they are on the sheet."""
    if isinstance(side, int):
        return side, None
    entries = side["entries"] if isinstance(side, Mapping) else side
    assert isinstance(entries, list)
    return sum(entries), entries


def why_entries_are_impossible(
    afternoon: Afternoon, tercios: list[list[tuple[int, list[int] | None]]]
) -> str | None:
    """Return why the entries are impossible, or None: a fresh deck has seven cards of each
    digit, and none comes twice in the first tercio (I-1).
    """
    if afternoon.rules["shuffle"] == "each_bull":
        first = [entry for _, entries in tercios[0] for entry in entries or []]
        for digit in range(10):
            if [abs(entry) for entry in first].count(digit) > 7:
                return "I-1 more cards of a digit than there are"
    return None


def why_broken_off_is_impossible(
    afternoon: Afternoon,
    tercios: list[list[tuple[int, list[int] | None]]],
    marks: object,
) -> str | None:
    """Return why a lidia cannot have been broken off like this, or None.

    Nothing is drawn after the card that broke it off (I-16).
    """
    gored = [tercio for tercio in (1, 2, 3) if can_gore(afternoon, tercio)]
    for tercio in (1, 2, 3):
        points = any(total or entries for total, entries in tercios[tercio - 1])
        if points and tercio > max(gored, default=0):
            return "I-16 points after the last card that can have hurt"
        if points and isinstance(marks, list) and len(marks) == 3 and marks[tercio - 1] == 0:
            return "I-4 points without a mark"
    return None


def can_gore(afternoon: Afternoon, tercio: int) -> bool:
    """Return whether a card of this tercio can injure a matador (Rulings I-6, I-7)."""
    calls = [card for card in afternoon.pack if column(card, tercio) == "BULL"]
    if afternoon.rules["bull_reading"] == "same_card":
        return any(card["bull"] == "HERIDA" for card in calls)
    return bool(calls) and any(card["bull"] == "HERIDA" for card in afternoon.pack)
