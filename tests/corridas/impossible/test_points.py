"""Points and marks that no cards can give: too many, too high, or without a mark for them."""

from __future__ import annotations

from collections.abc import Callable

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

TRUE = 150
"""True lidias that the counts are held against."""
ENDS = (1, 3)
"""The tercios of ten marks."""


def more_entries_than_marks(lidia: Lidia) -> bool:
    """Eleven entries in a tercio of ten marks: a mark scores once at most (I-4, I-5, I-6)."""
    tercio = lidia.chance.pick(ENDS)
    which = lidia.room(tercio, MARKS + 1 + lidia.chance.below(3), lidia.passes(tercio))
    if which is None:
        return False
    lidia.write(tercio, which, lidia.digits(len(which)))
    return True


def more_scores_than_cards_that_score(lidia: Lidia) -> bool:
    """More entries of a side and sign than cards can bring them (I-1, I-3, I-5).

    The first tercio begins with a full deck and takes 30 cards at most, so no card comes twice; one
    shuffle at most falls into the third, or into the first of a later bull with one deck.
    """
    tercio = lidia.chance.pick(ENDS)
    one, most = lidia.chance.pick(list(lidia.limits(tercio).items()))
    many = most * lidia.passes(tercio) + 1
    if many > MARKS:
        return False
    lidia.write(tercio, [one] * many, lidia.digits(many))
    return True


def a_digit_more_often_than_the_deck_has_it(lidia: Lidia) -> bool:
    """Eight entries of one digit where nothing is shuffled: seven cards have it (I-1, I-3)."""
    which = lidia.room(1, COPIES + 1, 1)
    if which is None or lidia.passes(1) > 1:
        return False
    lidia.write(1, which, [1 + lidia.chance.below(9)] * len(which))
    return True


def a_sum_beyond_the_cards(lidia: Lidia) -> bool:
    """The sum of a side's tercio above that of the highest digits its marks can score (I-5)."""
    tercio, side = lidia.chance.pick(ENDS), lidia.chance.below(2)
    name, sign = ("matador", "bull")[side], lidia.chance.pick(("+", "-"))
    passes = lidia.passes(tercio)
    most = min(MARKS, passes * scoring(lidia.pack, lidia.rules, tercio, name, sign))
    points = best_sum(most, passes) + 1 + lidia.chance.below(4)
    lidia.entries[tercio - 1][side] = []
    lidia.sheet["sums"] = (tercio, side, points if sign == "+" else -points)
    return True


def two_sums_beyond_the_marks(lidia: Lidia) -> bool:
    """Sums of matador and bull that each could be alone, for which ten marks are too few (I-4).

    However many marks one of them takes, the other's sum is above the highest of the rest.
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
    # The bull may have as many marks as are left when the matador has taken as few as he needs.
    least = next(many for many in range(MARKS + 1) if best_sum(many, passes) >= own)
    others = best_sum(min(most[1], MARKS - least), passes) + 1
    if others > best_sum(most[1], passes):
        return False
    lidia.sheet["tercios"][tercio - 1] = [[own], [others]]
    lidia.sheet["sums"] = (tercio, None, 0)
    return True


def a_second_tercio_with_more_scores_of_the_bull_than_marks(lidia: Lidia) -> bool:
    """Two marks of the second tercio read CLAVAR, and none of these scores for the bull (I-8)."""
    limits = lidia.limits(2)
    signs = [sign for sign in ("+", "-") if limits["bull", sign]]
    if not signs:
        return False
    many = lidia.sheet["marks"][1] - 1
    which = [("bull", lidia.chance.pick(signs)) for _ in range(many)]
    lidia.write(2, which, lidia.digits(many) if many < 28 else [5] * many)
    return True


def a_second_tercio_with_more_scores_than_marks(lidia: Lidia) -> bool:
    """A mark scores once at most, in the second tercio too (I-4, I-5)."""
    limits = lidia.limits(2)
    which = [one for one, most in limits.items() if most and one[0] == "matador"]
    many = lidia.sheet["marks"][1] + 1
    if not which or many > 20:
        return False
    lidia.write(2, [lidia.chance.pick(which) for _ in range(many)], lidia.digits(many))
    return True


def a_second_tercio_of_fewer_than_two_marks(lidia: Lidia) -> bool:
    """It ends with its second CLAVAR, so it has two marks at least (I-8)."""
    lidia.write(2, [], [])
    lidia.sheet["marks"][1] = lidia.chance.below(2)
    return True


def other_than_ten_marks(lidia: Lidia) -> bool:
    """The first tercio and the faena have ten marks each (I-4)."""
    lidia.sheet["marks"][lidia.chance.pick((0, 2))] = lidia.chance.pick((8, 9, 11, 12))
    return True


def a_score_of_the_second_tercio_that_no_card_gives(lidia: Lidia) -> bool:
    """The second tercio may go through many decks, but no card of them gives it (I-1, I-5)."""
    none = [one for one, most in lidia.limits(2).items() if not most]
    if not none:
        return False
    lidia.write(2, [lidia.chance.pick(none)], lidia.digits(1))
    lidia.sheet["marks"][1] = max(4, lidia.sheet["marks"][1])
    return True


def more_scores_of_the_bull_in_the_second_tercio_than_cards(lidia: Lidia) -> bool:
    """More entries of a sign than cards of the second tercio give, with marks written down (I-3).

    All marks, and all that they can draw, are fewer than the seventy cards: nothing was shuffled.
    """
    (side, sign), most = lidia.chance.pick(list(lidia.limits(2).items()))
    if most > 12 or not most:
        return False
    lidia.write(2, [(side, sign)] * (most + 1), lidia.digits(most + 1))
    lidia.sheet["marks"][1] = max(lidia.sheet["marks"][1], most + 3)
    return lidia.unshuffled()


def scores_of_the_bull_for_which_no_deck_was_exhausted(lidia: Lidia) -> bool:
    """More entries of the bull in the second tercio than cards, without marks (I-3, I-8).

    Before a shuffle, every CLAVAR has left the deck. As marks of the second tercio, two can; others
    only as one of the ten marks of the first tercio, or as a card drawn to score, of which there
    are as many as entries. There are more CLAVARs than that.
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
    """Eight entries of one digit in two tercios of ten marks, with nothing shuffled (I-1, I-3)."""
    first, third = lidia.room(1, 4, 1), lidia.room(3, 4, 1)
    if first is None or third is None:
        return False
    digit = 1 + lidia.chance.below(9)
    lidia.write(1, first, [digit] * 4)
    lidia.write(3, third, [digit] * 4)
    return lidia.unshuffled()


