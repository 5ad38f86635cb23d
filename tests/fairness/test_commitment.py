"""What is promised before an event, and what is found when the promise is checked (Ruling F-2)."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness import ABSENT, CommitmentDifference, Seed, canonical, commitment, verify

SEED = bytes(range(32))
STAKE = {"plaza": 2, "cartel": ["Paquiro", "Cúchares"], "rules": {"shuffle": "each_bull"}}
WRITTEN = '{"cartel":["Paquiro","Cúchares"],"plaza":2,"rules":{"shuffle":"each_bull"}}'
OUTCOME = {"sorteo": [3, 1, 0, 5, 4, 2], "lidia/1": "00ff", "lidia/2": "0a"}

numbers = st.integers(-(10**9), 10**9)
leaves = st.none() | st.booleans() | numbers | st.text(max_size=8)
stakes = st.recursive(
    leaves,
    lambda deeper: (
        st.lists(deeper, max_size=4) | st.dictionaries(st.text(max_size=5), deeper, max_size=4)
    ),
    max_leaves=12,
)


def check(**changes: Any) -> tuple[CommitmentDifference, ...]:
    """Hold the example against itself, with changes."""
    published: dict[str, Any] = {
        "promised": commitment(SEED, STAKE),
        "seed": SEED,
        "stake": STAKE,
        "claimed": OUTCOME,
        "derived": OUTCOME,
    }
    return verify(**{**published, **changes})


def test_f_2_canonical_json_has_sorted_keys_no_spaces_and_utf_8() -> None:
    assert canonical(STAKE) == WRITTEN.encode("utf-8")


def test_f_2_the_order_in_which_a_stake_was_put_together_is_no_matter() -> None:
    assert canonical(dict(reversed(STAKE.items()))) == canonical(STAKE)
    assert canonical({"cartel": ("a", "b")}) == canonical({"cartel": ["a", "b"]})


@given(stakes)
def test_f_2_canonical_json_is_json_and_one_way_only(stake: object) -> None:
    written = canonical(stake)
    assert json.loads(written) == stake
    assert canonical(json.loads(written)) == written


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_canonical_refuses_numbers_json_has_not(number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical({"score": number})


@pytest.mark.parametrize("thing", [b"seed", {1, 2}, object()])
def test_canonical_refuses_what_json_has_no_form_for(thing: object) -> None:
    with pytest.raises(TypeError, match="JSON"):
        canonical([thing])


def test_f_2_the_commitment_worked_out_by_hand() -> None:
    by_hand = sha256(SEED + WRITTEN.encode("utf-8"))
    assert commitment(SEED, STAKE) == by_hand.digest()
    assert len(commitment(SEED, STAKE)) == 32


@given(stakes, stakes)
def test_f_2_another_stake_is_another_promise(one: object, other: object) -> None:
    same = canonical(one) == canonical(other)
    assert (commitment(SEED, one) == commitment(SEED, other)) == same


def test_f_2_verify_says_yes() -> None:
    assert check() == ()


def test_f_2_verify_says_that_the_seed_is_another() -> None:
    other = bytes(32)
    difference = CommitmentDifference(
        "commitment", commitment(SEED, STAKE).hex(), commitment(other, STAKE).hex()
    )
    assert check(seed=other) == (difference,)


@pytest.mark.parametrize(
    "stake",
    [{**STAKE, "plaza": 1}, {**STAKE, "cartel": ["Cúchares", "Paquiro"]}, {}, WRITTEN],
    ids=["another plaza", "another order", "nothing", "its text"],
)
def test_f_2_verify_says_that_the_stake_is_another(stake: object) -> None:
    assert [difference.name for difference in check(stake=stake)] == ["commitment"]


@pytest.mark.parametrize(
    ("claimed", "difference"),
    [
        ({**OUTCOME, "lidia/1": "00fe"}, CommitmentDifference("lidia/1", "00fe", "00ff")),
        (
            {"sorteo": OUTCOME["sorteo"], "lidia/1": "00ff"},
            CommitmentDifference("lidia/2", ABSENT, "0a"),
        ),
        ({**OUTCOME, "lidia/7": "01"}, CommitmentDifference("lidia/7", "01", ABSENT)),
    ],
    ids=["changed", "missing", "invented"],
)
def test_f_2_verify_names_what_differs(claimed: object, difference: CommitmentDifference) -> None:
    assert check(claimed=claimed) == (difference,)


def test_f_2_verify_tells_all_differences_the_commitment_first() -> None:
    names = [found.name for found in check(seed=bytes(32), claimed={}, derived=OUTCOME)]
    assert names == ["commitment", "lidia/1", "lidia/2", "sorteo"]


def test_f_2_what_is_public_is_enough_to_check_an_event() -> None:
    lot = Seed(SEED).chance("sorteo").shuffled(range(6))
    swapped = [lot[1], lot[0], *lot[2:]]
    derived = {"sorteo": Seed(SEED).chance("sorteo").shuffled(range(6))}
    assert check(claimed={"sorteo": lot}, derived=derived) == ()
    caught = check(claimed={"sorteo": swapped}, derived=derived)
    assert caught == (CommitmentDifference("sorteo", swapped, lot),)
