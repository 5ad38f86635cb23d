"""Sums that do not follow, results alone that no kill brings, cards that no deck gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.corridas.impossible.lidia import Lidia, refuse
from tests.corridas.oracle.counting import SIDES, SIGNS, STROKES, scoring, sums_of_strokes
from tests.corridas.oracle.paper import CROWD, DECK_SIZE, TROPHIES, numbers_in
from tests.impossible import kinds

TERCIOS = (1, 2, 3)


# Beside the sheet ------------------------------------------------------------------------------


def a_total_that_is_not_the_sum(lidia: Lidia) -> bool:
    """The totals run through the lidia, entry after entry (I-5)."""
    totals = list(lidia.beside["totals"])
    totals[lidia.chance.below(2)] += lidia.chance.pick((-9, -2, -1, 1, 2, 9))
    return beside(lidia, totals=totals)


def a_final_score_that_is_not_the_sum(lidia: Lidia) -> bool:
    """The final score is points, kill and nine for each warning (I-10, I-11)."""
    return beside(lidia, final=lidia.beside["final"] + lidia.chance.pick((-9, -1, 1, 9)))


def a_score_that_is_not_divided_so(lidia: Lidia) -> bool:
    """The plaza's rating divides the final score, towards zero (I-12)."""
    return beside(lidia, score=lidia.beside["score"] + lidia.chance.pick((-1, 1)))


def a_modified_number_that_is_not_the_sum(lidia: Lidia) -> bool:
    """The number drawn and the score, from 1 to 100 (I-13)."""
    other = lidia.chance.pick([n for n in range(1, 101) if n != lidia.beside["modified"]])
    return beside(lidia, modified=other)


def another_trophy(lidia: Lidia) -> bool:
    """The modified number lies in one range of the card, or in none of its trophies (I-13)."""
    other = lidia.chance.pick([n for n in range(6) if n != lidia.beside["trophy"]])
    return beside(lidia, trophy=other)


def another_vuelta(lidia: Lidia) -> bool:
    """The modified number lies in VUELTA or does not (I-13)."""
    return beside(lidia, vuelta=not lidia.beside["vuelta"])


def another_verdict(lidia: Lidia) -> bool:
    """With a trophy there is none; without, the number says which of six (I-13)."""
    other = lidia.chance.pick([n for n in range(1, 7) if n != lidia.beside["crowd"]])
    return beside(lidia, crowd=other)


def another_ending(lidia: Lidia) -> bool:
    """The figures say how it ended (I-9, I-10, I-16)."""
    endings = ["killed", "spared", "three_avisos", "broken_off"]
    return beside(
        lidia, ending=lidia.chance.pick([e for e in endings if e != lidia.beside["ending"]])
    )


def beside(lidia: Lidia, **changed: Any) -> bool:
    """Write one more figure beside the sheet."""
    lidia.sheet.update(changed)
    return True


BESIDE: list[Callable[[Lidia], bool]] = [
    a_total_that_is_not_the_sum, a_final_score_that_is_not_the_sum,
    a_score_that_is_not_divided_so, a_modified_number_that_is_not_the_sum, another_trophy,
    another_vuelta, another_verdict, another_ending,
]  # fmt: skip


@kinds(BESIDE, sheets=12)
def test_what_does_not_follow_from_the_sheet_is_refused(
    kind: Callable[[Lidia], bool], wanted: int
) -> None:
    refuse(kind, wanted)


# Results alone ---------------------------------------------------------------------------------


def a_kill_that_no_strokes_add_up_to(lidia: Lidia) -> bool:
    """Five strokes, each modifier twice as often as cards have it at most, never make it (I-10)."""
    if lidia.score["ending"] != "killed":
        return False
    aviso, avisos = lidia.finisher["aviso"], lidia.score["avisos"]
    sums = sums_of_strokes(lidia.pack, STROKES, avisos, aviso)
    others = [kill for kill in range(min(sums, default=0) - 4, 3) if kill not in sums]
    lidia.score["kill"] = lidia.chance.pick(others)
    lidia.score["modified"] = fitting_number(lidia)
    return True