def a_double_of_a_digit_that_is_gone(lidia: Lidia) -> bool:
    """Six entries of a digit, and a final number made of it twice, with nothing shuffled (I-2)."""
    first, third = lidia.room(1, 3, 1), lidia.room(3, 3, 1)
    if first is None or third is None or lidia.sheet["number"] is None:
        return False
    digit = 1 + lidia.chance.below(9)
    lidia.write(1, first, [digit] * 3)
    lidia.write(3, third, [digit] * 3)
    lidia.sheet["number"] = 11 * digit
    return lidia.unshuffled()


def more_scores_in_the_faena_than_cards(lidia: Lidia) -> bool:
    """More entries of a side and sign than cards bring, where nothing was shuffled (I-3)."""
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
    scores_of_the_bull_for_which_no_deck_was_exhausted,
    a_digit_more_often_than_the_deck_has_it_over_the_lidia, a_double_of_a_digit_that_is_gone,
    more_scores_in_the_faena_than_cards,
]  # fmt: skip


def as_a_table_would(lidia: Lidia) -> bool:
    """Let everything but the change fit; write sums, where a kind is one of sums."""
    if not settled(lidia):
        return False
    if "sums" in lidia.sheet:
        with_sums(lidia)
    return True


def with_sums(lidia: Lidia) -> None:
    """Write sums instead of entries."""
    tercio, side, points = lidia.sheet.pop("sums")
    sums = [[sum(entries) for entries in pair] for pair in lidia.sheet["tercios"]]
    if side is not None:
        sums[tercio - 1][side] = points
    lidia.sheet["tercios"] = sums


def settled(lidia: Lidia) -> bool:
    """Let everything but the change fit, where the sheet has sums too."""
    if "sums" not in lidia.sheet:
        return lidia.settle()
    tercio, side, points = lidia.sheet["sums"]
    if side == 1:
        lidia.entries[tercio - 1][1] = [points]
    return lidia.settle()


@kinds(POINTS, sheets=30)
def test_points_that_no_cards_give_are_refused(kind: Callable[[Lidia], bool], wanted: int) -> None:
    refuse(kind, wanted, finish=as_a_table_would)


def test_the_deck_has_seven_cards_of_each_digit() -> None:
    """Ruling I-1, on which the counts rest."""
    for number in range(10):
        digits = [card["number"] for card in Lidia(number).pack]
        assert sorted(digits) == [digit for digit in range(10) for _ in range(COPIES)]
        assert len(digits) == DECK_SIZE


def test_the_counts_allow_every_lidia_that_was_fought() -> None:
    """None of the bounds that the kinds go beyond is below what cards gave."""
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
