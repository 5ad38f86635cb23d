"""The chances agree with a million fights, played once without a matador and read by every card.

The promise: for an ear, two ears and a lap at most 0.4 percentage points off for the bundled cards,
and at most 0.6 for cards that no matador has.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from corridas.engine import CHOICES, Rules
from corridas.world.chances import SAMPLE, sample_scores
from tests.corridas.world.chances.compared import (
    CARDS,
    DECK,
    UNUSUAL,
    errors,
    fights_of,
    largest_promised,
    recorded,
    seed_of,
)
from tests.corridas.world.chances.reader import Readings

MILLION = 1_000_000
OTHER_CARDS = CARDS[::11]
DRAWN = [*product(CHOICES["shuffle"], CHOICES["bull_reading"])]


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("shuffle", "bull_reading"), DRAWN)
def test_chances_agree_with_a_million_fights(
    shuffle: str, bull_reading: str, record_property: Callable[[str, object], None]
) -> None:
    """The rules on the bull's points do not change which cards are drawn, so three rule sets
    share the fights.
    """
    sets = [
        Rules.from_options(
            {"shuffle": shuffle, "bull_reading": bull_reading, "bull_points": bull_points}
        )
        for bull_points in CHOICES["bull_points"]
    ]
    cards = {rules: CARDS if rules == Rules() else OTHER_CARDS for rules in sets}
    readings = {
        rules: Readings([card.ranges() for card in (*cards[rules], *UNUSUAL)]) for rules in sets
    }
    for seen in recorded(DECK, sets[0], MILLION, seed_of(f"million {shuffle} {bull_reading}")):
        for rules, reading in readings.items():
            reading.add(*fights_of([seen], DECK, rules.bull_points))
    for rules, reading in readings.items():
        counts = sample_scores(DECK, rules, SAMPLE, seed_of("sample"))
        usual, unusual = errors(cards[rules], counts, reading), errors(UNUSUAL, counts, reading)
        record_property(f"{rules.bull_points}, {len(cards[rules])} bundled cards", usual)
        record_property(f"{rules.bull_points}, unusual cards", unusual)
        assert largest_promised(usual) <= 0.4
        assert largest_promised(unusual) <= 0.6
