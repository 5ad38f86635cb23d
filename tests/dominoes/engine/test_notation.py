"""Domino rule sets and whole hands can be written as text and read again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dominoes.engine import PROFILES, EngineError, Hand, NotationError, Rules, RulesError
from fairness import Seed
from tests.dominoes.engine.strategies import hands, numbers
from tests.dominoes.notation import read_hand, read_rules, write_hand, write_rules

SMALL = """\
rules: highest=2 hand_size=2 boneyard=draw
hands: 2|1 1|1 / 2|2 2|0
boneyard: 1|0 0|0
leader: 0
moves: 1|1 >2|2 <1|2
"""


@pytest.mark.parametrize("name", PROFILES)
def test_rule_sets_of_all_profiles_can_be_written_and_read(name: str) -> None:
    assert read_rules(write_rules(PROFILES[name])) == PROFILES[name]


def test_options_missing_in_a_written_rule_set_have_their_defaults() -> None:
    assert read_rules("") == Rules()
    assert read_rules("lead=winner free_pass=true") == Rules(lead="winner", free_pass=True)


def test_reading_a_hand_stops_after_its_last_written_move() -> None:
    hand = read_hand(SMALL.replace(" <1|2", ""))
    assert (hand.turn, hand.players, len(hand.log)) == (0, 2, 2)
    assert write_hand(hand).endswith("moves: 1|1 >2|2\n")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("rules: highest", "not an option with a value"),
        ("rules: highest=2 highest=3", "appears twice"),
        ("rules: jokers=2", "No option “jokers”"),
        ("rules: highest=2 hand_size=4", "no 2 hands of 4"),
        ("hands: 2|1 1|1 / 2|2", "Seat 1 has 1 tiles"),
        ("hands: 2|1 1|1 / 2|2 2|1", "not the 6 tiles"),
        ("hands: 2|1 1|1 / 2|2 2|2", "Seat 1 has 1 tiles"),
        ("hands: 2|1 1|1", "1 cannot play"),
        ("hands: 2|1 1|1 / 2|2 7|0", "not the 6 tiles"),
        ("hands: 2|1 1|1 / 2|2 two", "no tile"),
        ("boneyard: 1|0", "not the 6 tiles"),
        ("boneyard: 1|0 0|0 0|0", "not the 6 tiles"),
        ("leader: 2", "Seat 2 cannot lead"),
        ("leader: first", "no seat"),
        ("leader: 99999999999", "no seat"),
        ("moves: 2|0", "You don’t have the 2|0"),
        ("moves: 1|1 hop", "no move"),
        ("moves: 1|1 >2|2 <1|2 pass", "The hand is over"),
        ("sides: 2", "no line of a hand"),
    ],
)
def test_error_in_a_written_hand_is_described(line: str, error: str) -> None:
    head = line.partition(":")[0]
    lines = [old for old in SMALL.splitlines() if not old.startswith(head)]
    with pytest.raises(EngineError) as refused:
        read_hand("\n".join([*lines, line]))
    assert error in str(refused.value)


@pytest.mark.parametrize("head", ["rules", "hands", "boneyard", "leader", "moves"])
def test_missing_line_of_a_written_hand_is_named(head: str) -> None:
    lines = [line for line in SMALL.splitlines() if not line.startswith(head)]
    with pytest.raises(NotationError, match=f"does not tell its {head}"):
        read_hand("\n".join(lines))


def test_ruling_d_3_written_hand_must_be_led_by_the_holder_of_the_highest_double() -> None:
    with pytest.raises(EngineError, match="Seat 0 cannot lead"):
        read_hand(SMALL.replace("boneyard=draw", "lead=highest_double"))


@settings(deadline=None)
@given(hands(), st.integers(0, 60), st.integers(0, 1 << 32))
def test_any_hand_can_be_written_and_read(hand: Hand, moves: int, number: int) -> None:
    random = numbers(Seed(number.to_bytes(32, "big")).chance("moves"))
    for _ in range(moves):
        codes = hand.legal_codes()
        if codes:
            hand.play_code(codes[int(random() * len(codes))])
    again = read_hand(write_hand(hand))
    assert write_hand(again) == write_hand(hand)
    assert again.rules == hand.rules
    assert again.dealt == hand.dealt
    assert again.outcome == hand.outcome
    assert [again.view(seat) for seat in range(hand.players)] == [
        hand.view(seat) for seat in range(hand.players)
    ]


@settings(deadline=None)
@given(st.text(alphabet="0123456789|<>+/: \nadehilmnoprsuvwy=_", max_size=120))
def test_random_text_is_rejected_as_a_hand_without_a_crash(text: str) -> None:
    with pytest.raises((NotationError, RulesError)):
        read_hand(text)
