"""Corridas without a matador: the fights depend on the deck and the rules alone."""

from __future__ import annotations

from hashlib import sha256
from itertools import islice

import pytest

from corridas.engine import (
    DECK_SIZE,
    CorridaSetup,
    Ending,
    InjuryRead,
    Rules,
    corridas_without_matador,
    play_corrida,
)
from corridas.world.roster import load_deck
from fairness import Seed
from tests.corridas.engine.ring import deck, matador

SEED = Seed(bytes(range(32)))
SHIPPED = load_deck()
# Three matadors whose cards spare no bull and bring no aviso.
BLANKS = tuple(matador(name, aviso="-", indulto="-") for name in "ABC")
WOUNDING = deck(*(f"{number}{copy} 1s=BULL bull=HERIDA" for number in range(10) for copy in "abc"))


@pytest.mark.parametrize("shuffle", ["each_bull", "when_exhausted"])
def test_fights_are_those_of_blank_cards_if_nobody_is_injured(shuffle: str) -> None:
    rules = Rules.from_options({"shuffle": shuffle})
    setup = CorridaSetup(rules=rules, deck=SHIPPED, plaza_rating=1, matadors=BLANKS)
    for number, lidias in enumerate(islice(corridas_without_matador(rules, SHIPPED, SEED), 8)):
        seed = Seed(sha256(SEED.value + number.to_bytes(4)).digest())
        played = play_corrida(setup, seed)
        if not any(lidia.result.injured for lidia in played.lidias):
            assert [lidia.draws for lidia in lidias] == [lidia.draws for lidia in played.lidias]
            assert [points(lidia.result) for lidia in lidias] == [
                points(lidia.result) for lidia in played.lidias
            ]


def points(result: object) -> tuple[object, ...]:
    names = ("ending", "matador_points", "bull_points", "kill_points", "avisos", "score", "number")
    return tuple(getattr(result, name) for name in names)


def test_injuries_have_no_effect() -> None:
    corridas = islice(corridas_without_matador(Rules(), WOUNDING, SEED), 5)
    lidias = [lidia for corrida in corridas for lidia in corrida]
    injuries = [event for one in lidias for event in one.events if isinstance(event, InjuryRead)]
    assert sum(event.hurt for event in injuries) > 3
    assert {lidia.result.ending for lidia in lidias} == {Ending.KILLED}
    assert {lidia.result.injured for lidia in lidias} == {()}


def test_i_3_deck_that_is_used_up_lasts_for_the_whole_corrida() -> None:
    rules = Rules(shuffle="when_exhausted")
    for lidias in islice(corridas_without_matador(rules, SHIPPED, SEED), 3):
        draws = b"".join(lidia.draws for lidia in lidias)
        whole = len(draws) - len(draws) % DECK_SIZE
        for start in range(0, whole, DECK_SIZE):
            assert len(set(draws[start : start + DECK_SIZE])) == DECK_SIZE
