"""What stands between a season and its winter."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from corridas.models import Corrida, Run, Season

_State = Corrida.State


@dataclass(frozen=True, kw_only=True)
class Left:
    """What of a season is not over yet.

    `failed`: corridas that broke down though their carteles hung; those for which nobody could be
    found are past and stand in no one's way.
    """

    waiting: int
    on_the_sand: int
    at_tables: int
    failed: int
    running: bool

    @property
    def going_on(self) -> bool:
        """Whether something is still to be played or told."""
        return bool(self.waiting or self.on_the_sand or self.at_tables or self.running)


def left(season: Season) -> Left:
    """What of a season is not over yet; two queries."""
    broke = Q(state=_State.FAILED, cartel__isnull=False)
    counts = Corrida.objects.filter(season=season).aggregate(
        waiting=Count("pk", filter=Q(state=_State.ANNOUNCED)),
        on_the_sand=Count("pk", filter=Q(state__in=(_State.QUEUED, _State.ON_AIR))),
        at_tables=Count("pk", filter=Q(state=_State.AT_TABLE)),
        failed=Count("pk", filter=broke),
    )
    running = Run.objects.filter(season=season, state__in=Run.ACTIVE).exists()
    return Left(**counts, running=running)
