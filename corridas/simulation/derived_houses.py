"""Recalculates the houses of a season and the moods of its towns, to check the stored ones."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from typing import Final, NamedTuple

from django.db import transaction

from corridas.models import Corrida, Season
from corridas.simulation.houses import (
    HouseRow,
    Turnout,
    posted_afternoon,
    remembered,
    share_of,
    write_houses,
)
from corridas.simulation.pars import pars_of
from corridas.simulation.rows import played_corridas
from corridas.simulation.towns import Town
from corridas.world.box_office import Pars
from corridas.world.deeds import PlayedCorrida

_BEGINS, _POSTED = 0, 1
_COLUMNS: Final = ("pk", "on_air_at", "posted_at", "house", "mood", "turnout")


class _Stored(NamedTuple):
    pk: int
    on_air_at: dt.datetime | None
    posted_at: dt.datetime
    house: int | None
    mood: int | None
    turnout: Turnout | None


def rebuild_houses(season: Season, *, write_rows: bool) -> list[str]:
    """Recalculate the houses and moods of a season. Return the differences as text.

    What a house was calculated from (`Turnout`) is not recalculated: a season's figures of that day
    are gone. With `write_rows` the stored columns are corrected, in one transaction.
    """
    pars = pars_of(season)
    if not pars:
        return []
    with transaction.atomic():
        Season.objects.select_for_update().get(pk=season.pk)
        over = Corrida.objects.over().filter(season=season)
        stored = {row[0]: _Stored(*row) for row in over.values_list(*_COLUMNS)}
        calculated = _calculated(season, pars, stored)
        differing = [
            f"corrida {row.pk}, {name}: stored {before}, calculated {after}"
            for row in calculated
            for name, before, after in (
                ("house", stored[row.pk].house, row.house),
                ("mood", stored[row.pk].mood, row.mood),
            )
            if before != after
        ]
        if write_rows and differing:
            write_houses(calculated)
    return differing


def _calculated(
    season: Season, pars: dict[int, Pars], stored: dict[int, _Stored]
) -> list[HouseRow]:
    """Let the towns see the corridas again, in the order in which they began and were posted."""
    played = played_corridas(Corrida.objects.filter(pk__in=list(stored)))
    towns: dict[str, Town] = defaultdict(Town)
    for plaza, afternoon in remembered(season, None, list(stored)):
        towns[plaza].add(afternoon)
    houses: dict[int, int] = {}
    found = []
    for moment, corrida in _moments(played, stored):
        town, turnout = towns[corrida.plaza], stored[corrida.pk].turnout
        par = pars.get(turnout["category"]) if turnout else None
        if moment == _BEGINS:
            if turnout and par:
                houses[corrida.pk] = share_of(turnout, corrida, corrida.matadors, town, par)
            continue
        afternoon = posted_afternoon(corrida, town, turnout, par)
        town.add(afternoon)
        if turnout and afternoon.mood is not None:
            row = HouseRow(houses[corrida.pk], afternoon.mood, turnout, corrida.pk)
            found.append(row)
    return found


def _moments(
    played: list[PlayedCorrida], stored: dict[int, _Stored]
) -> list[tuple[int, PlayedCorrida]]:
    """Return beginnings and postings in their order.

    Corridas of a run begin and are posted one after the other, all with the same time.
    """
    moments = []
    for corrida in played:
        row = stored[corrida.pk]
        day = (corrida.date, corrida.pk)
        moments.append((row.on_air_at or row.posted_at, day, _BEGINS, corrida))
        moments.append((row.posted_at, day, _POSTED, corrida))
    return [(kind, corrida) for _, _, kind, corrida in sorted(moments, key=lambda each: each[:3])]
