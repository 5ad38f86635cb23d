"""The public interface of the domino engine: its example works, and hands can be serialised."""

from __future__ import annotations

import doctest
import pickle
from copy import deepcopy

from dominoes import engine
from tests.dominoes.engine.table import table
from tests.dominoes.notation import write_hand


def test_example_in_the_documentation_of_the_domino_engine_works() -> None:
    results = doctest.testmod(engine, optionflags=doctest.ELLIPSIS)
    assert results.attempted > 10
    assert not results.failed


def test_public_names_of_the_domino_engine_exist_and_are_listed_once() -> None:
    assert len(set(engine.__all__)) == len(engine.__all__)
    assert all(hasattr(engine, name) for name in engine.__all__)


def test_copied_or_unpickled_hand_is_equal_to_the_original() -> None:
    hand = table("6|3 6|6 / 2|2 5|5", "6|3 draw", "5|0 2|0 3|0 4|0")
    for again in (pickle.loads(pickle.dumps(hand)), deepcopy(hand)):
        assert write_hand(again) == write_hand(hand)
        assert again.legal() == hand.legal()
        assert again.boneyard == hand.boneyard
        assert again.view(0) == hand.view(0)
