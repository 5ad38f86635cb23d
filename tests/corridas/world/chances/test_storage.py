"""Score counts survive being stored as JSON, and other JSON is rejected."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from corridas.engine import Rules
from corridas.world.chances import ScoreCounts, ScoreCountsError, decode, encode, sample_scores
from tests.corridas.world.chances.compared import DECK, seed_of
from tests.corridas.world.chances.test_outcomes import score_counts

GOOD = {"lowest": -1, "counts": [1, 0, 2]}


@given(score_counts())
def test_counts_are_the_same_after_storing(counts: ScoreCounts) -> None:
    assert decode(json.loads(json.dumps(encode(counts)))) == counts


def test_stored_object_is_small() -> None:
    counts = sample_scores(DECK, Rules(), 1_000, seed_of("stored"))
    stored = json.dumps(encode(counts), separators=(",", ":"))
    # With 250,000 fights, a number has up to four digits and a comma.
    assert len(stored) + 4 * (len(counts.killed.counts) + len(counts.spared.counts)) < 2_048


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [],
        {},
        {"killed": GOOD},
        {"killed": GOOD, "spared": GOOD, "more": 1},
        {"killed": GOOD, "spared": None},
        {"killed": GOOD, "spared": {"lowest": 0}},
        {"killed": GOOD, "spared": {"lowest": 0.5, "counts": [1]}},
        {"killed": GOOD, "spared": {"lowest": True, "counts": [1]}},
        {"killed": GOOD, "spared": {"lowest": 0, "counts": [-1]}},
        {"killed": GOOD, "spared": {"lowest": 0, "counts": [1.0]}},
        {"killed": GOOD, "spared": {"lowest": 0, "counts": "1"}},
        {"killed": GOOD, "spared": {"lowest": 0, "counts": [4]}},
        {"killed": {"lowest": 0, "counts": []}, "spared": {"lowest": 0, "counts": []}},
    ],
    ids=str,
)
def test_other_values_are_rejected(stored: object) -> None:
    with pytest.raises(ScoreCountsError):
        decode(stored)
