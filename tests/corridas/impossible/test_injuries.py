"""Injuries without a mark that causes them, kills without the cards, warnings without a digit."""

from __future__ import annotations

from collections.abc import Callable

from tests.corridas.impossible.lidia import Lidia, refuse
from tests.corridas.oracle.counting import MARKS, STROKES, may_warn, modifiers, wounding
from tests.corridas.oracle.paper import numbers_in
from tests.impossible import kinds

TERCIOS = (1, 2, 3)


def injured_where_no_card_wounds(lidia: Lidia) -> bool:
    """No mark of any tercio can lead to HERIDA, so nobody can be injured (I-6, I-7)."""
    lidia.hurt(1)
    return not any(wounding(lidia.pack, lidia.rules, tercio) for tercio in TERCIOS)


def injured_although_every_mark_scored(lidia: Lidia) -> bool:
    """All ten marks scored in the tercios that can wound, and a mark that scores does not (I-7)."""
    if wounding(lidia.pack, lidia.rules, 2) or not fill(lidia, MARKS):
        return False
    lidia.hurt(1)
    return True


def more_injured_than_marks_left(lidia: Lidia) -> bool:
    """Two injured, with one mark that did not score in the tercios that can wound (I-7)."""
    wound = [tercio for tercio in (1, 3) if wounding(lidia.pack, lidia.rules, tercio)]
    if wounding(lidia.pack, lidia.rules, 2) or len(wound) != 1 or not fill(lidia, MARKS - 1):
        return False
    if len(lidia.able) < 2:
        return False
    lidia.hurt(2)
    return True


def fill(lidia: Lidia, many: int) -> bool:
    """Give so many entries to the tercios of ten marks that can wound."""
    for tercio in (1, 3):
        if wounding(lidia.pack, lidia.rules, tercio):
            which = lidia.room(tercio, many, 1)
            if which is None:
                return False
            lidia.write(tercio, which, lidia.digits(many))
    return True


def more_injured_than_cards_that_wound(lidia: Lidia) -> bool:
    """More injured than cards that lead to HERIDA, twice each in a tercio at most (I-3, I-7)."""
    most = sum(lidia.passes(t) * wounding(lidia.pack, lidia.rules, t) for t in (1, 3))
    lidia.hurt(most + 1)
    return (
        0 < most < len(lidia.able)
        and not wounding(lidia.pack, lidia.rules, 2)
        and drop_what_came_later(lidia)
    )


def more_injured_than_cards_that_wound_unshuffled(lidia: Lidia) -> bool:
    """More injured than marks can lead to HERIDA, where no card came twice (I-3, I-7)."""
    most = sum(wounding(lidia.pack, lidia.rules, tercio) for tercio in TERCIOS)
    lidia.hurt(most + 1)
    return 0 < most < len(lidia.able) and lidia.unshuffled()


def injured_in_a_second_tercio_of_clavars(lidia: Lidia) -> bool:
    """Only the second tercio can wound, and its two marks are its two CLAVARs (I-7, I-8)."""
    if any(wounding(lidia.pack, lidia.rules, tercio) for tercio in (1, 3)):
        return False
    lidia.write(2, [], [])
    lidia.sheet["marks"][1] = 2
    lidia.hurt(1)
    return wounding(lidia.pack, lidia.rules, 2) > 0


def drop_what_came_later(lidia: Lidia) -> bool:
    """Nothing is said of marks where a lidia broke off: they were as many as there were."""
    if lidia.sheet["finished"] is None:
        del lidia.sheet["marks"]
    return True


def stroke(lidia: Lidia, many: int, value: int) -> bool:
    """Write a modifier over the first strokes."""
    if lidia.true["ending"] != "killed":
        return False
    lidia.sheet["kill"][:many] = [value] * many
    lidia.sheet["avisos"] = 0
    return len(numbers_in(lidia.finisher["aviso"])) < 50


def a_modifier_that_no_card_has(lidia: Lidia) -> bool:
    """A modifier that stands on no card (I-10)."""
    have = modifiers(lidia.pack)
    return stroke(lidia, 1, lidia.chance.pick([n for n in range(-21, 1) if n not in have]))


def a_modifier_above_0(lidia: Lidia) -> bool:
    """Kill modifiers are 0 or less (I-1)."""
    return stroke(lidia, 1, 1 + lidia.chance.below(9))


def a_modifier_more_often_than_a_shuffle_allows(lidia: Lidia) -> bool:
    """The kill takes ten cards, so each comes twice at most (I-3, I-10)."""
    rare = [n for n, many in modifiers(lidia.pack).items() if 2 * many < STROKES]
    if not rare:
        return False
    value = lidia.chance.pick(rare)
    return stroke(lidia, 2 * modifiers(lidia.pack)[value] + 1, value)


def a_modifier_more_often_than_cards_have_it(lidia: Lidia) -> bool:
    """More strokes of a modifier than cards have it, where nothing was shuffled (I-3)."""
    rare = [n for n, many in modifiers(lidia.pack).items() if many < STROKES]
    if not rare:
        return False
    value = lidia.chance.pick(rare)
    return stroke(lidia, modifiers(lidia.pack)[value] + 1, value) and lidia.unshuffled()


