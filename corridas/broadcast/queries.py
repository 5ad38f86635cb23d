"""Database rows for the page of one corrida, in a fixed number of queries."""

from __future__ import annotations

from corridas.models import Bull, Corrida, Matador, Puesto


def find_corrida(corrida: int) -> Corrida | None:
    rows = Corrida.objects.select_related(
        "season__circuit", "plaza", "feria", "cartel__ganaderia", "cartel__deck"
    )
    return rows.filter(pk=corrida).first()


def puestos(corrida: Corrida) -> list[Puesto]:
    """Return the three places of the cartel in the order of appearance."""
    rows = Puesto.objects.filter(cartel_id=corrida.pk).select_related("matador", "card__matador")
    return list(rows.order_by("order"))


def roles(corrida: Corrida) -> dict[str, str]:
    """Return the slugs of who takes the alternativa in a corrida and who stands by; one query."""
    here = Puesto.objects.filter(cartel_id=corrida.pk).values("matador")
    rows = Matador.objects.filter(
        pk__in=here, padrino__in=here, testigo__in=here, alternativa=corrida.date
    )
    row = rows.values_list("slug", "padrino__slug", "testigo__slug").first()
    return dict(zip(("alternativa", "padrino", "testigo"), row, strict=True)) if row else {}


def encierro(corrida: Corrida) -> list[Bull]:
    """Return the six bulls of the cartel in their places."""
    return list(Bull.objects.filter(cartel_id=corrida.pk).order_by("place"))
