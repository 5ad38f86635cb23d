"""Queries for the page of one corrida. Their number is fixed."""

from __future__ import annotations

from threading import Lock
from typing import Final

from cachetools import TTLCache

from corridas.models import Bull, Corrida, Matador, Puesto
from corridas.sql import on_air_mark

# Cache of corridas on air by primary key, each with its mark when it was read: the columns on which
# its broadcast and its visibility depend. Without the cache, building the query with its many joins
# takes most of the response time.
KEPT_SECONDS: Final = 60
_on_air: TTLCache[int, tuple[tuple[object, ...], Corrida]] = TTLCache(64, KEPT_SECONDS)
_lock = Lock()


def find_corrida_to_watch(pk: int) -> Corrida | None:
    """Return the corrida with this key, or None, for its live page.

    A corrida on air is cached in the process and must not be modified. The state of its broadcast
    and the right to see it are read at each call, but names may be up to a minute old.
    """
    with _lock:
        kept = _on_air.get(pk)
    # The mark is read before the row, so that a change between the two queries is noticed next
    # time.
    mark = on_air_mark(pk)
    if kept is not None and mark == kept[0]:
        return kept[1]
    corrida = find_corrida(pk)
    if mark is not None and corrida is not None and corrida.state == Corrida.State.ON_AIR:
        with _lock:
            _on_air[pk] = mark, corrida
    return corrida


def find_corrida(corrida: int) -> Corrida | None:
    rows = Corrida.objects.select_related(
        "season__circuit", "plaza", "feria", "cartel__ganaderia", "cartel__deck"
    )
    return rows.filter(pk=corrida).first()


def puestos(corrida: Corrida) -> list[Puesto]:
    """Return the places of a cartel: the three matadors with their cards, in the order of
    appearance.
    """
    rows = Puesto.objects.filter(cartel_id=corrida.pk).select_related("matador", "card__matador")
    return list(rows.order_by("order"))


def roles(corrida: Corrida) -> dict[str, str]:
    """Return who takes the alternativa in a corrida and who are the two witnesses; one query.

    The keys `alternativa`, `padrino` and `testigo` have the matadors' slugs, and the same keys with
    `_name` have their names. Return an empty dictionary if there is no alternativa.
    """
    here = Puesto.objects.filter(cartel_id=corrida.pk).values("matador")
    rows = Matador.objects.filter(
        pk__in=here, padrino__in=here, testigo__in=here, alternativa=corrida.date
    )
    matador = rows.select_related("padrino", "testigo").order_by("pk").first()
    if matador is None or matador.padrino is None or matador.testigo is None:
        return {}
    men = {"alternativa": matador, "padrino": matador.padrino, "testigo": matador.testigo}
    names = {f"{role}_name": man.billing for role, man in men.items()}
    return {role: man.slug for role, man in men.items()} | names


def encierro(corrida: Corrida) -> list[Bull]:
    """Return the six bulls of a corrida in the order in which its cartel (poster) lists them."""
    return list(Bull.objects.filter(cartel_id=corrida.pk).order_by("place"))