def other_than_five_strokes(lidia: Lidia) -> bool:
    """The kill is five cards (I-10)."""
    if lidia.true["ending"] != "killed":
        return False
    kill = lidia.sheet["kill"]
    lidia.sheet["kill"] = (
        kill[: lidia.chance.pick((1, 3, 4))] if lidia.chance.below(2) else [*kill, 0]
    )
    lidia.sheet["avisos"] = 0
    return True


def a_warning_with_an_empty_range(lidia: Lidia) -> bool:
    """A warning is a number inside AVISO, and there is none (I-10)."""
    if lidia.finisher["aviso"] != "-" or lidia.true["ending"] != "killed":
        return False
    lidia.sheet["avisos"] = 1 + lidia.chance.below(2)
    return True


def more_warnings_than_strokes_whose_digit_warns(lidia: Lidia) -> bool:
    """The kill card's digit gives the tens: no card of that modifier has such a digit (I-10)."""
    warn = may_warn(lidia.pack, lidia.finisher["aviso"])
    if lidia.true["ending"] != "killed" or not warn:
        return False
    most = sum(value in warn for value in lidia.sheet["kill"])
    lidia.sheet["avisos"] = most + 1
    return most < 2


def a_killed_bull_after_three_warnings(lidia: Lidia) -> bool:
    """The third warning stops the bullfight: there is no final number (I-10)."""
    if lidia.true["ending"] != "killed":
        return False
    lidia.sheet["avisos"] = 3 + lidia.chance.below(3)
    return True


def a_check_for_indulto_without_points_of_the_bull(lidia: Lidia) -> bool:
    """The check comes only if the bull's total is above 0 (I-9)."""
    if lidia.true["bull_points"] > 0 or not lidia.ended:
        return False
    spares = numbers_in(lidia.finisher["indulto"])
    lidia.sheet["indulto"] = lidia.chance.pick([n for n in range(1, 101) if n not in spares] or [1])
    return len(spares) < 100


def no_check_for_indulto_with_points_of_the_bull(lidia: Lidia) -> bool:
    """The cards are drawn whenever the bull's total is above 0, even for an empty range (I-9)."""
    if lidia.true["bull_points"] <= 0 or lidia.true["ending"] != "killed":
        return False
    lidia.sheet["indulto"] = None
    return True


def a_killed_bull_that_was_spared(lidia: Lidia) -> bool:
    """A number inside INDULTO spares the bull, which skips the kill (I-9)."""
    spares = numbers_in(lidia.finisher["indulto"])
    if lidia.true["bull_points"] <= 0 or lidia.true["ending"] != "killed" or not spares:
        return False
    lidia.sheet["indulto"] = lidia.chance.pick(spares) % 100
    return True


def a_spared_bull_that_was_killed(lidia: Lidia) -> bool:
    """A number outside INDULTO leads to the kill (I-9)."""
    spares = numbers_in(lidia.finisher["indulto"])
    if lidia.true["ending"] != "spared" or len(spares) == 100:
        return False
    lidia.sheet["indulto"] = lidia.chance.pick([n for n in range(1, 101) if n not in spares])
    return True


def a_number_that_two_cards_do_not_make(lidia: Lidia) -> bool:
    """Two digits make 01 to 00, which is 100 (I-2)."""
    if lidia.sheet["number"] is None:
        return False
    lidia.sheet["number"] = lidia.chance.pick((-1, 101, 110, 1000))
    return True


def somebody_else_began(lidia: Lidia) -> bool:
    """Who begins goes by turn, among those who are able (I-14, I-16)."""
    lidia.sheet["began"] = lidia.chance.pick([n for n in range(3) if n != lidia.able[0]])
    lidia.sheet["injured"] = []
    lidia.sheet["finished"] = lidia.sheet["began"]
    return True


def the_injured_finished(lidia: Lidia) -> bool:
    """An injured matador is out of the corrida (I-7)."""
    lidia.sheet["injured"] = [lidia.able[0]]
    lidia.sheet["finished"] = lidia.able[0]
    return True


def injured_twice(lidia: Lidia) -> bool:
    """Who is out cannot be injured once more (I-7, I-16)."""
    if len(lidia.able) < 2:
        return False
    lidia.sheet["injured"] = [lidia.able[0]] * 2
    lidia.sheet["finished"] = lidia.able[1]
    return True


def another_took_over(lidia: Lidia) -> bool:
    """The first who is still able takes over, and nobody who was not injured leaves (I-16)."""
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


@kinds(INJURIES, sheets=20)
def test_injuries_that_no_mark_causes_are_refused(
    kind: Callable[[Lidia], bool], wanted: int
) -> None:
    refuse(kind, wanted, finish=Lidia.settle)


@kinds(KILLS, sheets=26)
def test_kills_that_cannot_be_are_refused(kind: Callable[[Lidia], bool], wanted: int) -> None:
    refuse(kind, wanted)
