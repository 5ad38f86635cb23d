"""Chances of a matador's card: how often it brings an ear, two ears, a lap, and every other result.

The chances are calculated from a few hundred numbers about the deck and the rules, the
`ScoreCounts`. `sample_scores` counts them once by playing fights, which takes seconds; a card then
takes less than a millisecond, so pages can show the chances of every card.

The result is an approximation for a fight without injuries. Against a million played fights, the
chances of an ear, of two ears and of a lap were at most 0.4 percentage points off for the bundled
cards (`tests/corridas/world/chances/test_million.py`).

The counts are stored once for each deck and rule set (`sample`, `corridas.card_chances`).
"""

from corridas.world.chances.outcomes import (
    CATEGORIES,
    Chances,
    Outcomes,
    ResultShare,
    chances,
    outcomes,
    result_shares,
)
from corridas.world.chances.scores import SAMPLE, Histogram, ScoreCounts, sample_scores
from corridas.world.chances.storage import ScoreCountsError, decode, encode

__all__ = [
    "CATEGORIES",
    "SAMPLE",
    "Chances",
    "Histogram",
    "Outcomes",
    "ResultShare",
    "ScoreCounts",
    "ScoreCountsError",
    "chances",
    "decode",
    "encode",
    "outcomes",
    "result_shares",
    "sample_scores",
]
