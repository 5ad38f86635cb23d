"""What the office has to know on entering: what waits, what is on air, what went wrong."""

from __future__ import annotations

from dataclasses import dataclass

from corridas.models import Corrida, Run

MOST = 20
"""Rows of a kind that the first page of the office lists."""


@dataclass(frozen=True, kw_only=True)
class Today:
    """Corridas by how far they have come, without a word about results, and runs of seasons."""

    queued: list[Corrida]
    on_air: list[Corrida]
    failed: list[Corrida]
    runs: list[Run]


def today() -> Today:
    """The afternoons the office watches, the first `MOST` of each kind; four queries."""
    return Today(
        queued=_in_state(Corrida.State.QUEUED),
        on_air=_in_state(Corrida.State.ON_AIR),
        failed=_in_state(Corrida.State.FAILED),
        runs=_runs(),
    )


def _in_state(state: Corrida.State) -> list[Corrida]:
    rows = Corrida.objects.filter(state=state).select_related("plaza", "season__circuit")
    return list(rows.order_by("date", "pk")[:MOST])


def _runs() -> list[Run]:
    """Runs that go on, and those that broke down and were not followed by another."""
    states = (*Run.ACTIVE, Run.State.FAILED)
    rows = Run.objects.filter(state__in=states).select_related("season__circuit")
    return list(rows.order_by("-asked_at")[:MOST])
