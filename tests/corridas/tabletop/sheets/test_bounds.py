"""Upper limits for what marks and seventy cards can give, with decks that are easy to count."""

from __future__ import annotations

from typing import Any

import pytest

from corridas.engine import Range, Rules
from corridas.tabletop.sheets.bounds import Bounds, bounds_of, eighth, strokes_of
from corridas.tabletop.sheets.notes import same, text
from corridas.tabletop.sheets.shape import at, cards_of, excerpt, lidia_of, whole
from tests.corridas.tabletop.sheets.paper import deck_of

NEXT = Rules(bull_reading="next_card")
ONE_DECK = Rules(shuffle="when_exhausted")
DECK = deck_of(
    first={0: "PASE+", 1: "PASE+", 2: "PASE+", 3: "FALLO-", 4: "BULL", 5: "BULL", 6: "BULL"},
    second={0: "CLAVAR", 1: "CLAVAR+", 2: "CLAVAR+", 3: "CLAVAR+", 4: "PAR+", 5: "FALLO-"},
    third={0: "PASE+", 1: "BULL"},
    bull={1: "EMBISTE+", 4: "EMBISTE+", 5: "HUYE-", 6: "MIRA", 7: "EMBISTE+", 8: "EMBISTE+"},
    kill={9: "MEDIA -6", 8: "PINCHAZO -3", 19: "PINCHAZO -3", 0: "HONDO -8"},
)
SCORING: list[Any] = [
    # Each case: rules; tercio; marks that score for and against the matador; the same for the bull;
    # how often a card can come.
    (Rules(), 1, (3, 1), (1, 1), 1),
    (ONE_DECK, 1, (6, 2), (2, 2), 2),
    (NEXT, 1, (3, 1), (3, 1), 1),  # three read BULL; four answer for him
    (Rules(), 2, (59 + 2, 59), (0, 0), 59),  # two CLAVARs at most, whatever the deck holds
    (Rules(), 3, (2, 0), (2, 0), 2),
    (NEXT, 3, (2, 0), (2, 2), 2),  # one card reads BULL
]


@pytest.mark.parametrize(("rules", "tercio", "matador", "bull", "copies"), SCORING)
def test_most_marks_with_points_of_a_tercio_follow_from_the_rulings(
    rules: Rules, tercio: int, matador: tuple[int, int], bull: tuple[int, int], copies: int
) -> None:
    """The expected numbers follow from Rulings I-3, I-4, I-5, I-6 and I-8."""
    bounds = bounds_of(rules, DECK, tercio)
    assert [(side[1], side[-1]) for side in bounds.scoring] == [matador, bull]
    assert bounds.copies == copies
    assert bounds.marks == (59 * 70 if tercio == 2 else 10)
    nines = 7 * copies
    assert bounds.best[nines : nines + 2] == (9 * nines, 9 * nines + 8)
    assert len(bounds.best) == 70 * copies + 1


def test_single_clavar_that_scores_counts_once_in_each_deck() -> None:
    deck = deck_of(second={0: "CLAVAR", 1: "CLAVAR+"})
    assert bounds_of(Rules(), deck, 2).scoring[0] == {1: 2, -1: 0}


def test_known_number_of_marks_limits_the_second_tercio() -> None:
    assert bounds_of(Rules(), DECK, 2, 2).marks == 2
    assert (bounds_of(Rules(), DECK, 1).marks, bounds_of(Rules(), DECK, 1, 2).marks) == (10, 2)
    assert bounds_of(Rules(), DECK, 2, 2).most(0, 1) == 18


SMALL = Bounds(({1: 3, -1: 1}, {1: 2, -1: 2}), 4, 1, (0, 9, 18, 26, 33))
TOGETHER = [
    (0, 0, True),
    (26, 0, True),
    (27, 0, False),  # three marks give 26
    (-9, 0, True),
    (-10, 0, False),
    (0, -18, True),
    (0, 19, False),
    (26, 7, True),  # 33 with four cards
    (26, 8, False),
    (19, 9, True),
    (19, 10, False),  # three marks and two
    (18, 15, True),
    (-9, 18, False),  # 27: three cards bring 26
    (-9, 17, True),
    (-8, -18, True),
]


@pytest.mark.parametrize(("matador", "bull", "possible"), TOGETHER)
def test_points_of_both_sides_share_marks_and_cards(
    matador: int, bull: int, possible: bool
) -> None:
    assert SMALL.together(matador, bull) == possible


def test_highest_points_of_one_side() -> None:
    assert [SMALL.most(0, 1), SMALL.most(0, -1), SMALL.most(1, 1)] == [26, 9, 18]
    few = SMALL._replace(marks=2)
    assert [few.most(0, 1), few.most(0, -1)] == [18, 9]
    short = SMALL._replace(best=(0, 9))
    assert short.most(0, 1) == 9
    assert short.together(9, 0)
    assert not short.together(9, 1)


