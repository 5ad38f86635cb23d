"""The referee rejects sums that do not add up, impossible results and impossible cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.corridas.impossible.lidia import Lidia, refuse
from tests.corridas.oracle.counting import SIDES, SIGNS, STROKES, scoring, sums_of_strokes
from tests.corridas.oracle.paper import CROWD, DECK_SIZE, TROPHIES, numbers_in
from tests.impossible import kinds

TERCIOS = (1, 2, 3)


# Figures that follow from the score sheet


def a_total_that_is_not_the_sum(lidia: Lidia) -> bool:
    """Write a total that is not the sum of the entries of all tercios (I-5)."""
    totals = list(lidia.beside["totals"])
    totals[lidia.chance.below(2)] += lidia.chance.pick((-9, -2, -1, 1, 2, 9))
    return beside(lidia, totals=totals)


def a_final_score_that_is_not_the_sum(lidia: Lidia) -> bool:
    """Write a final score that is not points plus kill minus nine for each warning (I-10, I-11)."""
    return beside(lidia, final=lidia.beside["final"] + lidia.chance.pick((-9, -1, 1, 9)))


def a_score_that_is_not_divided_so(lidia: Lidia) -> bool:
    """Write a score that is not the final score divided by the plaza's rating, towards zero
    (I-12).
    """
    return beside(lidia, score=lidia.beside["score"] + lidia.chance.pick((-1, 1)))


def a_modified_number_that_is_not_the_sum(lidia: Lidia) -> bool:
    """Write a modified number that is not the number drawn plus the score, within 1 to 100
    (I-13).
    """
    other = lidia.chance.pick([n for n in range(1, 101) if n != lidia.beside["modified"]])
    return beside(lidia, modified=other)


def another_trophy(lidia: Lidia) -> bool:
    """Write a trophy other than the one whose range contains the modified number (I-13)."""
    other = lidia.chance.pick([n for n in range(6) if n != lidia.beside["trophy"]])
    return beside(lidia, trophy=other)


def another_vuelta(lidia: Lidia) -> bool:
    """Write the opposite of whether the modified number is inside VUELTA (I-13)."""
    return beside(lidia, vuelta=not lidia.beside["vuelta"])


def another_verdict(lidia: Lidia) -> bool:
    """Write a verdict of the crowd that does not belong to the modified number (I-13).

    With a trophy there is no verdict.
    """
    other = lidia.chance.pick([n for n in range(1, 7) if n != lidia.beside["crowd"]])
    return beside(lidia, crowd=other)


def another_ending(lidia: Lidia) -> bool:
    """Write an ending that contradicts the other figures (I-9, I-10, I-16)."""
    endings = ["killed", "spared", "three_avisos", "broken_off"]
    return beside(
        lidia, ending=lidia.chance.pick([e for e in endings if e != lidia.beside["ending"]])
    )


def beside(lidia: Lidia, **changed: Any) -> bool:
    """Write one more figure on the sheet."""
    lidia.sheet.update(changed)
    return True


BESIDE: list[Callable[[Lidia], bool]] = [
    a_total_that_is_not_the_sum, a_final_score_that_is_not_the_sum,
    a_score_that_is_not_divided_so, a_modified_number_that_is_not_the_sum, another_trophy,
    another_vuelta, another_verdict, another_ending,
]  # fmt: skip


@pytest.mark.slow
@kinds(BESIDE, sheets=12)
def test_referee_rejects_figures_that_do_not_follow_from_the_sheet(
    kind: Callable[[Lidia], bool], wanted: int
) -> None:
    refuse(kind, wanted)


# Results without a score sheet


def a_kill_that_no_strokes_add_up_to(lidia: Lidia) -> bool:
    """Write a kill total that no five strokes of this deck add up to (I-10).

    The same card comes twice at most.
    """
    if lidia.score["ending"] != "killed":
        return False
    aviso, avisos = lidia.finisher["aviso"], lidia.score["avisos"]
    sums = sums_of_strokes(lidia.pack, STROKES, avisos, aviso)
    others = [kill for kill in range(min(sums, default=0) - 4, 3) if kill not in sums]
    lidia.score["kill"] = lidia.chance.pick(others)
    lidia.score["modified"] = fitting_number(lidia)
    return True


def a_kill_too_good_for_its_warnings(lidia: Lidia) -> bool:
    """Write a kill total that is too good for the number of warnings (I-10).

    A warning needs a card whose digit can bring one, and these cards have worse modifiers.
    """
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
    """Return the score, which is added to the number drawn, from the figures of a result (I-10
    to I-12).
    """
    matador, bull = lidia.score["totals"]
    final = matador + lidia.score.get("kill", 0) - 9 * lidia.score["avisos"]
    final += {"separate": 0, "against": -1, "for": 1}[lidia.rules["bull_points"]] * bull
    divided: int = abs(final) // lidia.afternoon.rating
    return divided if final > 0 else -divided


def fitting_number(lidia: Lidia) -> int:
    """Return a modified number that two cards can make with this score."""
    return min(100, max(1, 50 + score_of(lidia)))


def a_modified_number_that_no_cards_make(lidia: Lidia) -> bool:
    """Write a modified number that two cards cannot make with this score (I-2, I-13).

    Two cards make a number from 1 to 100, so the modified number is above the score.
    """
    score = score_of(lidia)
    low, high = min(100, max(1, 1 + score)), min(100, max(1, 100 + score))
    others = [number for number in range(1, 101) if not low <= number <= high]
    if not others:
        return False
    lidia.score["modified"] = lidia.chance.pick(others)
    return True


def a_modified_number_that_no_kill_allows(lidia: Lidia) -> bool:
    """Write a modified number that is too high even for a perfect kill (I-1, I-13).

    The kill is not on the sheet. Its modifiers add up to 0 at best.
    """
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
    """Write a modified number outside 1 to 100 (I-13)."""
    lidia.score["modified"] = lidia.chance.pick((0, -3, 101, 140))
    return True


def warnings_with_an_empty_range(lidia: Lidia) -> bool:
    """Report warnings although the AVISO range of the matador is empty (I-10)."""
    if lidia.finisher["aviso"] != "-" or lidia.score["ending"] != "killed":
        return False
    lidia.score["avisos"] = 1 + lidia.chance.below(2)
    lidia.score["modified"] = fitting_number(lidia)
    return True


def three_avisos_with_an_empty_range(lidia: Lidia) -> bool:
    """Report three warnings although the AVISO range of the matador is empty (I-10)."""
    if lidia.finisher["aviso"] != "-" or lidia.score["ending"] != "killed":
        return False
    lidia.score.update(ending="three_avisos", avisos=3, modified=None)
    return True


def spared_with_an_empty_range(lidia: Lidia) -> bool:
    """Report a spared bull although the INDULTO range of the matador is empty (I-9)."""
    if lidia.finisher["indulto"] != "-" or lidia.score["ending"] != "killed":
        return False
    return spare(lidia)


def spared_without_points_of_the_bull(lidia: Lidia) -> bool:
    """Report a spared bull that had no points above 0 (I-9)."""
    if lidia.finisher["indulto"] == "-" or lidia.score["totals"][1] > 0:
        return False
    return spare(lidia)


def killed_where_everything_spares(lidia: Lidia) -> bool:
    """Report a killed bull with points although every number is in the INDULTO range (I-9)."""
    if len(numbers_in(lidia.finisher["indulto"])) < 100 or lidia.score["ending"] != "spared":
        return False
    lidia.score.update(ending="killed", kill=0)
    return lidia.rules["bull_points"] == "separate"


def spare(lidia: Lidia) -> bool:
    """Write a result that says the bull was spared."""
    lidia.score.pop("kill", None)
    lidia.score.update(ending="spared", avisos=0)
    lidia.score["modified"] = fitting_number(lidia)
    return True


def points_that_no_card_gives(lidia: Lidia) -> bool:
    """Write a total of a sign that no card of any tercio gives this side (I-1, I-5)."""
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
    """Write a final number for a lidia that was broken off (I-16)."""
    lidia.score.update(ending="broken_off", injured=lidia.able, finished=None, avisos=0)
    lidia.score.pop("kill", None)
    return True


def broken_off_with_somebody_able(lidia: Lidia) -> bool:
    """Report a lidia as broken off although a matador is still able to take over (I-16)."""
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


@pytest.mark.slow
@kinds(RESULTS, sheets=20)
def test_referee_rejects_impossible_results_without_a_sheet(
    kind: Callable[[Lidia], bool], wanted: int
) -> None:
    refuse(kind, wanted, "score")


# Lists of cards


def a_card_that_came_before(lidia: Lidia) -> bool:
    """Repeat a card before all seventy cards were drawn (I-3)."""
    first, second = sorted(lidia.chance.shuffled(list(range(len(lidia.cards))))[:2])
    lidia.cards[second] = lidia.cards[first]
    return lidia.fresh and second < DECK_SIZE


def a_card_that_is_missing(lidia: Lidia) -> bool:
    """Omit the last card of the final number (I-13)."""
    lidia.cards.pop()
    return True


def a_card_too_many(lidia: Lidia) -> bool:
    """Add a card after the final number (I-13)."""
    lidia.cards.append(next(card for card in range(DECK_SIZE) if card not in lidia.cards[-40:]))
    return True


def a_card_of_another_deck(lidia: Lidia) -> bool:
    """Write a card number above 69: a deck has seventy cards (I-1)."""
    lidia.cards[lidia.chance.below(len(lidia.cards))] = DECK_SIZE + lidia.chance.below(9)
    return True


CARDS: list[Callable[[Lidia], bool]] = [
    a_card_that_came_before, a_card_that_is_missing, a_card_too_many, a_card_of_another_deck,
]  # fmt: skip


@pytest.mark.slow
@kinds(CARDS, sheets=6)
def test_referee_rejects_impossible_lists_of_cards(
    kind: Callable[[Lidia], bool], wanted: int
) -> None:
    refuse(kind, wanted, "cards")


def test_generated_matador_cards_have_three_trophies_and_six_verdicts() -> None:
    """The limits used by these tests assume three trophies and six verdicts (Ruling I-13)."""
    assert (len(TROPHIES), len(CROWD)) == (3, 6)
