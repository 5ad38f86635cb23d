"""The referee accepts scoresheets of hands that were really played, with the engine's score."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dominoes import engine
from dominoes.engine import FinalTiles, judge_hand
from fairness import Seed
from tests.dominoes.engine.referee.games import log_of, pips_of, played, some_rules, tiles_of

HANDS = 40


def a_hand(number: int) -> engine.Hand:
    rules, players = some_rules(Seed(bytes(32)).chance(f"rules/{number}"))
    return played(rules, players, f"hand/{number}")


@pytest.mark.parametrize("tens", range(10))
def test_referee_accepts_the_moves_of_a_played_hand_with_the_same_score(tens: int) -> None:
    for number in range(tens * HANDS, (tens + 1) * HANDS):
        hand = a_hand(number)
        reading = judge_hand(hand.rules, hand.players, log_of(hand))
        assert reading.objections == (), (number, reading.objections, log_of(hand))
        assert reading.outcome == hand.outcome
        assert reading.evidence == "log"


@pytest.mark.parametrize("tens", range(10))
def test_referee_accepts_remaining_tiles_and_pips_of_a_played_hand(tens: int) -> None:
    for number in range(tens * HANDS, (tens + 1) * HANDS):
        hand = a_hand(number)
        for written in (tiles_of(hand), pips_of(hand)):
            reading = judge_hand(hand.rules, hand.players, written)
            assert reading.objections == (), (number, reading.objections, written)
            assert reading.outcome == hand.outcome
            assert reading.evidence == "sheet"


@pytest.mark.parametrize("tens", range(5))
def test_referee_accepts_moves_with_the_remaining_pips_of_a_played_hand(tens: int) -> None:
    for number in range(tens * HANDS, (tens + 1) * HANDS):
        hand = a_hand(number)
        written = replace(log_of(hand), held=tuple(FinalTiles(pips=pips) for pips in hand.pips))
        reading = judge_hand(hand.rules, hand.players, written)
        assert reading.objections == (), (number, reading.objections, written)
        assert reading.outcome == hand.outcome


@pytest.mark.parametrize("number", range(40))
def test_referee_does_not_reject_a_played_hand_without_its_leader(number: int) -> None:
    hand = a_hand(number)
    reading = judge_hand(hand.rules, hand.players, replace(log_of(hand), leader=None))
    assert not reading.contradictions
    assert reading.outcome in {hand.outcome, None}
