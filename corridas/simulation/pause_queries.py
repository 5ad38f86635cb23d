"""Queries for the pauses between two seasons. The rules of pauses are in `world.pauses`."""

from __future__ import annotations

import datetime as dt

from django.db.models import Max

from corridas.models import Corrida, Run, Season, Winter
from corridas.world.pauses import Pause, SeasonEnd, before_carteles, before_winter


def season_end(season: Season) -> SeasonEnd | None:
    """Return when a season with nothing left to play ended, and by whose command. Three queries.

    A season without any played corrida ended with the winter before it. Returns None if there is no
    such winter.
    """
    played = Corrida.objects.filter(season=season).aggregate(
        posted=Max("posted_at"), queued=Max("queued_at")
    )
    run = Run.objects.filter(season=season, ended_at__isnull=False).order_by("-ended_at").first()
    winters = Winter.objects.filter(
        season__circuit=season.circuit_id, season__year__in=(season.year - 1, season.year)
    )
    by_year = {winter.season.year: winter for winter in winters.select_related("season")}
    instants = (played["posted"], played["queued"], run.ended_at if run else None)
    known = [instant for instant in instants if instant is not None]
    if not known:
        before = by_year.get(season.year - 1)
        return SeasonEnd(before.done_at) if before and before.done_at else None
    at, own = max(known), by_year.get(season.year)
    # Seasons of the first versions may have no winter, so there is no `end_seen_at`.
    if own is None or run is None or run.ended_at != at:
        return SeasonEnd(at)
    return SeasonEnd(at, run.asked_by_id, own.end_seen_at)


def pause_before_winter(season: Season) -> Pause | None:
    """Return the pause between a season and its winter, or None if there is nothing to wait for."""
    end = season_end(season)
    return None if end is None else before_winter(end)


def pause_before_carteles(season: Season) -> Pause | None:
    """Return the pause before the first contracts of a season, or None if the season has begun.

    A season has begun if one of its corridas has been played or queued. Two queries at most.
    """
    winter = (
        Winter.objects.filter(
            season__circuit=season.circuit_id, season__year=season.year - 1, done_at__isnull=False
        )
        .only("done_at", "begun_at")
        .first()
    )
    if winter is None or winter.done_at is None:
        return None
    begun = (Corrida.State.QUEUED, Corrida.State.ON_AIR, *Corrida.OVER)
    if Corrida.objects.filter(season=season, state__in=begun).exists():
        return None
    return before_carteles(winter.done_at, winter.begun_at)


def may_begin_winter(season: Season, at: dt.datetime) -> bool:
    """Return whether a circuit that is simulated automatically may play the winter after a
    season.
    """
    pause = pause_before_winter(season)
    return pause is None or pause.is_over(at)


def may_contract(season: Season, at: dt.datetime) -> bool:
    """Return whether a circuit that is simulated automatically may contract matadors for a
    season.
    """
    pause = pause_before_carteles(season)
    return pause is None or pause.is_over(at)
