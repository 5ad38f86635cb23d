"""Counts the scores of a deck and a rule set by playing fights without a matador."""

from __future__ import annotations

from itertools import chain, islice

from corridas.engine import BULLS, Deck, Rules, corridas_without_matador
from corridas.world.chances.scores import ScoreCounts
from fairness import Seed

# Number of fights for figures on pages.
SAMPLE = 250_000


def sample_scores(deck: Deck, rules: Rules, fights: int, seed: Seed) -> ScoreCounts:
    """Play at least this many fights and count their scores.

    Only whole corridas are played, because the turns of a corrida differ if the deck is used up
    (Ruling I-3). The same arguments always give the same counts. 250,000 fights take about eight
    seconds. Raises `ValueError` if `fights` is below 1.
    """
    corridas = islice(corridas_without_matador(rules, deck, seed), -(-fights // BULLS))
    return ScoreCounts.count((lidia.result for lidia in chain.from_iterable(corridas)), rules)
