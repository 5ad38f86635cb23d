"""A corrida promised, played, made public and checked by anybody (Rulings F-1 and F-2)."""

from __future__ import annotations

from typing import Any

from corridas.engine import CorridaRecord, CorridaSetup, play_corrida
from fairness import Seed, commitment, verify
from tests.corridas.engine.ring import setup, three

SEED = Seed(bytes(range(32)))
SETUP = setup("0a 1s=LANCE+", "3a kill=MEDIA_-6", matadors=three({"aviso": "30-40"}))


def stake(given: CorridaSetup) -> dict[str, Any]:
    """All that the outcome depends on, beside the seed."""
    return {
        "rules": given.rules.options(),
        "plaza": given.plaza_rating,
        "deck": str(given.deck),
        "cards": [[card.name, card.rating, card.ranges()] for card in given.order],
    }


def outcomes(record: CorridaRecord) -> dict[str, object]:
    """What is published afterwards."""
    draws = {f"lidia/{lidia.turn + 1}": lidia.draws.hex() for lidia in record.lidias}
    return {"sorteo": list(record.sorteo), **draws}


def check(given: CorridaSetup, published: dict[str, object]) -> list[str]:
    """The names of what is not as promised, for somebody who has the seed now."""
    found = verify(
        promised=commitment(SEED.value, stake(SETUP)),
        seed=SEED.value,
        stake=stake(given),
        claimed=published,
        derived=outcomes(play_corrida(given, SEED)),
    )
    return [difference.name for difference in found]


def test_f_2_an_honest_corrida() -> None:
    assert check(SETUP, outcomes(play_corrida(SETUP, SEED))) == []


def test_f_2_a_lidia_told_otherwise() -> None:
    told = outcomes(play_corrida(SETUP, SEED))
    swapped = {**told, "lidia/2": told["lidia/3"], "lidia/3": told["lidia/2"]}
    assert check(SETUP, swapped) == ["lidia/2", "lidia/3"]


def test_f_2_a_card_reprinted_after_the_promise() -> None:
    reprinted = setup("0a 1s=LANCE+", "3a kill=MEDIA_-6", matadors=three({"aviso": "30-41"}))
    assert check(reprinted, outcomes(play_corrida(reprinted, SEED))) == ["commitment"]


def test_f_2_a_lidia_left_out() -> None:
    told = outcomes(play_corrida(SETUP, SEED))
    del told["lidia/6"]
    assert check(SETUP, told) == ["lidia/6"]


def test_f_1_a_lidia_can_be_run_again_alone() -> None:
    # Its cards come from its own label: the deck of the sixth is known without the first five.
    sixth = play_corrida(SETUP, SEED).lidias[5]
    again = SEED.chance("lidia/6").shuffled(range(70))
    assert bytes(again).startswith(sixth.draws[:70])
