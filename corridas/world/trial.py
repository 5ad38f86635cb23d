"""Simulates many lidias (fights with one bull) to show the statistics of a matador's card.

The simulated results do not count (Ruling F-3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice

from corridas.engine import (
    BULLS,
    CROWD_RANGES,
    MATADORS,
    TROPHY_RANGES,
    CorridaSetup,
    Deck,
    Ending,
    LidiaResult,
    MatadorCard,
    Rules,
    play_corrida,
)
from fairness import Seed

# Outcomes of a lidia, from the crowd's worst verdict to the best trophy, and the stop by the third
# aviso (time warning).
VERDICTS = (*CROWD_RANGES, *TROPHY_RANGES, "three_avisos")
# Outcomes that can occur in addition. Several avisos in one lidia count once.
BESIDES = ("vuelta", "aviso", "indulto")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The conditions of a trial: rule set, deck, and plaza category (1 to 3)."""

    rules: Rules
    deck: Deck
    plaza_rating: int


@dataclass(frozen=True)
class Trial:
    """The number of lidias (fights with one bull) in a trial, and the count of each outcome."""

    lidias: int
    counts: Mapping[str, int]

    def share(self, name: str) -> float:
        """Return the fraction of lidias with this outcome, from 0 to 1."""
        return self.counts.get(name, 0) / self.lidias if self.lidias else 0.0


def try_card(card: MatadorCard, setting: Setting, lidias: int, seed: Seed) -> Trial:
    """Simulate lidias with one matador's card. All three matadors of each corrida use it."""
    return _count([_trio([card])], setting, lidias, seed)


def try_roster(cards: Sequence[MatadorCard], setting: Setting, lidias: int, seed: Seed) -> Trial:
    """Simulate lidias with every card of a roster about equally often.

    Raises `ValueError` if there are no cards.
    """
    if not cards:
        raise ValueError("a roster on trial has one card or more")
    trios = [_trio(cards[place : place + MATADORS]) for place in range(0, len(cards), MATADORS)]
    return _count(trios, setting, lidias, seed)


def _trio(cards: Sequence[MatadorCard]) -> tuple[MatadorCard, ...]:
    """Return three cards with different names. Cards are repeated if there are fewer than three."""
    chosen = [cards[place % len(cards)] for place in range(MATADORS)]
    return tuple(replace(card, name=f"{card.name} {place}") for place, card in enumerate(chosen))


def _count(
    trios: Sequence[tuple[MatadorCard, ...]], setting: Setting, lidias: int, seed: Seed
) -> Trial:
    counts: Counter[str] = Counter()
    fought = 0
    for result in islice(_results(trios, setting, seed, lidias), lidias):
        fought += 1
        counts.update(_brought(result))
    return Trial(fought, dict(counts))


def _results(
    trios: Sequence[tuple[MatadorCard, ...]], setting: Setting, seed: Seed, lidias: int
) -> Iterator[LidiaResult]:
    """Yield the results of lidias, corrida by corrida.

    Lidias that no matador was able to finish are left out.
    """
    for corrida in range(2 * (lidias // BULLS + 1)):  # some lidias are broken off
        setup = CorridaSetup(
            rules=setting.rules,
            deck=setting.deck,
            plaza_rating=setting.plaza_rating,
            matadors=trios[corrida % len(trios)],
        )
        record = play_corrida(setup, _seed_of(seed, corrida))
        yield from (
            lidia.result for lidia in record.lidias if lidia.result.ending is not Ending.BROKEN_OFF
        )


def _seed_of(seed: Seed, corrida: int) -> Seed:
    return Seed(sha256(seed.value + corrida.to_bytes(4)).digest())


def _brought(result: LidiaResult) -> Iterator[str]:
    if result.ending is Ending.THREE_AVISOS:
        yield "three_avisos"
    elif result.trophy:
        yield TROPHY_RANGES[result.trophy - 1]
    elif result.crowd:
        yield CROWD_RANGES[result.crowd - 1]
    if result.vuelta:
        yield "vuelta"
    if result.avisos:
        yield "aviso"
    if result.ending is Ending.SPARED:
        yield "indulto"
