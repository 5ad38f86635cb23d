"""The chances of a runner add up to 1, even if its paths part and meet again."""

from __future__ import annotations

import pytest

from eltoro.engine import PROFILES, odds
from tests.eltoro.notation import read_town

PARTED = [
    "day 1 step 0 cards first a | a 2:2 | b 6:6 | T 2:1 3:2 4:1 5:6 6:3 6:6",
    "day 1 step 0 cards first a | a 6:1 | b 2:2 | T 2:6 3:5 4:5 5:4 6:1 4:5",
]


@pytest.mark.parametrize("text", PARTED)
@pytest.mark.parametrize("board", ["el-toro", "la-cuesta"])
def test_chances_of_arriving_and_being_trampled_add_up_to_one(text: str, board: str) -> None:
    rules = PROFILES[board]
    chances = odds(read_town(text, rules), rules, 0, 0)
    assert sum(chances.arrives) + chances.trampled == pytest.approx(1)
    assert sum(chances.by_step) == pytest.approx(chances.trampled)


def test_chances_of_two_paths_to_the_same_destination_are_added() -> None:
    rules = PROFILES["el-toro"]
    chances = odds(read_town(PARTED[0], rules), rules, 0, 0)
    assert chances.arrives == pytest.approx((7 / 18, 89 / 216, 0, 0, 0))
