"""The referee counts the cards of a whole lidia if the deck cannot have been reshuffled (I-3)."""

from __future__ import annotations

from typing import Any

import pytest

from corridas.engine import Rules
from corridas.tabletop.sheets import State
from tests.corridas.tabletop.sheets.paper import Sheet, deck_of, figures, read, refused

WRONG = State.CONTRADICTED
NEXT_CARD = Rules(bull_reading="next_card")
ONE_DECK = Rules(bull_reading="next_card", shuffle="when_exhausted")

NINES = figures(
    tercios=[[[9], [-9, -9]], [[5], []], [[9], [-9, -9]]], marks=[10, 3, 10],
    kill=[-4, 0, -3, 0, -6],
)  # fmt: skip
FIVES = figures(
    tercios=[[[-5], [5, 5]], [[-1, -3, 1], []], [[5, 5, -5], []]], marks=[10, 11, 10],
    kill=[-6, 0, -11, -7, -4], indulto=80,
)  # fmt: skip
# In the shipped deck two cards have the modifier -11, three have -9, and four have -10.
ELEVENS = figures(
    tercios=[[[5, 0], []], [[-8], []], [[2, -9, -4], [4]]], marks=[10, 4, 10], indulto=68, number=3
)
NINE_OFF = figures(
    tercios=[[[8], [-4]], [[-2], [2]], [[-1, 6, 3, -9, -3], []]], marks=[10, 4, 10], number=55
)
TENS = figures(
    tercios=[[[-2, 8], []], [[5], []], [[-5, 4, 3], [-6, 7, 0]]], marks=[10, 3, 10], indulto=85,
    number=58,
)  # fmt: skip
# One card that reads BULL under a tercio also reads HERIDA.
HURT = figures(
    tercios=[[[9], [-4]], [[-9, 9, -1, 0], [-7]], [[-4, 9], []]], marks=[10, 26, 10],
    kill=[-7, -11, -7, -5, -1], number=71,
)  # fmt: skip

ONCE: list[Any] = [
    # Each case: rules; the figures; a figure that the cards can give; a figure that they cannot
    # give; the path of the finding.
    (ONE_DECK, NINES, {"number": 98}, {"number": 99}, "number"),
    (Rules(), FIVES, {"number": 50}, {"number": 55}, "number"),
    (Rules(), {**FIVES, "number": 50}, {"indulto": 80}, {"indulto": 85}, "number"),
    (NEXT_CARD, ELEVENS, {"kill": [-11] * 2 + [0] * 3}, {"kill": [-11] * 3 + [0] * 2}, "kill"),
    (ONE_DECK, NINE_OFF, {"kill": [-9] * 3 + [0] * 2}, {"kill": [-9] * 4 + [0]}, "kill"),
    (ONE_DECK, TENS, {"kill": [-10] * 4 + [0]}, {"kill": [-10] * 5}, "kill"),
    (Rules(), HURT, {"injured": [0]}, {"injured": [0, 1]}, "injured"),
]


@pytest.mark.parametrize(("rules", "sheet", "possible", "impossible", "path"), ONCE)
def test_lidia_without_a_reshuffle_uses_each_card_once(
    rules: Rules, sheet: Sheet, possible: Sheet, impossible: Sheet, path: str
) -> None:
    """Marks, answers, points, the kill and the final number take at most seventy cards."""
    assert not refused(read({"sheet": {**sheet, **possible}}, rules=rules))
    found = refused(read({"sheet": {**sheet, **impossible}}, rules=rules))
    assert list(found) == [path]
    assert {state for state, _ruling in found.values()} == {WRONG}


QUIET: list[Any] = [[[], []]] * 3
TWICE = [-5, -5, 0, 0, 0]
SHUFFLES: list[Any] = [
    # Each case: marks of the second tercio; the kill; whether the cards can give it.
    (71, [-5, 0, 0, 0, 0], True),
    (71, TWICE, False),
    (118, TWICE, True),
]


@pytest.mark.parametrize(("marks", "kill", "possible"), SHUFFLES)
def test_number_of_marks_decides_whether_a_stroke_can_come_twice(
    marks: int, kill: list[int], possible: bool
) -> None:
    """Only one card has the modifier -5, so two such strokes need a reshuffle between them.

    If 71 marks leave no points in the second tercio, another reshuffle came before the third
    tercio. Seventy cards lie between the two: the marks of the second tercio beyond sixty, ten
    marks of the third, and the two cards of a stroke.
    """
    sheet = figures(tercios=QUIET, marks=[10, marks, 10], kill=kill)
    found = refused(read({"sheet": sheet}, deck=deck_of(kill={5: "ESTOCADA -5"})))
    assert found == ({} if possible else {"kill": (WRONG, "I-3")})


@pytest.mark.slow
def test_second_tercio_has_no_limit_if_all_clavars_can_be_points() -> None:
    """Two cards are CLAVARs.

    Two other cards score for and two against, and their points can be the CLAVAR cards.
    """
    second = (
        {0: "CLAVAR", 1: "CLAVAR"} | dict.fromkeys((2, 3), "PAR+") | dict.fromkeys((4, 5), "PAR-")
    )
    endless = figures(marks=[10, 9999, 10])
    assert not refused(read({"sheet": endless}, deck=deck_of(second=second)))
    assert refused(read({"sheet": {**endless, "tercios": QUIET}}, deck=deck_of()))