EIGHTHS: list[Any] = [
    ([5] * 7, 1, None),
    ([5] * 8, 1, 5),
    ([5, -5] * 4, 1, 5),
    ([0] * 8, 1, 0),
    ([7] * 8 + [3] * 8, 1, 3),
    ([5] * 14, 2, None),
    ([5] * 15, 2, 5),
    ([], 1, None),
]


@pytest.mark.parametrize(("entries", "copies", "number"), EIGHTHS)
def test_digit_entered_more_often_than_seven_times_is_found(
    entries: list[int], copies: int, number: int | None
) -> None:
    assert eighth(entries, copies) == number


STROKES: list[Any] = [
    # Each case: modifier; AVISO range; whether a warning is possible; whether no warning is
    # possible. -6 is on the 9; -3 on the 8 and the 9; -8 on the 0.
    (-6, Range(90, 99), True, False),
    (-6, Range(90, 98), True, True),
    (-6, Range(91, 99), True, True),
    (-6, Range(99, 99), True, True),
    (-6, Range(100, 100), False, True),
    (-6, Range(80, 89), False, True),
    (-3, Range(80, 99), True, False),
    (-3, Range(80, 89), True, True),
    (-3, Range(89, 90), True, True),
    (-8, Range(1, 1), True, True),
    (-8, Range(1, 9), True, True),  # 00 is 100
    (-8, Range(1, 100), True, False),
    (-8, Range(100, 100), True, True),
    (-8, Range(10, 99), False, True),
    (-8, Range(1, 0), False, True),
]


@pytest.mark.parametrize(("modifier", "aviso", "warns", "silent"), STROKES)
def test_kill_modifier_may_or_may_not_stand_for_a_warning(
    modifier: int, aviso: Range, warns: bool, silent: bool
) -> None:
    """The kill card gives the tens of the warning number, the next card the units (Rulings I-2,
    I-10).
    """
    assert strokes_of(DECK, [modifier], aviso) == [(warns, silent)]


SAME: list[Any] = [
    (1, 1, True),
    (True, 1, False),
    (1, True, False),
    (True, True, True),
    (None, 0, False),
    ("1", 1, False),
    ([1, 2], (1, 2), True),
    ([1, 2], [1, 2, 3], False),
    ([1, 2, 3], [1, 2], False),
    ([1, True], [1, 1], False),
    ([], [], True),
    (3, [3], False),
    ([3], 3, False),
    ({"a": 1}, 1, False),
]


@pytest.mark.parametrize(("claimed", "derived", "equal"), SAME)
def test_written_figure_is_compared_with_the_derived_one(
    claimed: Any, derived: Any, equal: bool
) -> None:
    assert same(claimed, derived) is equal


SHOWN: list[Any] = [
    (None, ""),
    (0, "0"),
    (-7, "-7"),
    (10**12, "1000000000000"),
    (-(10**12), "-1000000000000"),
    (10**12 + 1, "1000000000001"),
    (10**60 - 1, "9" * 60),
    (1 - 10**60, "-" + "9" * 58 + "…"),
    (10**60, "…"),
    (-(10**60), "…"),
    ({"a": 1}, "{…}"),
    ("x" * 60, "x" * 60),
    ("x" * 61, "x" * 59 + "…"),
    ("a\x00b", "a�b"),
    ([1, -2, "x" * 13], "1 -2 " + "x" * 11 + "…"),
    ([0] * 30, " ".join("0" * 30)),
    (list(range(100, 200)), " ".join(map(str, range(100, 200)))[:59] + "…"),
]


@pytest.mark.parametrize(("value", "said"), SHOWN)
def test_any_value_can_be_quoted_in_a_finding(value: Any, said: str) -> None:
    assert excerpt(value) == said


def test_figures_in_findings_of_the_referee_are_shown_as_words() -> None:
    assert (text("vuelta", True), text("vuelta", False)) == ("yes", "no")
    assert text("trophy", 2) != "2"
    assert text("trophy", 9) == "9"
    assert text("trophy", None) == ""
    assert text("crowd", [1]) == "1"


def test_scoresheet_values_of_a_wrong_type_are_not_read() -> None:
    assert [whole(value, 0, 2) for value in (-1, 0, 2, 3, True, "1", 1.0, None)] == [
        None, 0, 2, None, None, None, None, None,
    ]  # fmt: skip
    assert [at([5, 6], place) for place in (-1, 0, 1, 2)] == [None, 5, 6, None]
    assert at("ab", 0) is None
    assert lidia_of({"lidias": [{"a": 1}, 3]}, 0) == {"a": 1}
    assert lidia_of({"lidias": [{"a": 1}, 3]}, 1) == {}
    assert cards_of({}) is None
    assert cards_of({"cards": [0, 69, 70, -1, None, True]}) == (0, 69, None, None, None, None)
    read = cards_of({"cards": [1] * 4097})
    assert read is not None
    assert len(read) == 4096
