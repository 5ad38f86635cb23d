"""The domino referee answers any input without crashing, and every objection has a message."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dominoes.engine import PROFILES, FinalTiles, HandSheet, Rules, judge_hand, judge_match
from dominoes.engine.referee import RULINGS
from dominoes.tabletop.sheets import read_sheet, referee, write_hand
from dominoes.tabletop.sheets.referee import CODES_WITH_SENTENCE
from tests.properties import examples

SLOW = settings(
    max_examples=examples(250),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=20,
)
halves = st.integers(0, 7)
tiles = st.builds("{}|{}".format, halves, halves) | st.text(max_size=6)
moves = (
    st.builds("{}{}{}{}".format, st.sampled_from([">", "<", ""]), halves, st.just("|"), halves)
    | st.builds("{}{}+{}".format, st.sampled_from("<>"), halves, halves)
    | st.sampled_from(["draw", "pass"])
    | st.text(max_size=6)
)
seats = st.none() | st.integers(-1, 5)
holdings = (
    st.none()
    | st.fixed_dictionaries({"tiles": st.lists(tiles, max_size=8)})
    | st.fixed_dictionaries({"pips": st.integers(-5, 200)})
    | anything
)
hands = st.fixed_dictionaries(
    {
        "leader": seats,
        "out": seats,
        "blocked": st.booleans(),
        "held": st.lists(holdings, min_size=2, max_size=4),
    },
    optional={"moves": st.lists(moves, max_size=30), "deal": anything},
)
sheets = st.fixed_dictionaries(
    {"hands": st.lists(hands | anything, max_size=3)},
    optional={
        "totals": st.lists(st.integers(-200, 400), max_size=5) | anything,
        "stopped": anything,
    },
)


@pytest.mark.slow
@SLOW
@given(sheet=sheets | anything, players=st.integers(0, 7), profile=st.sampled_from([*PROFILES]))
def test_referee_answers_any_json_as_a_scoresheet(sheet: Any, players: int, profile: str) -> None:
    rules = PROFILES[profile].options()
    judgement = referee.judge(rules=rules, seats=players, sheet=sheet)
    assert len(judgement.points) == players
    assert all(objection.sentence for objection in judgement.objections)
    if judgement.over:
        assert judgement.objections == ()
        assert min(judgement.places) == 1


def texts(text: Any) -> Any:
    return st.lists(text, max_size=8).map(tuple)


hostile_hands = st.builds(
    HandSheet,
    leader=seats,
    out=seats,
    blocked=st.booleans(),
    held=st.lists(
        st.builds(
            FinalTiles,
            tiles=st.none() | texts(tiles),
            pips=st.none() | st.integers(-5, 99) | st.just(10**5000),
        ),
        max_size=5,
    ).map(tuple),
    moves=texts(moves),
    deal=st.none() | texts(texts(tiles)),
)
rule_sets = st.sampled_from([*PROFILES.values(), Rules(highest=18, hand_size=1)])


@pytest.mark.slow
@settings(SLOW, max_examples=examples(100))
@example(
    rules=Rules(), players=2, hand=HandSheet(out=0, held=(FinalTiles(), FinalTiles(pips=10**5000)))
)
@given(rules=rule_sets, players=st.integers(-1, 191), hand=hostile_hands)
def test_judging_a_hand_never_raises_whatever_its_fields_contain(
    rules: Rules, players: int, hand: HandSheet
) -> None:
    reading = judge_hand(rules, players, hand)
    assert reading.complete == (reading.outcome is not None)


@pytest.mark.slow
@settings(SLOW, max_examples=examples(100))
@given(
    players=st.integers(1, 5),
    hands=st.lists(hostile_hands, max_size=2),
    totals=st.none() | st.lists(st.integers(-5, 200), max_size=5),
)
def test_judging_a_match_never_raises_whatever_its_fields_contain(
    players: int, hands: list[HandSheet], totals: list[int] | None
) -> None:
    reading = judge_match(Rules(), players, hands, totals)
    assert reading.objections or reading.points


@pytest.mark.slow
@SLOW
@given(rules=anything)
def test_referee_rejects_invalid_rules_without_raising(rules: Any) -> None:
    judgement = referee.judge(rules=rules, seats=2, sheet={"totals": [100, 3]})
    assert judgement.over == (judgement.objections == ())


@pytest.mark.slow
@SLOW
@given(hand=hands)
def test_hand_read_from_json_can_be_written_and_read_again(hand: Any) -> None:
    sheet = read_sheet({"hands": [hand]}, 4)
    if not sheet.faults:
        again = read_sheet({"hands": [write_hand(written) for written in sheet.hands]}, 4)
        assert [written.moves for written in again.hands] == [w.moves for w in sheet.hands]
        assert [written.out for written in again.hands] == [w.out for w in sheet.hands]


def test_every_objection_of_the_domino_referee_has_a_message() -> None:
    assert set(RULINGS) <= CODES_WITH_SENTENCE


def test_totals_without_hands_are_accepted_as_the_weakest_evidence() -> None:
    """The first side to reach the target wins (Ruling D-8), so totals with two such sides are
    rejected.
    """
    rules = Rules().options()
    taken = referee.judge(rules=rules, seats=3, sheet={"totals": [104, 61, 61]})
    assert (taken.evidence, taken.places, taken.over) == ("score", (1, 2, 2), True)
    both = referee.judge(rules=rules, seats=2, sheet={"totals": [104, 101]})
    assert [objection.ruling for objection in both.objections] == ["D-8"]
    short = referee.judge(rules=rules, seats=2, sheet={"totals": [99, 60]})
    assert (short.over, short.places) == (False, ())
    stopped = referee.judge(rules=rules, seats=2, sheet={"totals": [99, 60], "stopped": True})
    assert (stopped.over, stopped.places) == (True, (1, 2))
    absurd = referee.judge(rules=rules, seats=2, sheet={"totals": [10**30, -1]})
    assert [objection.path for objection in absurd.objections] == ["totals/0", "totals/1"]


def test_totals_of_partners_must_be_equal() -> None:
    rules = PROFILES["partners"].options()
    sheet = {"totals": [100, 40, 100, 41]}
    judgement = referee.judge(rules=rules, seats=4, sheet=sheet)
    assert [objection.path for objection in judgement.objections] == ["totals/3"]
    fine = referee.judge(rules=rules, seats=4, sheet={"totals": [100, 40, 100, 40]})
    assert fine.places == (1, 2, 1, 2)


def test_winner_of_a_hand_must_lead_the_next_if_the_rules_say_so() -> None:
    """The option `lead=winner` says so (Ruling D-3).

    No hand may follow after a side has reached the target (Ruling D-8).
    """
    rules = Rules(lead="winner", target=20).options()
    first = {"out": 0, "held": [None, {"pips": 12}]}
    second = {"leader": 1, "out": 1, "held": [{"pips": 30}, None]}
    judgement = referee.judge(rules=rules, seats=2, sheet={"hands": [first, second]})
    assert [(fault.path, fault.ruling) for fault in judgement.objections] == [
        ("hands/1/leader", "D-3")
    ]
    second["leader"] = 0
    judgement = referee.judge(rules=rules, seats=2, sheet={"hands": [first, second]})
    assert (judgement.points, judgement.places) == ((12, 30), (2, 1))
    judgement = referee.judge(rules=rules, seats=2, sheet={"hands": [first, second, first]})
    assert [fault.path for fault in judgement.objections] == ["hands/2"]
    agreed = referee.judge(
        rules=rules, seats=2, sheet={"hands": [first, second], "totals": [12, 31]}
    )
    assert [fault.path for fault in agreed.objections] == ["totals"]
