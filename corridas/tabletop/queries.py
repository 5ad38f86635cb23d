"""Queries on corridas at real tables: how many count, and how well they could be checked."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count

from api.types import JSONObject
from corridas.circuit_queries import SHIPPED, may_be_seen
from corridas.engine import CorridaSetup, cartel_json
from corridas.models import Circuit, Corrida, Lidia, Matador, Plaza, Puesto, Season, TableCorrida

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


def cartel_on_sheet(circuit: Circuit, setup: CorridaSetup) -> list[JSONObject]:
    """Return the cartel for a new scoresheet: its cards in the order of appearance.

    A card gets a key if another matador of the circuit has the same name (Ruling I-14). The stake
    of a corrida only needs keys if both are on the same cartel, but a sheet is matched to the
    matadors of the whole circuit.
    """
    names = [card.name for card in setup.order]
    same = Matador.objects.filter(circuit=circuit, name__in=names).order_by()
    bearers = dict(same.values_list("name").annotate(Count("pk")))
    return [
        {**written, "key": card.key} if bearers.get(card.name, 0) > 1 else written
        for card, written in zip(setup.order, cartel_json(setup.order), strict=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTables:
    """Numbers of corridas at real tables in a season, by how well they could be checked.

    The keys are values of `TableCorrida.Evidence`. `corridas` counts each corrida once. `matadors`
    counts it for each of its three matadors, by key.
    """

    corridas: Counter[str]
    matadors: dict[int, Counter[str]]


def verified(season: Season, categories: Iterable[int], until: dt.date | None = None) -> AtTables:
    """Count the corridas of a season that were played at real tables; one query.

    Only plazas of these categories count, and with `until` only corridas up to that day.
    """
    rows = TableCorrida.objects.filter(
        corrida__season=season, corrida__plaza__category__in=list(categories)
    ).exclude(filed_at=None)
    if until is not None:
        rows = rows.filter(corrida__date__lte=until)
    rows_read = rows.values_list("corrida", "evidence", "corrida__cartel__puestos__matador")
    matadors: dict[int, Counter[str]] = defaultdict(Counter)
    evidence_by_corrida: dict[int, str] = {}
    for corrida, evidence, matador in rows_read:
        evidence_by_corrida[corrida] = evidence
        matadors[matador][evidence] += 1
    return AtTables(corridas=Counter(evidence_by_corrida.values()), matadors=dict(matadors))


def years_at_tables(matador: Matador, until: dt.date | None = None) -> dict[int, int]:
    """Count a matador's corridas at real tables by year, up to a day; one query."""
    rows = Puesto.objects.filter(
        matador=matador,
        cartel__corrida__origin=Corrida.Origin.TABLE,
        cartel__corrida__state__in=Corrida.OVER,
    )
    if until:
        rows = rows.filter(date__lte=until)
    counted = rows.values("cartel__corrida__season__year").annotate(count=Count("pk")).order_by()
    return dict(counted.values_list("cartel__corrida__season__year", "count"))


def waiting_at_tables(season: Season) -> list[TableCorrida]:
    """Return the corridas of a season at real tables without a result; three queries.

    The earliest deadline comes first.
    """
    rows = TableCorrida.objects.filter(
        corrida__season=season, corrida__state=Corrida.State.AT_TABLE, filed_at=None
    )
    listed = rows.select_related("match", "corrida__plaza").order_by("deadline", "pk")
    return list(listed.prefetch_related("match__seats__player"))


def evidence_of(corridas: Iterable[int]) -> dict[int, TableCorrida]:
    """Return the `TableCorrida` row of each of these corridas that was played at a real table
    and has a result, with one query.

    Their matches are loaded too.
    """
    rows = TableCorrida.objects.filter(corrida__in=list(corridas), filed_at__isnull=False)
    return {
        table.corrida_id: table
        for table in rows.select_related("match__entered_by", "match__confirmed_by")
        if table.corrida_id is not None
    }


def has_cards(corrida: Corrida) -> bool:
    if corrida.origin == Corrida.Origin.HERE:
        return True
    lidias = Lidia.objects.filter(corrida=corrida)
    return lidias.exists() and not lidias.filter(draws=b"").exists()


def plaza_called(
    name: str, rating: int, *, deck: str | None, by: User | AnonymousUser
) -> Plaza | None:
    """Return the plaza of a scoresheet in a circuit that its author may see; two queries.

    A sheet does not name the circuit, and many circuits have the same plazas. A circuit with the
    deck of the sheet is preferred, then the shipped circuit, then the oldest one. Return None if no
    plaza fits.
    """
    circuits = Circuit.objects.filter(may_be_seen(by), archived_at=None).values("pk")
    rows = Plaza.objects.filter(circuit__in=circuits, name=name, category=rating, archived_at=None)
    candidates = rows.values_list("pk", "circuit__deck__digest", "circuit__slug")
    best = min(
        candidates, key=lambda row: (row[1] != deck, row[2] != SHIPPED, row[0]), default=None
    )
    return None if best is None else Plaza.objects.get(pk=best[0])