def a_kill_too_good_for_its_warnings(lidia: Lidia) -> bool:
    """Strokes of cards whose digit can warn do not make so good a sum (I-10)."""
    if lidia.score["ending"] != "killed":
        return False
    warned, aviso = 1 + lidia.chance.below(2), lidia.finisher["aviso"]
    sums = sums_of_strokes(lidia.pack, STROKES, warned, aviso)
    quiet = sums_of_strokes(lidia.pack, STROKES, 0, aviso)
    others = [kill for kill in quiet if kill not in sums]
    if not others or not sums:
        return False
    lidia.score.update(avisos=warned, kill=lidia.chance.pick(sorted(others)))
    lidia.score["modified"] = fitting_number(lidia)
    return True


def score_of(lidia: Lidia) -> int:
    """What is added to the number drawn, by the figures of the result (I-10 to I-12)."""
    matador, bull = lidia.score["totals"]
    final = matador + lidia.score.get("kill", 0) - 9 * lidia.score["avisos"]
    final += {"separate": 0, "against": -1, "for": 1}[lidia.rules["bull_points"]] * bull
    divided: int = abs(final) // lidia.afternoon.rating
    return divided if final > 0 else -divided


def fitting_number(lidia: Lidia) -> int:
    """A modified number that some two cards make with this score."""
    return min(100, max(1, 50 + score_of(lidia)))


def a_modified_number_that_no_cards_make(lidia: Lidia) -> bool:
    """Two cards make 1 to 100, so the modified number is above the score alone (I-2, I-13)."""
    score = score_of(lidia)
    low, high = min(100, max(1, 1 + score)), min(100, max(1, 100 + score))
    others = [number for number in range(1, 101) if not low <= number <= high]
    if not others:
        return False
    lidia.score["modified"] = lidia.chance.pick(others)
    return True


def a_modified_number_that_no_kill_allows(lidia: Lidia) -> bool:
    """No sum of the kill is written down, but it is 0 at best (I-1), and the number too high."""
    if lidia.score["ending"] != "killed":
        return False
    lidia.score["kill"] = 0
    high = min(100, max(1, 100 + score_of(lidia)))
    del lidia.score["kill"]
    if high == 100:
        return False
    lidia.score["modified"] = high + 1 + lidia.chance.below(100 - high)
    return True


def a_modified_number_beyond_the_card(lidia: Lidia) -> bool:
    """Below 1 counts as 1, above 100 as 100 (I-13)."""
    lidia.score["modified"] = lidia.chance.pick((0, -3, 101, 140))
    return True


def warnings_with_an_empty_range(lidia: Lidia) -> bool:
    """A warning is a number inside AVISO, and there is none (I-10)."""
    if lidia.finisher["aviso"] != "-" or lidia.score["ending"] != "killed":
        return False
    lidia.score["avisos"] = 1 + lidia.chance.below(2)
    lidia.score["modified"] = fitting_number(lidia)
    return True


def three_avisos_with_an_empty_range(lidia: Lidia) -> bool:
    """The bullfight is not stopped where nothing warns (I-10)."""
    if lidia.finisher["aviso"] != "-" or lidia.score["ending"] != "killed":
        return False
    lidia.score.update(ending="three_avisos", avisos=3, modified=None)
    return True


def spared_with_an_empty_range(lidia: Lidia) -> bool:
    """Nothing spares a bull where INDULTO is empty (I-9)."""
    if lidia.finisher["indulto"] != "-" or lidia.score["ending"] != "killed":
        return False
    return spare(lidia)


def spared_without_points_of_the_bull(lidia: Lidia) -> bool:
    """The check comes only if the bull's total is above 0 (I-9)."""
    if lidia.finisher["indulto"] == "-" or lidia.score["totals"][1] > 0:
        return False
    return spare(lidia)


def killed_where_everything_spares(lidia: Lidia) -> bool:
    """With every number in INDULTO, a bull with points is spared (I-9)."""
    if len(numbers_in(lidia.finisher["indulto"])) < 100 or lidia.score["ending"] != "spared":
        return False
    lidia.score.update(ending="killed", kill=0)
    return lidia.rules["bull_points"] == "separate"


