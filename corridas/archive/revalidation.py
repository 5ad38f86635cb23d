"""Corridas and winters for the nightly job and the command that replay stored results.

A corrida of a real table has no seed. It is replayed from its cards if all of them were entered.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from actas.revalidation import RevalidationItem, RevalidationSource, register_source
from corridas.engine import ENGINE_VERSION
from corridas.models import Corrida, Lidia, Winter
from corridas.simulation import verify
from corridas.simulation.rows import replay
from fairness import CommitmentDifference

if TYPE_CHECKING:
    from django.db.models import QuerySet

# Number of corridas read together. Each is released from memory as soon as it has been checked.
CHUNK = 100


def register_revalidation() -> None:
    register_source(
        RevalidationSource(
            kind="corridas",
            engine=ENGINE_VERSION,
            count=lambda since: _corridas(since).count(),
            items=_items_of_corridas,
        )
    )
    register_source(
        RevalidationSource(
            kind="winters",
            engine=ENGINE_VERSION,
            count=lambda since: _winters(since).count(),
            items=_items_of_winters,
        )
    )


def _corridas(since: dt.date | None) -> QuerySet[Corrida]:
    over = Corrida.objects.over().filter(season__circuit__incomplete=False)
    return over if since is None else over.filter(posted_at__date__gte=since)


def _items_of_corridas(since: dt.date | None, after: int) -> Iterator[RevalidationItem]:
    about = ("season", "plaza", "cartel__deck")
    while True:
        rows = _corridas(since).filter(pk__gt=after).order_by("pk").select_related(*about)
        chunk = list(rows[:CHUNK])
        for corrida in chunk:
            yield RevalidationItem(corrida.pk, str(corrida), partial(_check, corrida))
        if len(chunk) < CHUNK:
            return
        after = chunk[-1].pk


def _check(corrida: Corrida) -> tuple[CommitmentDifference, ...]:
    if corrida.origin == Corrida.Origin.HERE:
        return verify.check(corrida)
    rows = list(corrida.lidias.order_by("turn"))
    if not all(bytes(row.draws) for row in rows):
        return ()
    record = replay(corrida)
    return tuple(
        CommitmentDifference(f"lidia/{row.turn}", _stored_result(row), actual)
        for row, lidia in zip(rows, record.lidias, strict=False)
        for result in [lidia.result]
        for actual in [(result.ending.value, result.score, result.number, result.avisos)]
        if _stored_result(row) != actual
    )


def _stored_result(row: Lidia) -> tuple[object, ...]:
    return (row.ending, row.score, row.number, row.avisos)


def _winters(since: dt.date | None) -> QuerySet[Winter]:
    over = Winter.objects.filter(done_at__isnull=False, season__circuit__incomplete=False)
    return over if since is None else over.filter(done_at__date__gte=since)


def _items_of_winters(since: dt.date | None, after: int) -> Iterator[RevalidationItem]:
    keys = _winters(since).filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)
    for key in list(keys):
        winter = Winter.objects.select_related("season__circuit").get(pk=key)
        yield RevalidationItem(key, str(winter), partial(verify.check_winter, winter))


def promised_corridas(year: int | None) -> tuple[int, Iterator[RevalidationItem]]:
    """Return how many corridas were simulated on this site, and an iterator over them.

    `year` limits them to one year.
    """
    rows = _corridas(None).filter(origin=Corrida.Origin.HERE)
    if year:
        rows = rows.filter(season__year=year)
    played = rows.select_related("season", "plaza", "cartel__deck")
    return rows.count(), (
        RevalidationItem(corrida.pk, str(corrida), partial(verify.check, corrida))
        for corrida in played
    )


def promised_winters(circuit: str | None) -> tuple[int, Iterator[RevalidationItem]]:
    """Return how many winters are finished, and an iterator over them, sorted by year.

    `circuit` limits them to the circuit with this slug.
    """
    rows = _winters(None).order_by("season__year", "pk").select_related("season__circuit")
    if circuit:
        rows = rows.filter(season__circuit__slug=circuit)
    keys = list(rows.values_list("pk", flat=True))
    return len(keys), (
        RevalidationItem(winter.pk, str(winter.season), partial(verify.check_winter, winter))
        for winter in (rows.get(pk=key) for key in keys)
    )
