"""The plazas that are offered to a promoter."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Max

from corridas.models import Corrida, Plaza, Season
from corridas.simulation.pars import pars_of
from corridas.world import box_office
from corridas.world.box_office import OfferedPlaza, Pars, Ring, Step, UsualDay
from corridas.world.gates import closing_day
from empresas.models import Concession, Promoter
from fairness import Seed


@dataclass(frozen=True, kw_only=True)
class Days:
    """A feria of a plaza that can still be signed for, and the day of its closing."""

    corridas: Sequence[Corrida]
    closes_on: dt.date


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A plaza that somebody may take, with what it costs and what is in the till.

    `canon` is in whole per cent of a full house, `cash` in duros.
    """

    plaza: Plaza
    ring: Ring
    ferias: Sequence[Days]
    canon: int
    cash: int

    @property
    def afternoons(self) -> int:
        return sum(len(feria.corridas) for feria in self.ferias)


def today(season: Season) -> dt.date | None:
    """Return the day of a season: that of its last posted corrida, None in winter."""
    over = Corrida.objects.filter(season=season).over()
    last: dt.date | None = over.aggregate(last=Max("date"))["last"]
    return last


def offers(season: Season, promoter: Promoter) -> list[Offer]:
    """Return up to three plazas that a promoter may take for a season, in the order of drawing.

    `promoter` need not be stored. Once the season has begun, only plazas of the third category are
    offered, with the ferias that have not closed. There are none without pars. Four queries.
    """
    pars, day = pars_of(season), today(season)
    plazas = {plaza.slug: plaza for plaza in Plaza.objects.filter(circuit=season.circuit_id)}
    ferias = _ferias(season, day)
    told = {slug: _told(plazas[slug], ferias[slug]) for slug in ferias}
    taken = Concession.objects.filter(plaza__circuit=season.circuit_id, last_year=None)
    held = set(taken.values_list("plaza__slug", flat=True))
    free = [
        each
        for slug, each in told.items()
        if slug not in held and each.category in pars and (day is None or each.category == 3)
    ]
    reached = box_office.step_reached(promoter.reputation) if day is None else Step.THIRD
    drawn = box_office.offers(
        free,
        box_office.steps(told.values()),
        reached,
        Seed(bytes(season.seed)),
        str(promoter.user_id),
    )
    return [_offer(plazas[slug], ferias[slug], pars, season) for slug in drawn]


def _ferias(season: Season, day: dt.date | None) -> dict[str, list[Days]]:
    """Return the ferias of a season whose closing is ahead, by plaza.

    A corrida outside ferias is a feria of one day.
    """
    rows = Corrida.objects.filter(season=season, state=Corrida.State.ANNOUNCED)
    by_feria: dict[tuple[str, int], list[Corrida]] = defaultdict(list)
    for corrida in rows.select_related("plaza", "season__circuit", "feria").order_by("date", "pk"):
        by_feria[corrida.plaza.slug, corrida.feria_id or -corrida.pk].append(corrida)
    found: dict[str, list[Days]] = defaultdict(list)
    for (slug, _feria), corridas in by_feria.items():
        closes_on = closing_day(corridas[0].date, dt.date.min)
        if day is None or closes_on > day:
            found[slug].append(Days(corridas=corridas, closes_on=closes_on))
    return found


def _told(plaza: Plaza, ferias: Iterable[Days]) -> OfferedPlaza:
    ring = Ring.of(plaza.category, plaza.seats)
    afternoons = sum(len(feria.corridas) for feria in ferias)
    return OfferedPlaza(plaza.slug, ring.category, ring.seats, afternoons)


def _offer(plaza: Plaza, ferias: Sequence[Days], pars: dict[int, Pars], season: Season) -> Offer:
    ring = Ring.of(plaza.category, plaza.seats)
    days = usual_days(plaza, ring, season)
    afternoons = sum(len(feria.corridas) for feria in ferias)
    return Offer(
        plaza=plaza,
        ring=ring,
        ferias=ferias,
        canon=box_office.canon(days, pars[ring.category]),
        cash=box_office.starting_cash(ring.full_house * afternoons),
    )


def usual_days(plaza: Plaza, ring: Ring, season: Season) -> list[UsualDay]:
    """Return the usual houses of all corridas of a plaza in a season. One query."""
    rows = Corrida.objects.filter(season=season, plaza=plaza).order_by("date", "pk")
    dated: list[tuple[dt.date, int | None]] = list(rows.values_list("date", "feria_id"))
    lengths: dict[int | None, int] = defaultdict(int)
    for _, feria in dated:
        lengths[feria] += 1
    return [
        box_office.usual_day(ring, date, lengths[feria] if feria is not None else 1)
        for date, feria in dated
    ]
