"""The winter: what a season left, played once from the seed promised for it, and written."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import F

from corridas.models import Circuit, Season, Winter
from corridas.queries.winter import Left, left
from corridas.simulation.contracting import Fresh
from corridas.simulation.planning import calendar_of, plan


class NotOverError(RuntimeError):
    """The season is still going on, or its circuit rests; `left` says what is in the way."""

    def __init__(self, season: Season, found: Left) -> None:
        self.left = found
        super().__init__(f"{season} is not over: {found}")


@transaction.atomic
def winter_over(
    season: Season, *, at: dt.datetime, fresh: Fresh, leave_failed: bool = False
) -> Season:
    """Play the winter after a season, once, and plan the next; returns that.

    Where it has been played already nothing is done. `leave_failed`: corridas that broke down are
    left as they are. Raises `NotOverError` where something of the season is still to come.
    """
    circuit = Circuit.objects.select_for_update().select_related("deck").get(pk=season.circuit_id)
    found = left(season)
    if found.going_on or (found.failed and not leave_failed) or circuit.frozen_at:
        raise NotOverError(season, found)
    claimed = Winter.objects.filter(season=season, done_at=None).update(done_at=at)
    if claimed:
        Season.objects.filter(pk=season.pk).update(posted_version=F("posted_version") + 1)
    return _next(circuit, season.year + 1, fresh)


def _next(circuit: Circuit, year: int, fresh: Fresh) -> Season:
    """The season of a year, planned where it is not yet."""
    known = circuit.seasons.filter(year=year).select_related("circuit__deck").first()
    return known or plan(circuit, year, calendar_of(circuit), seed=fresh(), winter=fresh())
