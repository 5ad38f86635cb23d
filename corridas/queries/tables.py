"""What came from real tables: how much of the escalafón, and how it was verified."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count

from corridas.models import Corrida, Lidia, Puesto, Season, TableCorrida


def at_tables(season: Season) -> dict[int, int]:
    """How many corridas of a season each matador fought at a table; nobody with none. One query."""
    rows = Puesto.objects.filter(
        cartel__corrida__season=season,
        cartel__corrida__origin=Corrida.Origin.TABLE,
        cartel__corrida__state__in=Corrida.OVER,
    )
    return dict(rows.values("matador").annotate(count=Count("pk")).values_list("matador", "count"))


def evidence_of(corridas: Iterable[int]) -> dict[int, TableCorrida]:
    """The table of each of these corridas that was fought at one, with its match; one query."""
    rows = TableCorrida.objects.filter(corrida__in=list(corridas), filed_at__isnull=False)
    return {
        table.corrida_id: table
        for table in rows.select_related("match__entered_by", "match__confirmed_by")
        if table.corrida_id is not None
    }


def has_cards(corrida: Corrida) -> bool:
    """Whether every lidia of a corrida can be shown card by card."""
    if corrida.origin == Corrida.Origin.HERE:
        return True
    lidias = Lidia.objects.filter(corrida=corrida)
    return lidias.exists() and not lidias.filter(draws=b"").exists()


def given_to(person: int) -> list[TableCorrida]:
    """Fixtures given to a person and not handed in yet, the most urgent first; one query."""
    rows = TableCorrida.objects.filter(
        match__seats__player=person, given=True, filed_at=None, corrida__isnull=False
    )
    return list(rows.select_related("match", "plaza", "circuit").order_by("deadline"))
