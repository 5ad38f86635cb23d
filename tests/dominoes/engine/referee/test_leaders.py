"""Scoresheets of matches without leaders: the referee checks whether any choice of leaders fits.

With the option `lead=winner`, the winner of a hand must lead the next one (Ruling D-3).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from dominoes.engine import HandSheet, MatchReading, judge_match
from dominoes.engine.referee import leaders
from dominoes.tabletop.sheets import objection_sentence
from fairness import Chance, Seed
from tests.dominoes.engine.referee.test_edges import OUT, SMALL, THREES, TINY
from tests.dominoes.engine.referee.test_objections import held
from tests.dominoes.oracle.paper import copied, play_at_random, some_deal, some_rules
from tests.dominoes.oracle.sheets import sheet
from tests.dominoes.oracle.tiles import Options
from tests.dominoes.oracle.translation import engine_rules

WINNER_LEADS = replace(SMALL, lead="winner")
# With these moves, either of the two players can have led. The player who did not lead wins 4
# points.
EITHER_LED = HandSheet(moves=("3|0", "<0|1", "pass", "pass"), held=held("3|3", "1|1"))
# The leader of this hand went out and won without points. Either player can have led.
LEADER_WON = HandSheet(moves=OUT, held=held(0, 0))
OUT_WINS = replace(TINY, lead="winner", out_wins=True)


def objection_codes(reading: MatchReading) -> list[tuple[str, str]]:
    return [(fault.path, fault.code) for fault in reading.objections]


@pytest.mark.parametrize("hands", [2, 3, 5])
def test_match_is_accepted_if_some_choice_of_leaders_fits(hands: int) -> None:
    reading = judge_match(WINNER_LEADS, 2, [EITHER_LED] * hands, stopped=True)
    assert objection_codes(reading) == []
    assert (reading.totals, reading.places) == ((0, 4 * hands), (2, 1))
    assert [hand.leader for hand in reading.hands] == [None] + [1] * (hands - 1)
    assert reading.evidence == "log"


def test_written_leader_is_rejected_if_another_player_won_the_last_hand() -> None:
    reading = judge_match(WINNER_LEADS, 2, [EITHER_LED, replace(EITHER_LED, leader=0)])
    assert objection_codes(reading) == [("hands/1/leader", "leader_winner")]
    assert (
        objection_codes(judge_match(WINNER_LEADS, 2, [EITHER_LED, replace(EITHER_LED, leader=1)]))
        == []
    )


def test_moves_that_fit_only_a_leader_who_did_not_win_are_rejected() -> None:
    lost = HandSheet(out=1, held=held("0|2", None))
    only_first = HandSheet(moves=OUT, held=held(None, "0|2"))
    rules = replace(TINY, lead="winner")
    reading = judge_match(rules, 2, [lost, only_first])
    assert objection_codes(reading) == [("hands/1/leader", "moves_of_another")]
    assert reading.objections[0].params == {"seat": 0, "winner": 1}
    assert objection_sentence(reading.objections[0], ["Ana", "Beto"]) == (
        "The moves are only possible if Ana led, but the winner of the last hand leads."
    )
    assert objection_codes(judge_match(TINY, 2, [lost, only_first])) == []
    won = HandSheet(out=0, held=held(None, "0|2"))
    assert objection_codes(judge_match(rules, 2, [won, only_first])) == []


def test_winner_of_the_last_hand_must_hold_one_tile_fewer_than_dealt() -> None:
    """Even without moves it is known that the winner led the next hand, and so played a tile."""
    won = HandSheet(out=0, held=held(None, "0|2"))
    for left, faults in (
        (held("0|1", "2|2 1|1"), []),
        (held("2|2 1|1", "0|1"), [("hands/1/held/0", "too_many_tiles")]),
    ):
        blocked = HandSheet(blocked=True, held=left)
        rules = replace(TINY, lead="winner", free_pass=True)
        assert objection_codes(judge_match(rules, 2, [won, blocked])) == faults
        assert objection_codes(judge_match(replace(rules, lead="draw"), 2, [won, blocked])) == []


def test_leader_of_a_hand_reveals_the_winner_of_the_hand_before() -> None:
    assert objection_codes(judge_match(OUT_WINS, 2, [LEADER_WON])) == [
        ("hands/0/leader", "who_led")
    ]
    for leader in (0, 1):
        hands = [LEADER_WON, replace(LEADER_WON, leader=leader)]
        reading = judge_match(OUT_WINS, 2, hands, stopped=True)
        assert objection_codes(reading) == []
        assert [hand.outcome and hand.outcome.out for hand in reading.hands] == [leader, leader]
        assert [hand.leader for hand in reading.hands] == [leader, leader]


def test_totals_of_a_match_reveal_the_leader_of_its_only_hand() -> None:
    """All tiles are dealt.

    The player who led goes out, and the other is left with the 2-1, so the totals show which player
    led.
    """
    hand = HandSheet(moves=("2|2", ">1|1", "<0|1", ">2|0", ">0|0"), held=held(None, None))
    assert objection_codes(judge_match(THREES, 2, [hand])) == [("hands/0/leader", "who_led")]
    for totals, leader in (((3, 0), 0), ((0, 3), 1)):
        reading = judge_match(THREES, 2, [hand], totals, stopped=True)
        assert (objection_codes(reading), reading.points) == ([], totals)
        assert reading.hands[0].leader == leader
    for totals in ((0, 0), (3, 3), (0, 4)):
        assert ("totals", "totals_differ") in objection_codes(
            judge_match(THREES, 2, [hand], totals)
        )
    # Each player won one of two hands with the same moves. The scoresheet does not show which
    # player won which hand, so the referee asks who led.
    both = judge_match(THREES, 2, [hand, hand], (3, 3))
    assert objection_codes(both) == [("hands/0/leader", "who_led"), ("hands/1/leader", "who_led")]
    rules = replace(THREES, lead="winner")
    assert ("totals", "totals_differ") in objection_codes(
        judge_match(rules, 2, [hand, hand], (3, 3))
    )


def test_totals_are_compared_only_with_hands_whose_points_are_known() -> None:
    unknown = HandSheet(out=0, held=held(None, None))
    known = HandSheet(out=0, held=held(None, "0|2"))
    for totals, refused in (((2, 0), False), ((5, 0), False), ((1, 0), True), ((2, 3), False)):
        reading = judge_match(TINY, 2, [known, unknown], totals)
        assert (("totals", "totals_differ") in objection_codes(reading)) == refused, totals
    # Only one side can score in a hand, so a single unknown hand cannot explain the points of both
    # sides.
    assert ("totals", "totals_differ") in objection_codes(
        judge_match(TINY, 2, [known, unknown], (3, 1))
    )
    assert ("totals", "totals_differ") in objection_codes(judge_match(TINY, 2, [known], (3, 0)))


def test_referee_asks_for_leaders_if_too_many_scores_are_possible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hands = [LEADER_WON] * 6
    monkeypatch.setattr(leaders, "MAX_STATES", 1)
    reading = judge_match(OUT_WINS, 2, hands)
    assert set(objection_codes(reading)) == {
        (f"hands/{number}/leader", "who_led") for number in range(6)
    }


def any_hand(rules: Options, players: int, chance: Chance) -> HandSheet:
    """Return the scoresheet of a hand played at random, with any leader and in any form."""
    while len((dealt := some_deal(rules, chance)).hands) != players:
        pass
    dealt.turn = chance.below(players)
    log = play_at_random(over := copied(dealt), chance)
    written = sheet(dealt, over, log, chance.pick(["tiles", "tiles", "some"]), chance)
    if chance.below(3) == 0 and all(what.tiles is not None for what in written.held):
        return replace(written, moves=(), out=over.out, blocked=over.out is None)
    return written


def led(hands: list[HandSheet], leaders: tuple[int, ...]) -> list[HandSheet]:
    return [replace(hand, leader=seat) for hand, seat in zip(hands, leaders, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(60))
def test_referee_accepts_a_match_exactly_if_some_choice_of_leaders_fits(number: int) -> None:
    """Each possible choice of leaders is also written down and judged separately.

    Without leaders, the referee may only report facts that are the same for all accepted choices.
    """
    chance = Seed(bytes(32)).chance(f"leaders/{number}")
    while (dealt := some_deal({**some_rules(chance), "lead": "winner"}, chance)).players > 3:
        pass
    rules, players = engine_rules({**dealt.rules, "target": 10_000}), dealt.players
    hands = [any_hand(dealt.rules, players, chance) for _ in range(1 + chance.below(3))]
    bare = [replace(hand, leader=None) for hand in hands]
    judged = [
        judge_match(rules, players, led(bare, seats))
        for seats in product(range(players), repeat=len(hands))
    ]
    choices = [choice for choice in judged if all(fault.missing for fault in choice.objections)]
    reading = judge_match(rules, players, bare)
    assert all(fault.missing for fault in reading.objections) == bool(choices), reading.objections
    for place, hand in enumerate(reading.hands if choices else ()):
        outcomes = {choice.hands[place].outcome for choice in choices}
        assert hand.outcome == (outcomes.pop() if len(outcomes) == 1 else None)
