"""The referee rejects impossible injuries, kills and warnings on a score sheet."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.corridas.impossible.lidia import Lidia, refuse
from tests.corridas.oracle.counting import MARKS, STROKES, may_warn, modifiers, wounding
from tests.corridas.oracle.paper import numbers_in
from tests.impossible import kinds

TERCIOS = (1, 2, 3)


def injured_where_no_card_wounds(lidia: Lidia) -> bool:
    """Report an injury although no card of this deck can injure a matador (I-6, I-7)."""
    lidia.hurt(1)
    return not any(wounding(lidia.pack, lidia.rules, tercio) for tercio in TERCIOS)


def injured_although_every_mark_scored(lidia: Lidia) -> bool:
    """Report an injury although all cards scored in the tercios that can injure (I-7).

    A card that scores does not injure.
    """
    if wounding(lidia.pack, lidia.rules, 2) or not fill(lidia, MARKS):
        return False
    lidia.hurt(1)
    return True


def more_injured_than_marks_left(lidia: Lidia) -> bool:
    """Report two injuries although only one card, in the tercios that can injure, did not score
    (I-7).
    """
    wound = [tercio for tercio in (1, 3) if wounding(lidia.pack, lidia.rules, tercio)]
    if wounding(lidia.pack, lidia.rules, 2) or len(wound) != 1 or not fill(lidia, MARKS - 1):
        return False
    if len(lidia.able) < 2:
        return False
    lidia.hurt(2)
    return True


def fill(lidia: Lidia, many: int) -> bool:
    """Write `many` entries into the first and third tercio, if cards of these can injure."""
    for tercio in (1, 3):
        if wounding(lidia.pack, lidia.rules, tercio):
            which = lidia.room(tercio, many, 1)
            if which is None:
                return False
            lidia.write(tercio, which, lidia.digits(many))
    return True


def more_injured_than_cards_that_wound(lidia: Lidia) -> bool:
    """Report more injuries than the cards that read HERIDA allow, even after a reshuffle (I-3,
    I-7).
    """
    most = sum(lidia.passes(t) * wounding(lidia.pack, lidia.rules, t) for t in (1, 3))
    lidia.hurt(most + 1)
    return (
        0 < most < len(lidia.able)
        and not wounding(lidia.pack, lidia.rules, 2)
        and drop_what_came_later(lidia)
    )


def more_injured_than_cards_that_wound_unshuffled(lidia: Lidia) -> bool:
    """Report more injuries than cards that read HERIDA, in a lidia without a reshuffle (I-3,
    I-7).
    """
    most = sum(wounding(lidia.pack, lidia.rules, tercio) for tercio in TERCIOS)
    lidia.hurt(most + 1)
    return 0 < most < len(lidia.able) and lidia.unshuffled()


def injured_in_a_second_tercio_of_clavars(lidia: Lidia) -> bool:
    """Report an injury in a second tercio that had only its two CLAVAR cards (I-7, I-8).

    No other tercio of this deck can injure.
    """
    if any(wounding(lidia.pack, lidia.rules, tercio) for tercio in (1, 3)):
        return False
    lidia.write(2, [], [])
    lidia.sheet["marks"][1] = 2
    lidia.hurt(1)
    return wounding(lidia.pack, lidia.rules, 2) > 0


def drop_what_came_later(lidia: Lidia) -> bool:
    """Remove the number of marks if the lidia was broken off, because it could contradict the
    change.
    """
    if lidia.sheet["finished"] is None:
        del lidia.sheet["marks"]
    return True


def stroke(lidia: Lidia, many: int, value: int) -> bool:
    """Replace the modifiers of the first `many` strokes of the kill."""
    if lidia.true["ending"] != "killed":
        return False
    lidia.sheet["kill"][:many] = [value] * many
    lidia.sheet["avisos"] = 0
    return len(numbers_in(lidia.finisher["aviso"])) < 50


def a_modifier_that_no_card_has(lidia: Lidia) -> bool:
    """Write a kill modifier that is on no card (I-10)."""
    have = modifiers(lidia.pack)
    return stroke(lidia, 1, lidia.chance.pick([n for n in range(-21, 1) if n not in have]))


def a_modifier_above_0(lidia: Lidia) -> bool:
    """Write a kill modifier above 0. Modifiers are 0 or less (I-1)."""
    return stroke(lidia, 1, 1 + lidia.chance.below(9))


def a_modifier_more_often_than_a_shuffle_allows(lidia: Lidia) -> bool:
    """Write a kill modifier more often than one reshuffle allows (I-3, I-10).

    The kill takes ten cards, so the same card comes twice at most.
    """
    rare = [n for n, many in modifiers(lidia.pack).items() if 2 * many < STROKES]
    if not rare:
        return False
    value = lidia.chance.pick(rare)
    return stroke(lidia, 2 * modifiers(lidia.pack)[value] + 1, value)


def a_modifier_more_often_than_cards_have_it(lidia: Lidia) -> bool:
    """Write a kill modifier more often than there are cards with it, without a reshuffle (I-3)."""
    rare = [n for n, many in modifiers(lidia.pack).items() if many < STROKES]
    if not rare:
        return False
    value = lidia.chance.pick(rare)
    return stroke(lidia, modifiers(lidia.pack)[value] + 1, value) and lidia.unshuffled()


def other_than_five_strokes(lidia: Lidia) -> bool:
    """Write a kill with a number of strokes other than five (I-10)."""
    if lidia.true["ending"] != "killed":
        return False
    kill = lidia.sheet["kill"]
    lidia.sheet["kill"] = (
        kill[: lidia.chance.pick((1, 3, 4))] if lidia.chance.below(2) else [*kill, 0]
    )
    lidia.sheet["avisos"] = 0
    return True


def a_warning_with_an_empty_range(lidia: Lidia) -> bool:
    """Report a warning although the AVISO range of the matador is empty (I-10)."""
    if lidia.finisher["aviso"] != "-" or lidia.true["ending"] != "killed":
        return False
    lidia.sheet["avisos"] = 1 + lidia.chance.below(2)
    return True


def more_warnings_than_strokes_whose_digit_warns(lidia: Lidia) -> bool:
    """Report more warnings than strokes that can bring one (I-10).

    The number on the kill card gives the tens of the warning number.
    """
    warn = may_warn(lidia.pack, lidia.finisher["aviso"])
    if lidia.true["ending"] != "killed" or not warn:
        return False
    most = sum(value in warn for value in lidia.sheet["kill"])
    lidia.sheet["avisos"] = most + 1
    return most < 2


def a_killed_bull_after_three_warnings(lidia: Lidia) -> bool:
    """Report a killed bull although the third warning stops the bullfight (I-10)."""
    if lidia.true["ending"] != "killed":
        return False
    lidia.sheet["avisos"] = 3 + lidia.chance.below(3)
    return True


def a_check_for_indulto_without_points_of_the_bull(lidia: Lidia) -> bool:
    """Report a check for indulto although the bull has no points above 0 (I-9)."""
    if lidia.true["bull_points"] > 0 or not lidia.ended:
        return False
    spares = numbers_in(lidia.finisher["indulto"])
    lidia.sheet["indulto"] = lidia.chance.pick([n for n in range(1, 101) if n not in spares] or [1])
    return len(spares) < 100


def no_check_for_indulto_with_points_of_the_bull(lidia: Lidia) -> bool:
    """Omit the check for indulto although the bull has points above 0 (I-9)."""
    if lidia.true["bull_points"] <= 0 or lidia.true["ending"] != "killed":
        return False
    lidia.sheet["indulto"] = None
    return True


def a_killed_bull_that_was_spared(lidia: Lidia) -> bool:
    """Report a killed bull although the number is inside INDULTO and spares it (I-9)."""
    spares = numbers_in(lidia.finisher["indulto"])
    if lidia.true["bull_points"] <= 0 or lidia.true["ending"] != "killed" or not spares:
        return False
    lidia.sheet["indulto"] = lidia.chance.pick(spares) % 100
    return True


def a_spared_bull_that_was_killed(lidia: Lidia) -> bool:
    """Report a spared bull although the number is outside INDULTO (I-9)."""
    spares = numbers_in(lidia.finisher["indulto"])
    if lidia.true["ending"] != "spared" or len(spares) == 100:
        return False
    lidia.sheet["indulto"] = lidia.chance.pick([n for n in range(1, 101) if n not in spares])
    return True


def a_number_that_two_cards_do_not_make(lidia: Lidia) -> bool:
    """Write a final number that two cards cannot make, such as 101 (I-2)."""
    if lidia.sheet["number"] is None:
        return False
    lidia.sheet["number"] = lidia.chance.pick((-1, 101, 110, 1000))
    return True


def somebody_else_began(lidia: Lidia) -> bool:
    """Report a matador who began although it was not his turn (I-14, I-16)."""
    lidia.sheet["began"] = lidia.chance.pick([n for n in range(3) if n != lidia.able[0]])
    lidia.sheet["injured"] = []
    lidia.sheet["finished"] = lidia.sheet["began"]
    return True


def the_injured_finished(lidia: Lidia) -> bool:
    """Report the injured matador as the one who finished (I-7)."""
    lidia.sheet["injured"] = [lidia.able[0]]
    lidia.sheet["finished"] = lidia.able[0]
    return True


def injured_twice(lidia: Lidia) -> bool:
    """Report that the same matador was injured twice (I-7, I-16)."""
    if len(lidia.able) < 2:
        return False
    lidia.sheet["injured"] = [lidia.able[0]] * 2
    lidia.sheet["finished"] = lidia.able[1]
    return True


def another_took_over(lidia: Lidia) -> bool:
    """Report a substitute who was not next in turn, or a substitution without an injury (I-16)."""
    if len(lidia.able) < 3:
        return False
    if lidia.chance.below(2):
        lidia.sheet.update(injured=[lidia.able[0]], finished=lidia.able[2])
    else:
        lidia.sheet.update(injured=[], finished=lidia.able[1])
    return True


INJURIES: list[Callable[[Lidia], bool]] = [
    injured_where_no_card_wounds, injured_although_every_mark_scored, more_injured_than_marks_left,
    more_injured_than_cards_that_wound, more_injured_than_cards_that_wound_unshuffled,
    injured_in_a_second_tercio_of_clavars, somebody_else_began, the_injured_finished, injured_twice,
    another_took_over,
]  # fmt: skip
KILLS: list[Callable[[Lidia], bool]] = [
    a_modifier_that_no_card_has, a_modifier_above_0, a_modifier_more_often_than_a_shuffle_allows,
    a_modifier_more_often_than_cards_have_it, other_than_five_strokes,
    a_warning_with_an_empty_range, more_warnings_than_strokes_whose_digit_warns,
    a_killed_bull_after_three_warnings, a_check_for_indulto_without_points_of_the_bull,
    no_check_for_indulto_with_points_of_the_bull, a_killed_bull_that_was_spared,
    a_spared_bull_that_was_killed, a_number_that_two_cards_do_not_make,
]  # fmt: skip


@pytest.mark.slow
@kinds(INJURIES, sheets=20)
def test_referee_rejects_impossible_injuries(kind: Callable[[Lidia], bool], wanted: int) -> None:
    refuse(kind, wanted, finish=Lidia.settle)


@pytest.mark.slow
@kinds(KILLS, sheets=26)
def test_referee_rejects_impossible_kills_and_warnings(
    kind: Callable[[Lidia], bool], wanted: int
) -> None:
    refuse(kind, wanted)
