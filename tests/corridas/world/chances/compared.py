"""Compares the chances of cards with cards read off played fights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from itertools import chain, islice
from typing import Any

from corridas.engine import Deck, MatadorCard, Rules, corridas_without_matador
from corridas.world.chances import Outcomes, ScoreCounts, chances, outcomes
from corridas.world.roster import load_cards, load_deck
from fairness import Seed
from tests.corridas.world.chances.reader import Fight, Readings, fight

DECK = load_deck()
CARDS = tuple(load_cards().values())
CATEGORIES = (1, 2, 3)
# Figures for which the chances promise a largest error.
PROMISED = ("ear", "two_ears", "lap")


def seed_of(name: str) -> Seed:
    return Seed(sha256(name.encode()).digest())


def card(**printed: str) -> MatadorCard:
    """Return a card with these ranges; the others are empty."""
    names = (*(field for field in asdict(CARDS[0]) if field in CARDS[0].ranges()),)
    return MatadorCard.parse("A", 75, None, {**dict.fromkeys(names, "-"), **printed})


# Cards that no matador has: each is extreme in one range.
UNUSUAL = (
    card(oreja="1-90", dos_orejas="91-100", vuelta="30-60", aviso="93-100", indulto="99-100"),
    card(dos_orejas="1-97", rabo="98-100", vuelta="30-60", aviso="93-100", indulto="99-100"),
    card(silencio="1-49", oreja="50-80", dos_orejas="81-100", vuelta="30-60", aviso="30-45"),
    card(
        silencio="1-49", oreja="50-80", dos_orejas="81-100", vuelta="30-60", aviso="93-100",
        indulto="91-100",
    ),
    card(bronca="1-49", oreja="50-80", dos_orejas="81-100", aviso="93-100", indulto="99-100"),
)  # fmt: skip


def recorded(deck: Deck, rules: Rules, fights: int, seed: Seed) -> Iterable[tuple[int, int, bytes]]:
    """Yield the points of matador and bull before the kill, and the cards drawn."""
    lidias = chain.from_iterable(corridas_without_matador(rules, deck, seed))
    for lidia in islice(lidias, fights):
        yield lidia.result.matador_points, lidia.result.bull_points, lidia.draws


def fights_of(
    records: Iterable[tuple[int, int, bytes]], deck: Deck, bull_points: str
) -> Iterable[Fight]:
    numbers = [card.number for card in deck.cards]
    kills = [card.kill.modifier for card in deck.cards]
    for points, bull, draws in records:
        yield fight(points, bull, draws, numbers, kills, bull_points)


def promised(shares: Mapping[str, float]) -> dict[str, float]:
    """Return the figures of `Chances` from shares that were read."""
    two_ears = shares.get("dos_orejas", 0) + shares.get("rabo", 0)
    ear = shares.get("oreja", 0) + two_ears
    return {"ear": ear, "two_ears": two_ears, "lap": shares.get("vuelta", 0)}


def errors(
    cards: Sequence[MatadorCard], counts: ScoreCounts, readings: Readings
) -> dict[str, float]:
    """Return the largest error of each figure over all cards and categories, in percentage
    points.
    """
    largest: dict[str, float] = {}
    for one in cards:
        for category in CATEGORIES:
            read = readings.shares(one.ranges(), category)
            shares: dict[str, Any] = asdict(outcomes(one, category, counts))
            shown: dict[str, Any] = asdict(chances(one, category, counts))
            pairs = [(name, share, read.get(name, 0.0)) for name, share in shares.items()]
            pairs += [(name, shown[name], share) for name, share in promised(read).items()]
            for name, calculated, found in pairs:
                largest[name] = max(largest.get(name, 0.0), 100 * abs(calculated - found))
    return largest


def largest_promised(found: Mapping[str, float]) -> float:
    return max(found[name] for name in PROMISED)


def total(shares: Outcomes) -> float:
    """Return the sum of the outcomes of which each fight has exactly one."""
    names = (
        "oreja", "dos_orejas", "rabo", "bronca", "pitos", "silencio", "division", "aplausos",
        "ovacion", "three_avisos",
    )  # fmt: skip
    return float(sum(getattr(shares, name) for name in names))
