"""Who heads the escalafón: the order of Ruling I-17 in one query."""

from __future__ import annotations

from django.db.models import Sum

from corridas.models import Escalafon, Season


def leader_of(season: Season) -> int | None:
    """The key of the matador in first place; None while nobody has made the paseíllo."""
    totals = Escalafon.objects.filter(season=season).values("matador_id", "matador__name")
    counted = totals.annotate(
        total=Sum("corridas"),
        ears_cut=Sum("ears"),
        tails_cut=Sum("tails"),
        spared=Sum("indultos"),
        warned=Sum("avisos"),
    )
    order = ("-total", "-ears_cut", "-tails_cut", "-spared", "warned", "matador__name")
    first = counted.order_by(*order).first()
    return first["matador_id"] if first else None
