"""The door to the engine: what it shows by example is so."""

from __future__ import annotations

import doctest
import pickle
from copy import deepcopy

from dominoes import engine
from tests.dominoes.engine.table import table
from tests.dominoes.notation import write_hand


def test_the_example_at_the_door_works() -> None:
    results = doctest.testmod(engine, optionflags=doctest.ELLIPSIS)
    assert results.attempted > 10
    assert not results.failed


def test_everything_at_the_door_is_there_once() -> None:
    assert len(set(engine.__all__)) == len(engine.__all__)
    assert all(hasattr(engine, name) for name in engine.__all__)


def test_a_hand_can_be_put_away_and_taken_up_again() -> None:
    hand = table("6|3 6|6 / 2|2 5|5", "6|3 draw", "5|0 2|0 3|0 4|0")
    for again in (pickle.loads(pickle.dumps(hand)), deepcopy(hand)):
        assert write_hand(again) == write_hand(hand)
        assert again.legal() == hand.legal()
        assert again.boneyard == hand.boneyard
        assert again.view(0) == hand.view(0)
