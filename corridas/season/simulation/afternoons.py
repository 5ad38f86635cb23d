"""Finished corridas in the form that the record book reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from corridas.models import Corrida, Lidia, Puesto
from corridas.season.simulation.insertion import LidiaRow
from corridas.world.deeds import Afternoon, Bout

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from corridas.season.simulation.rows import Played


class Bill(NamedTuple):
    pk: int
    plaza: str
    feria: str | None
    feria_key: int | None
    herd: str
    herd_key: int


def bills(corridas: Iterable[int] | QuerySet[Corrida, Any]) -> dict[int, Bill]:
    """Return the bills of corridas by key. `corridas` may be a query. One query."""
    rows = Corrida.objects.filter(pk__in=corridas).values_list(
        "pk",
        "plaza__slug",
        "feria__slug",
        "feria_id",
        "cartel__ganaderia__slug",
        "cartel__ganaderia_id",
    )
    return {row[0]: Bill(*row) for row in rows}


def afternoon_of(played: Played, bill: Bill) -> Afternoon:
    return Afternoon(
        corrida=bill.pk,
        date=played.afternoon.date,
        plaza=bill.plaza,
        feria=bill.feria or "",
        herd=bill.herd,
        herd_key=bill.herd_key,
        announced=tuple(place.matador_id for place in played.places),
        bouts=tuple(_bout(lidia) for lidia in played.lidias),
    )


def _bout(lidia: LidiaRow) -> Bout:
    return Bout(
        lidia.turn,
        lidia.bull_id,
        lidia.finisher_id,
        lidia.ending,
        lidia.matador_points,
        lidia.bull_points,
        lidia.avisos,
        lidia.score,
        lidia.number,
        lidia.trophy or 0,
        bool(lidia.vuelta),
    )


_BOUT = (
    "corrida_id",
    "turn",
    "bull_id",
    "finisher_id",
    "ending",
    "matador_points",
    "bull_points",
    "avisos",
    "score",
    "number",
    "trophy",
    "vuelta",
)


def afternoons_of(corridas: QuerySet[Corrida]) -> list[Afternoon]:
    """Return finished corridas by date in the form that the record book reads. Four queries."""
    over: Any = corridas.over()  # type: ignore[attr-defined]
    days = dict(over.order_by("date", "pk").values_list("pk", "date"))
    keys = over.order_by().values("pk")
    told, men, bouts = bills(keys), _announced(keys), _bouts(keys)
    return [
        Afternoon(
            corrida=key,
            date=day,
            plaza=told[key].plaza,
            feria=told[key].feria or "",
            herd=told[key].herd,
            herd_key=told[key].herd_key,
            announced=tuple(men[key]),
            bouts=tuple(bouts[key]),
        )
        for key, day in days.items()
    ]


def _announced(corridas: QuerySet[Corrida, Any]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    rows = Puesto.objects.filter(cartel__in=corridas).order_by("cartel_id", "order")
    for cartel, matador in rows.values_list("cartel_id", "matador_id"):
        found[cartel].append(matador)
    return found


def _bouts(corridas: QuerySet[Corrida, Any]) -> dict[int, list[Bout]]:
    found: dict[int, list[Bout]] = defaultdict(list)
    rows = Lidia.objects.filter(corrida__in=corridas).order_by("corrida_id", "turn")
    told: Any = rows.values_list(*_BOUT)
    for corrida, *columns, trophy, vuelta in told:
        found[corrida].append(Bout._make((*columns, trophy or 0, bool(vuelta))))
    return found
