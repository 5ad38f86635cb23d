"""Commitments published before an event, and their verification afterwards (Ruling F-2)."""

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
    """Verify the example, with some arguments changed."""
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


def test_f_2_canonical_json_does_not_depend_on_the_order_of_keys() -> None:
    assert canonical(dict(reversed(STAKE.items()))) == canonical(STAKE)
    assert canonical({"cartel": ("a", "b")}) == canonical({"cartel": ["a", "b"]})


@pytest.mark.slow
@given(stakes)
def test_f_2_canonical_json_is_json_and_unique(stake: object) -> None:
    written = canonical(stake)
    assert json.loads(written) == stake
    assert canonical(json.loads(written)) == written


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_canonical_json_rejects_nan_and_infinity(number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical({"score": number})


@pytest.mark.parametrize("thing", [b"seed", {1, 2}, object()])
def test_canonical_json_rejects_objects_that_json_cannot_represent(thing: object) -> None:
    with pytest.raises(TypeError, match="JSON"):
        canonical([thing])


def test_f_2_commitment_is_the_sha_256_of_seed_and_stake() -> None:
    by_hand = sha256(SEED + WRITTEN.encode("utf-8"))
    assert commitment(SEED, STAKE) == by_hand.digest()
    assert len(commitment(SEED, STAKE)) == 32


@given(stakes, stakes)
def test_f_2_another_stake_gives_another_commitment(one: object, other: object) -> None:
    same = canonical(one) == canonical(other)
    assert (commitment(SEED, one) == commitment(SEED, other)) == same


def test_f_2_verification_of_an_unchanged_event_succeeds() -> None:
    assert check() == ()


def test_f_2_verification_reports_another_seed() -> None:
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
def test_f_2_verification_reports_another_stake(stake: object) -> None:
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
def test_f_2_verification_names_differing_results(
    claimed: object, difference: CommitmentDifference
) -> None:
    assert check(claimed=claimed) == (difference,)


def test_f_2_verification_reports_all_differences_commitment_first() -> None:
    names = [found.name for found in check(seed=bytes(32), claimed={}, derived=OUTCOME)]
    assert names == ["commitment", "lidia/1", "lidia/2", "sorteo"]


def test_f_2_event_can_be_verified_with_public_data() -> None:
    lot = Seed(SEED).chance("sorteo").shuffled(range(6))
    swapped = [lot[1], lot[0], *lot[2:]]
    derived = {"sorteo": Seed(SEED).chance("sorteo").shuffled(range(6))}
    assert check(claimed={"sorteo": lot}, derived=derived) == ()
    caught = check(claimed={"sorteo": swapped}, derived=derived)
    assert caught == (CommitmentDifference("sorteo", swapped, lot),)
