"""A small circuit of a user's own: two afternoons a year."""

from __future__ import annotations

import datetime as dt
from typing import Any

from accounts.models import User
from corridas.circuits import operations as asked
from corridas.models import Circuit, Run
from corridas.season.operations import Goal, prepare_run
from tests.corridas.simulation.world import BRIEF, run_on

NOW = dt.datetime(2026, 11, 2, 18, tzinfo=dt.UTC)
Roster = Circuit.Roster


def founded(
    by: User, name: str = "Circuito del Barrio", *, at: dt.datetime = NOW, **parts: Any
) -> Circuit:
    """A circuit of the legends, by default; `parts` are those of a `Founding`."""
    given = {"year": 2027, "calendar": BRIEF, **parts}
    founding = asked.Founding(name=name, **given)
    return asked.found_circuit(founding=founding, by=by, at=at)


def fought(circuit: Circuit) -> None:
    """One afternoon of the circuit, played and posted."""
    run = prepare_run(season=circuit.seasons.get(), goal=Goal(corridas=1), at=NOW)
    assert run_on(run).state == Run.State.DONE
