"""Functions that create a small circuit of a user, with two corridas a year."""

from __future__ import annotations

import datetime as dt
from typing import Any

from accounts.models import User
from corridas.circuits import copy_job
from corridas.circuits import operations as asked
from corridas.circuits.copying import request_copy
from corridas.models import Circuit, CircuitCopy, Run
from corridas.season.operations import Goal, prepare_run
from fairness import Seed
from tests.corridas.simulation.world import BRIEF, run_on

NOW = dt.datetime(2026, 11, 2, 18, tzinfo=dt.UTC)
Roster = Circuit.Roster


def founded(
    by: User, name: str = "Circuito del Barrio", *, at: dt.datetime = NOW, **parts: Any
) -> Circuit:
    """Create a circuit with the shipped roster by default;

    `parts` are other arguments of `Founding`.
    """
    given = {"year": 2027, "calendar": BRIEF, **parts}
    founding = asked.Founding(name=name, **given)
    return asked.found_circuit(founding=founding, by=by, at=at)


def fought(circuit: Circuit) -> None:
    """Play and post one corrida of the circuit."""
    run = prepare_run(season=circuit.seasons.get(), goal=Goal(corridas=1), at=NOW)
    assert run_on(run).state == Run.State.DONE


def made(job: CircuitCopy) -> CircuitCopy:
    """Run the copy job as a worker does, and return it."""
    copy_job.make_copy(job.pk, clock=lambda: NOW, fresh=Seed.fresh)
    return CircuitCopy.objects.select_related("circuit").get(pk=job.pk)


def copied(circuit: Circuit, by: User) -> Circuit:
    """Return a complete copy of the circuit."""
    job = made(request_copy(circuit=circuit, by=by, at=NOW))
    assert job.circuit is not None
    return job.circuit
