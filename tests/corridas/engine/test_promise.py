"""A published corrida can be checked against the commitment published before it (F-1, F-2)."""

from __future__ import annotations

from typing import Any

from corridas.engine import CorridaRecord, CorridaSetup, play_corrida
from fairness import Seed, commitment, verify
from tests.corridas.engine.ring import setup, three

SEED = Seed(bytes(range(32)))
SETUP = setup("0a 1s=LANCE+", "3a kill=MEDIA_-6", matadors=three({"aviso": "30-40"}))


def stake(given: CorridaSetup) -> dict[str, Any]:
    """Return everything except the seed that the outcome depends on: rules, plaza, deck, matador
    cards.
    """
    return {
        "rules": given.rules.options(),
        "plaza": given.plaza_rating,
        "deck": str(given.deck),
        "cards": [[card.name, card.rating, card.ranges()] for card in given.order],
    }


def outcomes(record: CorridaRecord) -> dict[str, object]:
    """Return what is published after the corrida: the lot of the bulls and the cards drawn."""
    draws = {f"lidia/{lidia.turn + 1}": lidia.draws.hex() for lidia in record.lidias}
    return {"sorteo": list(record.sorteo), **draws}


def check(given: CorridaSetup, published: dict[str, object]) -> list[str]:
    """Return the names of published figures that differ from the commitment or from the seed."""
    found = verify(
        promised=commitment(SEED.value, stake(SETUP)),
        seed=SEED.value,
        stake=stake(given),
        claimed=published,
        derived=outcomes(play_corrida(given, SEED)),
    )
    return [difference.name for difference in found]


def test_f_2_unchanged_corrida_verifies() -> None:
    assert check(SETUP, outcomes(play_corrida(SETUP, SEED))) == []


def test_f_2_two_lidias_swapped_after_the_corrida_are_detected() -> None:
    told = outcomes(play_corrida(SETUP, SEED))
    swapped = {**told, "lidia/2": told["lidia/3"], "lidia/3": told["lidia/2"]}
    assert check(SETUP, swapped) == ["lidia/2", "lidia/3"]


def test_f_2_matador_card_changed_after_the_commitment_is_detected() -> None:
    reprinted = setup("0a 1s=LANCE+", "3a kill=MEDIA_-6", matadors=three({"aviso": "30-41"}))
    assert check(reprinted, outcomes(play_corrida(reprinted, SEED))) == ["commitment"]


def test_f_2_lidia_missing_from_the_published_corrida_is_detected() -> None:
    told = outcomes(play_corrida(SETUP, SEED))
    del told["lidia/6"]
    assert check(SETUP, told) == ["lidia/6"]


def test_f_1_cards_of_one_lidia_follow_from_the_seed_and_its_label() -> None:
    # The label of a deck contains the number of its lidia, so the sixth deck can be computed
    # without the first five.
    sixth = play_corrida(SETUP, SEED).lidias[5]
    again = SEED.chance("lidia/6").shuffled(range(70))
    assert bytes(again).startswith(sixth.draws[:70])
