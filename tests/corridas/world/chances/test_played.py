"""The chances agree with fights that the engine played."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import islice
from math import sqrt
from typing import Any

import pytest

from corridas.engine import (
    CHOICES,
    CorridaSetup,
    Ending,
    LidiaResult,
    MatadorCard,
    Rules,
    corridas_without_matador,
    play_corrida,
)
from corridas.world.chances import ScoreCounts, chances, sample_scores
from corridas.world.trial import Setting, try_card
from fairness import Seed
from tests.corridas.world.chances.compared import (
    CARDS,
    CATEGORIES,
    DECK,
    UNUSUAL,
    errors,
    fights_of,
    largest_promised,
    promised,
    recorded,
    seed_of,
)
from tests.corridas.world.chances.reader import TROPHIES, VERDICTS, Readings, end, parsed, read

RULE_SETS = [
    Rules(bull_reading=bull_reading, bull_points=bull_points)  # type: ignore[arg-type]
    for bull_reading in CHOICES["bull_reading"]
    for bull_points in CHOICES["bull_points"]
]


def test_same_seed_gives_the_same_counts() -> None:
    counts = sample_scores(DECK, Rules(), 60, seed_of("same"))
    assert counts == sample_scores(DECK, Rules(), 60, seed_of("same"))
    assert counts != sample_scores(DECK, Rules(), 60, seed_of("other"))


def test_only_whole_corridas_are_counted() -> None:
    assert (
        sample_scores(DECK, Rules(shuffle="when_exhausted"), 7, Seed(bytes(32))).killed.total == 12
    )


def test_i_11_counts_include_the_points_of_the_bull_if_the_rules_say_so() -> None:
    fights = [
        LidiaResult(Ending.KILLED, 0, 0, (), matador_points=20, bull_points=4, kill_points=-6),
        LidiaResult(Ending.KILLED, 0, 0, (), matador_points=20, bull_points=0, kill_points=-6),
    ]
    read = {
        points: ScoreCounts.count(fights, Rules(bull_points=points))  # type: ignore[arg-type]
        for points in CHOICES["bull_points"]
    }
    scores = {
        points: (dict(counts.killed.items()), dict(counts.spared.items()))
        for points, counts in read.items()
    }
    assert scores["separate"] == ({14: 2}, {20: 1})
    assert scores["against"] == ({10: 1, 11: 0, 12: 0, 13: 0, 14: 1}, {16: 1})
    assert scores["for"] == ({14: 1, 15: 0, 16: 0, 17: 0, 18: 1}, {24: 1})
    assert {counts.sparable for counts in read.values()} == {0.5}


def brought(result: LidiaResult) -> set[str]:
    """Return the names of what a fight of the engine brought, as the slow reader names them."""
    names = {"aviso"} if result.avisos else set()
    if result.ending is Ending.THREE_AVISOS:
        return names | {"three_avisos"}
    if result.ending is Ending.SPARED:
        names.add("indulto")
    if result.trophy:
        names.add(TROPHIES[result.trophy - 1])
    if result.crowd:
        names.add(VERDICTS[result.crowd - 1])
    if result.vuelta:
        names |= {"vuelta"} if result.trophy else {"vuelta", "vuelta_without_ear"}
    return names


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: str(rules.options()))
def test_slow_reader_reads_what_the_engine_plays(rules: Rules) -> None:
    """The engine plays the same shuffled decks with the cards of three matadors."""
    seed, compared = seed_of(f"reader {rules}"), 0
    corridas = islice(corridas_without_matador(rules, DECK, seed), 100)
    for number, lidias in enumerate(corridas):
        three = [(*CARDS, *UNUSUAL)[(3 * number + place) % 55] for place in range(3)]
        cards = order(three)
        setup = CorridaSetup(
            rules=rules, deck=DECK, plaza_rating=1 + number % 3, matadors=tuple(cards)
        )
        played = play_corrida(setup, Seed(sha256(seed.value + number.to_bytes(4)).digest()))
        if any(lidia.result.injured for lidia in played.lidias):
            continue
        records = [(one.result.matador_points, one.result.bull_points, one.draws) for one in lidias]
        for seen, lidia in zip(
            fights_of(records, DECK, rules.bull_points), played.lidias, strict=True
        ):
            ranges = parsed(setup.order[lidia.turn % 3].ranges())
            ended = end(seen, ranges["aviso"], ranges["indulto"])
            assert read(ended, ranges, setup.plaza_rating) == brought(lidia.result)
            compared += 1
    assert compared > 500


def order(cards: Sequence[MatadorCard]) -> list[MatadorCard]:
    """Give three cards different names, as the unusual cards all have the same."""
    return [
        MatadorCard.from_json({**one.to_json(), "name": f"{one.name} {place}"})
        for place, one in enumerate(cards)
    ]


def test_chances_are_near_some_fights() -> None:
    """A quick check of three cards; the others are tested in `make slow` and `make nightly`."""
    counts = sample_scores(DECK, Rules(), 1_200, seed_of("quick sample"))
    readings = Readings([one.ranges() for one in CARDS[:3]])
    for seen in fights_of(
        recorded(DECK, Rules(), 1_200, seed_of("quick")), DECK, Rules().bull_points
    ):
        readings.add(seen)
    assert largest_promised(errors(CARDS[:3], counts, readings)) < 6


@pytest.mark.slow
def test_chances_are_near_the_fights_of_every_bundled_card() -> None:
    """With 600 fights a card, an ear has a standard error of at most 2.1 percentage points."""
    counts = sample_scores(DECK, Rules(), 60_000, seed_of("every sample"))
    off: list[float] = []
    for number, one in enumerate(CARDS):
        for category in CATEGORIES:
            setting = Setting(rules=Rules(), deck=DECK, plaza_rating=category)
            trial = try_card(one, setting, 600, seed_of(f"every {number} {category}"))
            shown: dict[str, Any] = {
                name: getattr(chances(one, category, counts), name)
                for name in ("ear", "two_ears", "lap")
            }
            found = promised({name: trial.share(name) for name in (*TROPHIES, "vuelta")})
            for name, chance in shown.items():
                error = sqrt(chance * (1 - chance) / trial.lidias)
                off.append((found[name] - chance) / error if error else 0.0)
    assert max(map(abs, off)) < 5
    # Too many or too few ears on average would be an error of the formula.
    assert abs(sum(off) / len(off)) < 0.25
    assert sum(map(abs, off)) / len(off) == pytest.approx(0.8, abs=0.1)


@pytest.mark.nightly
@pytest.mark.slow
def test_chances_are_near_fights_read_by_every_bundled_card() -> None:
    counts = sample_scores(DECK, Rules(), 12_000, seed_of("read sample"))
    readings = Readings([one.ranges() for one in CARDS])
    for seen in fights_of(
        recorded(DECK, Rules(), 12_000, seed_of("read")), DECK, Rules().bull_points
    ):
        readings.add(seen)
    assert largest_promised(errors(CARDS, counts, readings)) < 2
