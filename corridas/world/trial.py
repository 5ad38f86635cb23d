"""Simulates many lidias with a card for their statistics; no results (Ruling F-3)."""

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

# The outcomes of a lidia, from the crowd's worst up; the third aviso leaves no number.
VERDICTS = (*CROWD_RANGES, *TROPHY_RANGES, "three_avisos")
# Further outcomes; an aviso counts once per lidia.
BESIDES = ("vuelta", "aviso", "indulto")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The setting of a trial: rule set, deck, and the rating of the plaza, 1 to 3."""

    rules: Rules
    deck: Deck
    plaza_rating: int


@dataclass(frozen=True)
class Trial:
    """The number of each outcome in so many lidias."""

    lidias: int
    counts: Mapping[str, int]

    def share(self, name: str) -> float:
        """Return the share of lidias with this outcome, 0 to 1."""
        return self.counts.get(name, 0) / self.lidias if self.lidias else 0.0


def try_card(card: MatadorCard, setting: Setting, lidias: int, seed: Seed) -> Trial:
    """Simulate lidias with one card: every cartel consists of three copies of it."""
    return _count([_trio([card])], setting, lidias, seed)


def try_roster(cards: Sequence[MatadorCard], setting: Setting, lidias: int, seed: Seed) -> Trial:
    """Simulate lidias with every card of a roster about equally often.

    Raise `ValueError` without a card.
    """
    if not cards:
        raise ValueError("a roster on trial has one card or more")
    trios = [_trio(cards[place : place + MATADORS]) for place in range(0, len(cards), MATADORS)]
    return _count(trios, setting, lidias, seed)


def _trio(cards: Sequence[MatadorCard]) -> tuple[MatadorCard, ...]:
    """Return three cards with distinct names, repeated where there are fewer."""
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
    """Yield results of lidias that were not broken off, corrida after corrida."""
    for corrida in range(2 * (lidias // BULLS + 1)):  # nearly every lidia has an end
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
