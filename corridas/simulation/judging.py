"""Awards as rows: those of a feria when its last corrida is posted, a season's when its last is."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from json import dumps
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Exists, OuterRef

from corridas.models import Award, Corrida, Feria, Matador, Season
from corridas.simulation.crediting import afternoons_of
from corridas.simulation.insertion import insert
from corridas.world.awards import SEASON_BULLS, Prize, new, prizes
from corridas.world.deeds import Afternoon

if TYPE_CHECKING:
    from django.db.models import QuerySet

Told = Mapping[int, Afternoon]
"""Afternoons known already, by the keys of their corridas."""


def is_closed(season: Season) -> bool:
    """Whether the awards of a season have been given: its last corrida was posted."""
    return Award.objects.filter(season=season, feria=None).exists()


def award_ferias(
    season: Season, ferias: Iterable[int], *, pending: Collection[str], told: Told
) -> None:
    """Give the awards of those of these ferias in which no corrida waits any more."""
    waits = Corrida.objects.filter(feria=OuterRef("pk"), state__in=pending)
    over = Feria.objects.filter(pk__in=list(ferias)).exclude(Exists(waits))
    keys = list(over.order_by("pk").values_list("pk", flat=True))
    if not keys:
        return
    held = Corrida.objects.filter(feria__in=keys)
    by_feria: dict[int | None, list[Afternoon]] = defaultdict(list)
    feria_of = dict(held.values_list("pk", "feria_id"))
    for afternoon in _afternoons(held, told):
        by_feria[feria_of[afternoon.corrida]].append(afternoon)
    known = newcomers(season)
    Award.objects.filter(feria__in=keys).delete()
    _write(season, [(feria, _judged(season, by_feria[feria], known)) for feria in keys])


def award_season(season: Season, *, told: Told) -> None:
    """Give the awards of a whole season."""
    afternoons = _afternoons(Corrida.objects.filter(season=season), told)
    Award.objects.filter(season=season, feria=None).delete()
    given = _judged(season, afternoons, newcomers(season), least_bulls=SEASON_BULLS)
    _write(season, [(None, given)])


def _afternoons(held: QuerySet[Corrida], told: Told) -> list[Afternoon]:
    """Those of these corridas that are over; read are only those not told already."""
    keys = held.over().values_list("pk", flat=True)  # type: ignore[attr-defined]
    read = afternoons_of(Corrida.objects.filter(pk__in=[key for key in keys if key not in told]))
    return [*read, *(told[key] for key in keys if key in told)]


def _judged(
    season: Season,
    afternoons: Sequence[Afternoon],
    known: dict[int, dt.date | None],
    *,
    least_bulls: int = 1,
) -> list[Prize]:
    appeared = {matador for one in afternoons for matador in one.announced}
    fresh = new(season.year, known, sorted(appeared))
    return prizes(afternoons, fresh, least_bulls=least_bulls)


def newcomers(season: Season) -> dict[int, dt.date | None]:
    """Every matador's alternativa, which tells who is new; one query."""
    rows = Matador.objects.filter(circuit=season.circuit_id)
    return dict(rows.values_list("pk", "alternativa"))


class Given(NamedTuple):
    """The columns of an award, in the words of `models.Award`."""

    season_id: int
    feria_id: int | None
    key: str
    score: int
    detail: str
    matador_id: int | None
    ganaderia_id: int | None
    bull_id: int | None
    corrida_id: int | None
    turn: int | None


def _write(season: Season, given: Iterable[tuple[int | None, Sequence[Prize]]]) -> None:
    rows = [
        Given(season.pk, feria, prize.key, prize.score, dumps(prize.detail()), *prize[3:])
        for feria, prizes_of in given
        for prize in prizes_of
    ]
    insert(Award, rows)
