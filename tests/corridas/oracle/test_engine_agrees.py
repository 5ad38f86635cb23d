"""The engine and the second implementation agree on every figure of every corrida and rule set."""

from __future__ import annotations

import pytest
from hypothesis import given

from corridas.engine import play_corrida, replay_corrida
from fairness import Seed
from tests.corridas.oracle.cases import ALL_RULES, rule_sets, seeds, sorteos
from tests.corridas.oracle.worlds import (
    World,
    agree_under,
    check_both,
    many_rules,
    slow,
    some_rules,
    worlds,
)


@pytest.mark.slow
@some_rules
@given(worlds, seeds)
def test_engine_and_oracle_agree_under_every_rule_set(world: World, seed: Seed) -> None:
    for options in ALL_RULES:
        agree_under(world, options, seed)


@pytest.mark.nightly
@many_rules
@given(worlds, seeds)
def test_engine_and_oracle_agree_on_many_corridas(world: World, seed: Seed) -> None:
    for options in ALL_RULES:
        agree_under(world, options, seed)


@pytest.mark.slow
@slow
@given(worlds, seeds, rule_sets)
def test_replayed_corrida_equals_the_played_one(
    world: World, seed: Seed, options: dict[str, str]
) -> None:
    setup = world.setup(options)
    record = play_corrida(setup, seed)
    again = replay_corrida(setup, record.sorteo, [lidia.draws for lidia in record.lidias])
    assert again == record


@pytest.mark.slow
@slow
@given(worlds, seeds, rule_sets, sorteos)
def test_engine_and_oracle_agree_if_the_lot_assigns_bulls_to_other_turns(
    world: World, seed: Seed, options: dict[str, str], sorteo: tuple[int, ...]
) -> None:
    record = play_corrida(world.setup(options), seed)
    assert check_both(world, options, sorteo, [list(lidia.draws) for lidia in record.lidias])
