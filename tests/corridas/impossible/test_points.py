"""The referee rejects points and marks on a score sheet that no cards of the deck can give."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.corridas.impossible.lidia import Lidia, fought_as, refuse
from tests.corridas.oracle.counting import (
    COPIES,
    MARKS,
    SIDES,
    best_sum,
    clavars,
    scoring,
    sums_of_strokes,
    wounding,
)
from tests.corridas.oracle.paper import DECK_SIZE
from tests.impossible import kinds

# Number of possible lidias that are checked against the limits used here.
TRUE = 150
# The first and the third tercio, which have ten marks each.
ENDS = (1, 3)


def more_entries_than_marks(lidia: Lidia) -> bool:
    """Write more entries than marks: a mark scores once at most (I-4, I-5, I-6)."""
    tercio = lidia.chance.pick(ENDS)
    which = lidia.room(tercio, MARKS + 1 + lidia.chance.below(3), lidia.passes(tercio))
    if which is None:
        return False
    lidia.write(tercio, which, lidia.digits(len(which)))
    return True


def more_scores_than_cards_that_score(lidia: Lidia) -> bool:
    """Write more entries of a side and sign than cards can give (I-1, I-3, I-5).

    The first tercio begins with a full deck and takes 30 cards at most, so no card comes twice. The
    deck can be reshuffled once in the third tercio, and also in the first tercio of a later bull if
    the corrida has one deck.
    """
    tercio = lidia.chance.pick(ENDS)
    one, most = lidia.chance.pick(list(lidia.limits(tercio).items()))
    many = most * lidia.passes(tercio) + 1
    if many > MARKS:
        return False
    lidia.write(tercio, [one] * many, lidia.digits(many))
    return True


def a_digit_more_often_than_the_deck_has_it(lidia: Lidia) -> bool:
    """Write eight entries of one digit before any reshuffle, although only seven cards have it
    (I-1, I-3).
    """
    which = lidia.room(1, COPIES + 1, 1)
    if which is None or lidia.passes(1) > 1:
        return False
    lidia.write(1, which, [1 + lidia.chance.below(9)] * len(which))
    return True


def a_sum_beyond_the_cards(lidia: Lidia) -> bool:
    """Write a sum above that of the highest digits which the cards of a tercio can score (I-5)."""
    tercio, side = lidia.chance.pick(ENDS), lidia.chance.below(2)
    name, sign = ("matador", "bull")[side], lidia.chance.pick(("+", "-"))
    passes = lidia.passes(tercio)
    most = min(MARKS, passes * scoring(lidia.pack, lidia.rules, tercio, name, sign))
    points = best_sum(most, passes) + 1 + lidia.chance.below(4)
    lidia.entries[tercio - 1][side] = []
    lidia.sheet["sums"] = (tercio, side, points if sign == "+" else -points)
    return True


def two_sums_beyond_the_marks(lidia: Lidia) -> bool:
    """Write sums of matador and bull that need more than ten marks together (I-4).

    Each sum alone would be possible. However many marks one side takes, the other sum is too high
    for the remaining marks.
    """
    tercio = lidia.chance.pick(ENDS)
    passes = lidia.passes(tercio)
    most = [
        min(MARKS, passes * scoring(lidia.pack, lidia.rules, tercio, side, "+"))
        for side in ("matador", "bull")
    ]
    if sum(most) <= MARKS:
        return False
    own = best_sum(most[0], passes)
    # The bull may have all marks that remain if the matador needs as few marks as possible.
    least = next(many for many in range(MARKS + 1) if best_sum(many, passes) >= own)
    others = best_sum(min(most[1], MARKS - least), passes) + 1
    if others > best_sum(most[1], passes):
        return False
    lidia.sheet["tercios"][tercio - 1] = [[own], [others]]
    lidia.sheet["sums"] = (tercio, None, 0)
    return True


def a_second_tercio_with_more_scores_of_the_bull_than_marks(lidia: Lidia) -> bool:
    """Write more entries of the bull in the second tercio than marks that can score for it (I-8).

    Two marks of the second tercio read CLAVAR, which never scores for the bull.
    """
    limits = lidia.limits(2)
    signs = [sign for sign in ("+", "-") if limits["bull", sign]]
    if not signs:
        return False
    many = lidia.sheet["marks"][1] - 1
    which = [("bull", lidia.chance.pick(signs)) for _ in range(many)]
    lidia.write(2, which, lidia.digits(many) if many < 28 else [5] * many)
    return True


def a_second_tercio_with_more_scores_than_marks(lidia: Lidia) -> bool:
    """Write more entries in the second tercio than it has marks (I-4, I-5)."""
    limits = lidia.limits(2)
    which = [one for one, most in limits.items() if most and one[0] == "matador"]
    many = lidia.sheet["marks"][1] + 1
    if not which or many > 20:
        return False
    lidia.write(2, [lidia.chance.pick(which) for _ in range(many)], lidia.digits(many))
    return True


def a_second_tercio_of_fewer_than_two_marks(lidia: Lidia) -> bool:
    """Write a second tercio of fewer than two marks. It ends with its second CLAVAR card (I-8)."""
    lidia.write(2, [], [])
    lidia.sheet["marks"][1] = lidia.chance.below(2)
    return True


def other_than_ten_marks(lidia: Lidia) -> bool:
    """Write a first or third tercio without exactly ten marks (I-4)."""
    lidia.sheet["marks"][lidia.chance.pick((0, 2))] = lidia.chance.pick((8, 9, 11, 12))
    return True


def a_score_of_the_second_tercio_that_no_card_gives(lidia: Lidia) -> bool:
    """Write an entry in the second tercio of a sign that no card of the deck gives there (I-1,
    I-5).
    """
    none = [one for one, most in lidia.limits(2).items() if not most]
    if not none:
        return False
    lidia.write(2, [lidia.chance.pick(none)], lidia.digits(1))
    lidia.sheet["marks"][1] = max(4, lidia.sheet["marks"][1])
    return True


def more_scores_of_the_bull_in_the_second_tercio_than_cards(lidia: Lidia) -> bool:
    """Write more entries of the bull in the second tercio than cards can give without a reshuffle
    (I-3).

    The number of marks is on the sheet. It shows that fewer than seventy cards were drawn, so the
    deck was not reshuffled.
    """
    (side, sign), most = lidia.chance.pick(list(lidia.limits(2).items()))
    if most > 12 or not most:
        return False
    lidia.write(2, [(side, sign)] * (most + 1), lidia.digits(most + 1))
    lidia.sheet["marks"][1] = max(lidia.sheet["marks"][1], most + 3)
    return lidia.unshuffled()


def scores_of_the_bull_that_need_a_second_deck_too_early(lidia: Lidia) -> bool:
    """Write entries of the bull that need a second deck although the first was not used up (I-3,
    I-8).

    The number of marks is not on the sheet. Before a reshuffle all CLAVAR cards must have left the
    deck: two as marks of the second tercio, the others as marks of the first tercio or as cards
    drawn for points. The sheet has fewer places for them than there are CLAVAR cards.
    """
    if lidia.rules["bull_reading"] != "same_card" or not lidia.fresh:
        return False
    if wounding(lidia.pack, lidia.rules, 1) or wounding(lidia.pack, lidia.rules, 2):
        return False
    sign = lidia.chance.pick(("+", "-"))
    most = lidia.limits(2)["bull", sign]
    lidia.write(1, [], [])
    lidia.write(2, [("bull", sign)] * (most + 1), [1 + at % 9 for at in range(most + 1)])
    del lidia.sheet["marks"]
    return bool(most) and MARKS + 2 + lidia.many(1) + lidia.many(2) < len(clavars(lidia.pack))


def a_digit_more_often_than_the_deck_has_it_over_the_lidia(lidia: Lidia) -> bool:
    """Write eight entries of one digit in two tercios, in a lidia without a reshuffle (I-1,
    I-3).
    """
    first, third = lidia.room(1, 4, 1), lidia.room(3, 4, 1)
    if first is None or third is None:
        return False
    digit = 1 + lidia.chance.below(9)
    lidia.write(1, first, [digit] * 4)
    lidia.write(3, third, [digit] * 4)
    return lidia.unshuffled()


def a_double_of_a_digit_that_is_gone(lidia: Lidia) -> bool:
    """Write a final number of two equal digits although only one card of that digit is left
    (I-2).
    """
    first, third = lidia.room(1, 3, 1), lidia.room(3, 3, 1)
    if first is None or third is None or lidia.sheet["number"] is None:
        return False
    digit = 1 + lidia.chance.below(9)
    lidia.write(1, first, [digit] * 3)
    lidia.write(3, third, [digit] * 3)
    lidia.sheet["number"] = 11 * digit
    return lidia.unshuffled()


def more_scores_in_the_faena_than_cards(lidia: Lidia) -> bool:
    """Write more entries of a side and sign in the faena than cards give without a reshuffle
    (I-3).
    """
    one, most = lidia.chance.pick(list(lidia.limits(3).items()))
    if most + 1 > MARKS:
        return False
    lidia.write(3, [one] * (most + 1), lidia.digits(most + 1))
    return lidia.unshuffled()


POINTS: list[Callable[[Lidia], bool]] = [
    more_entries_than_marks, more_scores_than_cards_that_score,
    a_digit_more_often_than_the_deck_has_it, a_sum_beyond_the_cards, two_sums_beyond_the_marks,
    a_second_tercio_with_more_scores_of_the_bull_than_marks,
    a_second_tercio_with_more_scores_than_marks, a_second_tercio_of_fewer_than_two_marks,
    other_than_ten_marks, a_score_of_the_second_tercio_that_no_card_gives,
    more_scores_of_the_bull_in_the_second_tercio_than_cards,
    scores_of_the_bull_that_need_a_second_deck_too_early,
    a_digit_more_often_than_the_deck_has_it_over_the_lidia, a_double_of_a_digit_that_is_gone,
    more_scores_in_the_faena_than_cards,
]  # fmt: skip


def as_a_table_would(lidia: Lidia) -> bool:
    """Adapt the other figures to the change, and write sums instead of entries if the kind
    needs them.
    """
    if not settled(lidia):
        return False
    if "sums" in lidia.sheet:
        with_sums(lidia)
    return True


def with_sums(lidia: Lidia) -> None:
    """Replace the entries of the sheet with their sums."""
    tercio, side, points = lidia.sheet.pop("sums")
    sums = [[sum(entries) for entries in pair] for pair in lidia.sheet["tercios"]]
    if side is not None:
        sums[tercio - 1][side] = points
    lidia.sheet["tercios"] = sums


def settled(lidia: Lidia) -> bool:
    """Adapt the other figures to the change, including a changed sum, and return whether that
    worked.
    """
    if "sums" not in lidia.sheet:
        return lidia.settle()
    tercio, side, points = lidia.sheet["sums"]
    if side == 1:
        lidia.entries[tercio - 1][1] = [points]
    return lidia.settle()


@pytest.mark.slow
@kinds(POINTS, sheets=30)
def test_referee_rejects_points_that_no_cards_can_give(
    kind: Callable[[Lidia], bool], wanted: int
) -> None:
    refuse(kind, wanted, finish=as_a_table_would)


def test_generated_decks_have_seven_cards_of_each_digit() -> None:
    """The limits used by these tests assume seven cards of each digit (Ruling I-1)."""
    for number in range(10):
        digits = [card["number"] for card in Lidia(number).pack]
        assert sorted(digits) == [digit for digit in range(10) for _ in range(COPIES)]
        assert len(digits) == DECK_SIZE


@pytest.mark.slow
def test_played_lidias_never_exceed_the_limits_of_these_tests() -> None:
    """Check that cards of real lidias never give more than the limits that the impossible
    sheets exceed.
    """
    unshuffled = 0
    for number in range(TRUE):
        lidia = fought_as(number)
        if not lidia.ended:
            continue
        shuffled = not lidia.unshuffled()
        unshuffled += not shuffled
        assert shuffled or len(lidia.cards) <= lidia.most_cards()
        for tercio in (1, 3) if shuffled else (1, 2, 3):
            passes = 1 if not shuffled else lidia.passes(tercio)
            for (side, sign), most in lidia.limits(tercio).items():
                entries = lidia.entries[tercio - 1][SIDES.index(side)]
                scored = [entry for entry in entries if entry * int(f"{sign}1") > 0]
                assert len(scored) <= passes * most
                assert abs(sum(scored)) <= best_sum(min(MARKS, passes * most), passes)
        kill, aviso = lidia.sheet["kill"], lidia.finisher["aviso"]
        strokes, warned = len(kill), lidia.sheet["avisos"]
        assert sum(kill) in sums_of_strokes(lidia.pack, strokes, warned, aviso)
        wounds = sum(wounding(lidia.pack, lidia.rules, tercio) for tercio in (1, 2, 3))
        assert shuffled or len(lidia.sheet["injured"]) <= wounds
    assert TRUE // 4 < unshuffled < TRUE
