"""Chances of a matador's card: how often it brings an ear, two ears, a lap, and every other result.

The chances are calculated from a few hundred numbers about the deck and the rules, the
`ScoreCounts`. `sample_scores` counts them once by playing fights, which takes seconds; a card then
takes less than a millisecond, so pages can show the chances of every card.

The result is an approximation for a fight without injuries. Against a million played fights, the
chances of an ear, of two ears and of a lap were at most 0.4 percentage points off for the bundled
cards (`tests/corridas/world/chances/test_million.py`).

How other code uses this package:

- Once per deck and rule set, when a deck is saved or a circuit gets other rules, a Celery task
  calls `sample_scores(deck, rules, SAMPLE, seed)` and stores `encode(counts)`, about one kilobyte
  of JSON, in a row that is unique by deck and options of the rules. The seed is fixed, for example
  made from the text of the deck, so that a deck always has the same chances.
- Pages, lists and the API read `decode(row)`, keep the object for all cards of the page, and call
  `chances(card, category, counts)`. If there is no row yet, they show no chances.
"""

from corridas.world.chances.outcomes import Chances, Outcomes, chances, outcomes
from corridas.world.chances.sampling import SAMPLE, sample_scores
from corridas.world.chances.scores import Histogram, ScoreCounts
from corridas.world.chances.storage import ScoreCountsError, decode, encode

__all__ = [
    "SAMPLE",
    "Chances",
    "Histogram",
    "Outcomes",
    "ScoreCounts",
    "ScoreCountsError",
    "chances",
    "decode",
    "encode",
    "outcomes",
    "sample_scores",
]
