"""Cards of a whole lidia, counted where no shuffle can have fallen into it (Ruling I-3)."""

from __future__ import annotations

from typing import Any

import pytest

from corridas.engine import Rules
from corridas.tabletop.sheets import State
from tests.corridas.tabletop.sheets.paper import Sheet, figures, read, refused

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
# Two cards have -11, three -9 and four -10.
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
# One card that reads BULL under a tercio is a HERIDA too.
HURT = figures(
    tercios=[[[9], [-4]], [[-9, 9, -1, 0], [-7]], [[-4, 9], []]], marks=[10, 26, 10],
    kill=[-7, -11, -7, -5, -1], number=71,
)  # fmt: skip

ONCE: list[Any] = [
    # rules, the figures, one that the cards can give, one that they cannot
    (ONE_DECK, NINES, {"number": 98}, {"number": 99}, "number"),
    (Rules(), FIVES, {"number": 50}, {"number": 55}, "number"),
    (Rules(), {**FIVES, "number": 50}, {"indulto": 80}, {"indulto": 85}, "number"),
    (NEXT_CARD, ELEVENS, {"kill": [-11] * 2 + [0] * 3}, {"kill": [-11] * 3 + [0] * 2}, "kill"),
    (ONE_DECK, NINE_OFF, {"kill": [-9] * 3 + [0] * 2}, {"kill": [-9] * 4 + [0]}, "kill"),
    (ONE_DECK, TENS, {"kill": [-10] * 4 + [0]}, {"kill": [-10] * 5}, "kill"),
    (Rules(), HURT, {"injured": [0]}, {"injured": [0, 1]}, "injured"),
]


@pytest.mark.parametrize(("rules", "sheet", "possible", "impossible", "path"), ONCE)
def test_a_card_comes_once_in_a_lidia_without_a_shuffle(
    rules: Rules, sheet: Sheet, possible: Sheet, impossible: Sheet, path: str
) -> None:
    """Marks, their answers and numbers, kill and final number are at most seventy cards."""
    assert not refused(read({"sheet": {**sheet, **possible}}, rules=rules))
    found = refused(read({"sheet": {**sheet, **impossible}}, rules=rules))
    assert list(found) == [path]
    assert {state for state, _ruling in found.values()} == {WRONG}
