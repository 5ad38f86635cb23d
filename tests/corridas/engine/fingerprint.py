"""Print one digest of the results of many corridas: `python -m tests.corridas.engine.fingerprint`.

Other Python versions run this module to show that they compute the same results. Therefore it only
imports the standard library, the engine, and the decks and matador cards in `tests/playthroughs`.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations, product

from corridas.engine import CHOICES, CorridaSetup, Rules, fill, first_cards, play_corrida
from corridas.engine import write_lidia as write
from fairness import Chance, Seed, canonical, commitment
from tests.playthroughs.playthrough import deck_named, matadors_kept

DECKS = ("deck.txt", "deck-fierce.txt")


def setups() -> Iterator[CorridaSetup]:
    """Yield a setup for each combination of rules and deck, with changing matadors and plaza
    ratings.
    """
    cartels = list(combinations(matadors_kept().values(), 3))
    decks = [deck_named(name) for name in DECKS]
    for number, (values, deck) in enumerate(product(product(*CHOICES.values()), decks)):
        yield CorridaSetup(
            rules=Rules.from_options(dict(zip(CHOICES, values, strict=True))),
            deck=deck,
            plaza_rating=number % 3 + 1,
            matadors=cartels[number * 7 % len(cartels)],
        )


def afternoons() -> Iterator[str]:
    """Yield the records, score sheets and log lines of five corridas for each setup, as text.

    Bytes and text are written as `repr` does. A float, or a set without an order, would change the
    digest.
    """
    for setup in setups():
        for number in range(5):
            record = play_corrida(setup, Seed(sha256(bytes([number])).digest()))
            yield repr(record)
            yield repr([card.name for card in setup.order])
            for lidia in record.lidias:
                half = first_cards(lidia.events, len(lidia.draws) // 2)
                yield write(lidia.events) + repr(fill(half, lidia.result.starter))


def chances() -> Iterator[str]:
    """Yield random numbers, picks, shuffles and commitments of fifty seeds, as text."""
    for number in range(50):
        chance = Chance(sha256(bytes([number])).digest(), f"event/{number}")
        stake = {"ñ": number, "b": [True, None, 1.5], "a": {"y": 1, "x": 2}}
        yield repr([chance.below(3 + number**3), chance.weighted([number, 2, 3])])
        yield repr([chance.pick("abcdef"), chance.shuffled(range(300)), chance.roll()])
        yield repr([canonical(stake), commitment(bytes(32), stake)])


def fingerprint() -> str:
    """Return the SHA-256 digest of all corridas and random numbers above, in hexadecimal."""
    total = sha256()
    for text in (*afternoons(), *chances()):
        total.update(text.encode() + b"\n")
    return total.hexdigest()


if __name__ == "__main__":
    print(fingerprint())  # noqa: T201
