"""Rows of one corrida for its page, in a fixed number of queries."""

from __future__ import annotations

from corridas.models import Bull, Corrida, Puesto


def find_corrida(corrida: int) -> Corrida | None:
    """The corrida with all that its page names, or None; one query."""
    rows = Corrida.objects.select_related(
        "season__circuit", "plaza", "feria", "cartel__ganaderia", "cartel__deck"
    )
    return rows.filter(pk=corrida).first()


def puestos(corrida: Corrida) -> list[Puesto]:
    """The three places of the cartel in the order of appearance; one query."""
    rows = Puesto.objects.filter(cartel_id=corrida.pk).select_related("matador", "card__matador")
    return list(rows.order_by("order"))


def encierro(corrida: Corrida) -> list[Bull]:
    """The six bulls of the cartel in their places; one query."""
    return list(Bull.objects.filter(cartel_id=corrida.pk).order_by("place"))
