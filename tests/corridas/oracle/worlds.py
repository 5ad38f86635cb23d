"""Run the engine and the second implementation of the rules on the same corrida."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from corridas.engine import (
    CorridaRecord,
    CorridaSetup,
    ImpossibleDraw,
    play_corrida,
    replay_corrida,
)
from fairness import Seed
from tests.corridas.oracle.account import misread, stand_alone
from tests.corridas.oracle.cases import cuadrillas, decks, plaza_ratings
from tests.corridas.oracle.paper import CardText, Contradiction, MatadorText
from tests.corridas.oracle.sheet import Sheet, work_out_corrida
from tests.corridas.oracle.translation import engine_setup, engine_sheets
from tests.properties import examples

# Shrinking an example of seventy cards takes minutes and hardly makes it smaller.
UNSHRUNK = [Phase.explicit, Phase.reuse, Phase.generate]
slow = settings(deadline=None, suppress_health_check=list(HealthCheck), phases=UNSHRUNK)
# Number of examples of twelve corridas each. An example takes a third of a second.
some_rules = settings(slow, max_examples=12)
many_rules = settings(slow, max_examples=examples(100))  # for slow tests
few = settings(slow, max_examples=examples(5))


class World(NamedTuple):
    """The deck, the matadors and the plaza rating of a corrida, as plain data."""

    pack: list[CardText]
    matadors: list[MatadorText]
    plaza_rating: int

    def setup(self, options: dict[str, str]) -> CorridaSetup:
        """Return the engine's setup of this corrida."""
        return engine_setup(self.pack, self.matadors, self.plaza_rating, options)

    def oracle(
        self, options: dict[str, str], sorteo: Sequence[int], draws: Sequence[Sequence[int]]
    ) -> Sheet:
        """Return the second implementation's score sheets.

        Raise `Contradiction` for an impossible card.
        """
        return work_out_corrida(
            deck=self.pack, matadors=self.matadors, plaza_rating=self.plaza_rating,
            options=options, sorteo=sorteo, draws=draws,
        )  # fmt: skip


worlds = st.builds(World, decks(), cuadrillas(), plaza_ratings)


def worded(sheet: Sheet) -> Sheet:
    """Return a score sheet without the signs of entries, which the engine's events do not
    repeat.
    """
    purposes = [p.replace("+ ", "").replace("- ", "") for p in sheet["purposes"]]
    return {**sheet, "purposes": purposes}


def assert_agree(world: World, record: CorridaRecord, sheets: Sheet) -> None:
    """Check that all figures of all lidias (fights) are equal, and that every event
    agrees with its card.
    """
    assert engine_sheets(record) == [worded(sheet) for sheet in sheets["lidias"]]
    assert record.suspended == sheets["suspended"]
    for lidia in record.lidias:
        assert stand_alone(lidia) == []
        assert misread(lidia, world.pack) == []


def agree_under(world: World, options: dict[str, str], seed: Seed) -> None:
    """Play a corrida under one rule set, and check that engine and second implementation agree.

    All figures and the order of appearance are compared.
    """
    setup = world.setup(options)
    record = play_corrida(setup, seed)
    sheets = world.oracle(options, record.sorteo, [list(li.draws) for li in record.lidias])
    assert_agree(world, record, sheets)
    ordered = [(card["name"], card.get("key", "")) for card in sheets["order"]]
    assert [(card.name, card.key) for card in setup.order] == ordered


def engine_answer(
    setup: CorridaSetup, sorteo: Sequence[int], draws: list[list[int]]
) -> tuple[int, int] | CorridaRecord:
    """Return the engine's record of a replay, or the lidia and card at which it is rejected."""
    try:
        return replay_corrida(setup, sorteo, [bytes(cards) for cards in draws])
    except ImpossibleDraw as refusal:
        return refusal.lidia, refusal.position


def oracle_answer(
    world: World, options: dict[str, str], sorteo: Sequence[int], draws: list[list[int]]
) -> tuple[int, int] | Sheet:
    """Return the score sheets, or the lidia and card at which the second implementation rejects
    them.
    """
    try:
        return world.oracle(options, sorteo, draws)
    except Contradiction as refusal:
        return refusal.lidia, refusal.position


def check_both(
    world: World, options: dict[str, str], sorteo: Sequence[int], draws: list[list[int]]
) -> bool:
    """Check that engine and second implementation agree on a corrida; return whether they accept
    it.

    They must reject it at the same card, or accept it with equal figures.
    """
    engine = engine_answer(world.setup(options), sorteo, draws)
    oracle = oracle_answer(world, options, sorteo, draws)
    if isinstance(engine, CorridaRecord) and isinstance(oracle, dict):
        assert_agree(world, engine, oracle)
        return True
    assert engine == oracle
    return False
