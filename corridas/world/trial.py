"""A card on trial: many lidias played for their shares, none of them a result (Ruling F-3)."""

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

VERDICTS = (*CROWD_RANGES, *TROPHY_RANGES, "three_avisos")
"""What a lidia can come to, from the crowd's worst up; the third aviso leaves no number."""
BESIDES = ("vuelta", "aviso", "indulto")
"""What it may have brought besides; an aviso counts once a lidia."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Where the trial is held: rule set, deck, and the rating of the plaza, 1 to 3."""

    rules: Rules
    deck: Deck
    plaza_rating: int


@dataclass(frozen=True)
class Trial:
    """How often each verdict came in so many lidias."""

    lidias: int
    counts: Mapping[str, int]

    def share(self, name: str) -> float:
        """The part of the lidias that brought this, 0 to 1."""
        return self.counts.get(name, 0) / self.lidias if self.lidias else 0.0


def try_card(card: MatadorCard, setting: Setting, lidias: int, seed: Seed) -> Trial:
    """So many lidias with one card: three of that card make every cartel."""
    return _count([_trio([card])], setting, lidias, seed)


def try_roster(cards: Sequence[MatadorCard], setting: Setting, lidias: int, seed: Seed) -> Trial:
    """So many lidias with every card of a roster about as often as any other.

    Raises `ValueError` where there is no card.
    """
    if not cards:
        raise ValueError("a roster on trial has one card or more")
    trios = [_trio(cards[place : place + MATADORS]) for place in range(0, len(cards), MATADORS)]
    return _count(trios, setting, lidias, seed)


def _trio(cards: Sequence[MatadorCard]) -> tuple[MatadorCard, ...]:
    """Three cards with names of their own, some of them twice where there are fewer."""
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
    """Results of lidias that were fought to an end, corrida after corrida."""
    for corrida in range(2 * (lidias // BULLS + 1)):  # as good as every lidia has an end
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
    """The names of all that a lidia came to."""
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
