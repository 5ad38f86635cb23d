"""Decisions to print all cards again, and the winter, at the same time."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from corridas.errors import OperationError
from corridas.models import Circuit, Winter
from corridas.roster.new_cards import print_new_cards
from corridas.season.operations import open_next_season
from corridas.simulation import verify
from corridas.simulation.schedule import promise_winter
from fairness import Seed
from tests.corridas.simulation import world
from tests.databases import opened
from tests.scratch import at_once


@pytest.mark.slow
def test_decisions_and_the_winter_at_once_leave_one_consistent_circuit(shared: str) -> None:
    """Whichever comes first: the cards are new exactly if the decision came before the winter."""
    with opened(shared):
        keeper = User.objects.create_superuser("keeper")
        circuit = world.calm().circuit
        Circuit.objects.filter(pk=circuit.pk).update(cards_version=2)
        Winter.objects.filter(season__circuit=circuit).delete()
        promise_winter(world.calm(), Seed.fresh())
        world.play_season(world.calm())

    def attempt(deed: Any) -> Any:
        def work() -> object:
            try:
                return deed()
            except OperationError as error:
                return str(error)

        return work

    at_once(
        shared,
        attempt(lambda: print_new_cards(circuit=circuit, by=keeper, at=world.NOW)),
        attempt(lambda: open_next_season(circuit=circuit, at=world.NOW, year=world.YEAR)),
        attempt(lambda: print_new_cards(circuit=circuit, by=keeper, at=world.NOW)),
    )
    with opened(shared):
        winter = Winter.objects.get(season__circuit=circuit, season__year=world.YEAR)
        following = Winter.objects.get(season__circuit=circuit, season__year=world.YEAR + 1)
        version = Circuit.objects.get(pk=circuit.pk).cards_version
        assert winter.done_at is not None
        assert version == following.version == (3 if winter.new_cards_at else 2)
        assert verify.check_winter(winter) == ()
        assert winter.new_cards_at is None or following.new_cards_at is None
