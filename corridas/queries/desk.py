"""What lies on the director's desk: the run that goes on, and what is left of the season."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from corridas.models import Corrida, Run, Season


@dataclass(frozen=True, kw_only=True)
class Progress:
    """A run with what is left of it: corridas, and time where that can be told."""

    run: Run
    left: int
    remaining: timedelta | None

    @property
    def seconds(self) -> int | None:
        """Seconds still to go, rounded up; None before the first corrida is done."""
        return None if self.remaining is None else int(self.remaining.total_seconds()) + 1


def latest_run(season: Season, at: datetime) -> Progress | None:
    """The run asked for last, None where there was none; one query."""
    run = Run.objects.filter(season=season).select_related("last__plaza").first()
    if run is None:
        return None
    left = max(0, run.total - run.done)
    remaining = None
    if run.active and run.done:
        remaining = (at - run.asked_at) / run.done * left
    return Progress(run=run, left=left, remaining=remaining)


def waiting(season: Season) -> int:
    """Corridas of a season that nobody has begun; one query."""
    return Corrida.objects.to_come().filter(season=season).count()


def failed(season: Season) -> list[Corrida]:
    """Corridas that could not be played, with the error shown to who asked; one query."""
    rows = Corrida.objects.filter(season=season, state=Corrida.State.FAILED)
    return list(rows.select_related("plaza").order_by("date", "pk"))
