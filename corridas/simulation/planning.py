"""A season's calendar as rows: ferias and corridas that have a date but no cartel yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from django.db import transaction
from django.utils.text import slugify

from corridas.models import Circuit, Corrida, Feria, Plaza, Season
from corridas.world.calendar import Entry, PlannedCorrida, dates
from fairness import Seed, commitment

SHORTEST_FERIA = 2
_Place = tuple[str, str]


@transaction.atomic
def plan(circuit: Circuit, year: int, entries: Iterable[Entry], *, seed: Seed) -> Season:
    """Write a season of a circuit; `CalendarError` where a date makes no sense."""
    planned = dates(entries, year)
    plazas = {plaza.slug: plaza for plaza in circuit.plazas.all()}
    season = Season.objects.create(
        circuit=circuit,
        year=year,
        rules=circuit.engine_rules().options(),
        seed=seed.value,
        commitment=commitment(seed.value, {"circuit": circuit.slug, "year": year}),
    )
    ferias = _plan_ferias(season, planned, plazas)
    Corrida.objects.bulk_create(
        Corrida(
            season=season,
            feria=ferias.get((corrida.feria, corrida.plaza)),
            plaza=plazas[corrida.plaza],
            date=corrida.date,
        )
        for corrida in planned
    )
    return season


def _plan_ferias(
    season: Season, planned: Sequence[PlannedCorrida], plazas: dict[str, Plaza]
) -> dict[_Place, Feria]:
    """A feria is what has a name and more than one corrida; single dates are none."""

    def place(corrida: PlannedCorrida) -> _Place:
        return (corrida.feria, corrida.plaza)

    grouped = groupby(sorted(planned, key=place), key=place)
    runs = {key: [corrida.date for corrida in corridas] for key, corridas in grouped}
    ferias = Feria.objects.bulk_create(
        Feria(
            season=season,
            plaza=plazas[plaza],
            name=name,
            slug=slugify(f"{name}-{plaza}"),
            starts=min(days),
            ends=max(days),
        )
        for (name, plaza), days in runs.items()
        if len(days) >= SHORTEST_FERIA
    )
    return {(feria.name, feria.plaza.slug): feria for feria in ferias}