def spare(lidia: Lidia) -> bool:
    """Say that the bull was spared."""
    lidia.score.pop("kill", None)
    lidia.score.update(ending="spared", avisos=0)
    lidia.score["modified"] = fitting_number(lidia)
    return True


def points_that_no_card_gives(lidia: Lidia) -> bool:
    """A total of a sign that no card of any tercio brings a side (I-1, I-5)."""
    none = [
        (side, sign)
        for side in SIDES
        for sign in SIGNS
        if not any(scoring(lidia.pack, lidia.rules, t, side, sign) for t in TERCIOS)
    ]
    if not none or lidia.score["ending"] != "killed" or lidia.finisher["indulto"] == "1-100":
        return False
    side, sign = lidia.chance.pick(none)
    points = 1 + lidia.chance.below(9)
    lidia.score["totals"][SIDES.index(side)] = points if sign == "+" else -points
    lidia.score["modified"] = fitting_number(lidia)
    return True


def broken_off_with_a_number(lidia: Lidia) -> bool:
    """A lidia that is broken off has no result (I-16)."""
    lidia.score.update(ending="broken_off", injured=lidia.able, finished=None, avisos=0)
    lidia.score.pop("kill", None)
    return True


def broken_off_with_somebody_able(lidia: Lidia) -> bool:
    """As long as somebody is able, he takes over (I-16)."""
    lidia.score.update(ending="broken_off", injured=lidia.able[:-1], finished=None, avisos=0)
    lidia.score["modified"] = None
    lidia.score.pop("kill", None)
    return True


RESULTS: list[Callable[[Lidia], bool]] = [
    a_kill_that_no_strokes_add_up_to, a_kill_too_good_for_its_warnings,
    a_modified_number_that_no_cards_make, a_modified_number_that_no_kill_allows,
    a_modified_number_beyond_the_card, warnings_with_an_empty_range,
    three_avisos_with_an_empty_range, spared_with_an_empty_range,
    spared_without_points_of_the_bull, killed_where_everything_spares, points_that_no_card_gives,
    broken_off_with_a_number, broken_off_with_somebody_able,
]  # fmt: skip


@kinds(RESULTS, sheets=20)
def test_results_that_cannot_be_are_refused(kind: Callable[[Lidia], bool], wanted: int) -> None:
    refuse(kind, wanted, "score")


# Cards -----------------------------------------------------------------------------------------


def a_card_that_came_before(lidia: Lidia) -> bool:
    """No card comes twice before all seventy have come (I-3)."""
    first, second = sorted(lidia.chance.shuffled(list(range(len(lidia.cards))))[:2])
    lidia.cards[second] = lidia.cards[first]
    return lidia.fresh and second < DECK_SIZE


def a_card_that_is_missing(lidia: Lidia) -> bool:
    """The last card of the final number is missing (I-13)."""
    lidia.cards.pop()
    return True


def a_card_too_many(lidia: Lidia) -> bool:
    """Nothing is drawn after the final number (I-13)."""
    lidia.cards.append(next(card for card in range(DECK_SIZE) if card not in lidia.cards[-40:]))
    return True


def a_card_of_another_deck(lidia: Lidia) -> bool:
    """There are seventy cards (I-1)."""
    lidia.cards[lidia.chance.below(len(lidia.cards))] = DECK_SIZE + lidia.chance.below(9)
    return True


CARDS: list[Callable[[Lidia], bool]] = [
    a_card_that_came_before, a_card_that_is_missing, a_card_too_many, a_card_of_another_deck,
]  # fmt: skip


@kinds(CARDS, sheets=6)
def test_cards_that_cannot_be_drawn_are_refused(kind: Callable[[Lidia], bool], wanted: int) -> None:
    refuse(kind, wanted, "cards")


def test_a_card_has_three_trophies_and_six_verdicts() -> None:
    """Ruling I-13, on which the counts rest."""
    assert (len(TROPHIES), len(CROWD)) == (3, 6)
