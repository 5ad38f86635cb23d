"""Stopping all that moves in a circuit, where it is at; what is on air is shown to its end."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from corridas.models import Circuit, Corrida, Run


@transaction.atomic
def halt(circuit: Circuit, *, at: dt.datetime) -> None:
    """Call off runs and what waits for the sand; a run under way stops after its corridas."""
    runs = Run.objects.filter(season__circuit=circuit)
    runs.filter(state=Run.State.QUEUED).update(
        state=Run.State.STOPPED, reason="asked", ended_at=at, stop_requested=True
    )
    runs.filter(state=Run.State.RUNNING).update(stop_requested=True)
    queued = Corrida.objects.filter(season__circuit=circuit, state=Corrida.State.QUEUED)
    queued.update(state=Corrida.State.ANNOUNCED, pace_ms=None, queued_at=None)
