"""Database rows for the page of one corrida, in a fixed number of queries."""

from __future__ import annotations

from corridas.models import Bull, Corrida, Puesto


def find_corrida(corrida: int) -> Corrida | None:
    rows = Corrida.objects.select_related(
        "season__circuit", "plaza", "feria", "cartel__ganaderia", "cartel__deck"
    )
    return rows.filter(pk=corrida).first()


def puestos(corrida: Corrida) -> list[Puesto]:
    """Return the three places of the cartel in the order of appearance."""
    rows = Puesto.objects.filter(cartel_id=corrida.pk).select_related("matador", "card__matador")
    return list(rows.order_by("order"))


def encierro(corrida: Corrida) -> list[Bull]:
    """Return the six bulls of the cartel in their places."""
    return list(Bull.objects.filter(cartel_id=corrida.pk).order_by("place"))
