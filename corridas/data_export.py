"""The part of a user's data export that contains circuits, corridas and rosters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q

from accounts.data_export import registry as export_registry
from accounts.data_export.registry import ExportFiles, ExportTable
from corridas.models import (
    Bundle,
    Change,
    Circuit,
    CircuitCopy,
    Follow,
    Matador,
    Run,
    TableCorrida,
    Watched,
)
from corridas.roster.exchange.export import Form, export_roster
from leagues.models import MatchSeat

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from accounts.models import User

# The size of an export is estimated in rows. A matador counts as this many rows, because his cards
# and fights are exported with him.
PRINTINGS = 20


def register_exports() -> None:
    export_registry.register_tables(
        ExportTable(
            name="circuits/circuits",
            model=Circuit,
            rows=lambda user: Circuit.objects.filter(Q(owner=user) | Q(offered_to=user)),
        ),
        ExportTable(
            name="circuits/runs", model=Run, rows=lambda user: Run.objects.filter(asked_by=user)
        ),
        ExportTable(
            name="history/rosters", model=Change, rows=lambda user: Change.objects.filter(by=user)
        ),
        ExportTable(
            name="circuits/bundles",
            model=Bundle,
            rows=lambda user: Bundle.objects.filter(asked_by=user),
        ),
        ExportTable(
            name="circuits/copies",
            model=CircuitCopy,
            rows=lambda user: CircuitCopy.objects.filter(asked_by=user),
        ),
        ExportTable(name="tables/corridas", model=TableCorrida, rows=_table_corridas),
        ExportTable(
            name="following", model=Follow, rows=lambda user: Follow.objects.filter(user=user)
        ),
        ExportTable(
            name="watched", model=Watched, rows=lambda user: Watched.objects.filter(user=user)
        ),
        ExportFiles(each=_rosters, weigh=_weight),
    )


def _table_corridas(user: User) -> QuerySet[Any]:
    own = Q(player__user=user) | Q(player__merged_into__user=user)
    return TableCorrida.objects.filter(match__in=MatchSeat.objects.filter(own).values("match"))


def _rosters(user: User) -> Iterator[tuple[str, bytes]]:
    for circuit in Circuit.objects.filter(owner=user).order_by("pk"):
        content = export_roster(circuit=circuit, by=user, form=Form.BUNDLE)
        yield f"circuits/{circuit.slug}.zip", content


def _weight(user: User) -> int:
    own = Circuit.objects.filter(owner=user).values("pk")
    totals = Matador.objects.filter(circuit__in=own).aggregate(count=Count("pk"))
    return int(totals["count"]) * PRINTINGS
