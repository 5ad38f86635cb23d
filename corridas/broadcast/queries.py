"""Database rows for the page of one corrida, in a fixed number of queries."""

from __future__ import annotations

from threading import Lock
from typing import Any, Final

from cachetools import TTLCache

from corridas.models import Bull, Corrida, Matador, Puesto
from corridas.sql import on_air_mark

# Corridas on air, by primary key, each with the mark that it had: building the query with all its
# joins takes most of the time in which their page is answered.
KEPT_SECONDS: Final = 60
_on_air: TTLCache[int, tuple[tuple[Any, ...], Corrida]] = TTLCache(64, KEPT_SECONDS)
_lock = Lock()


def find_corrida_to_watch(pk: int) -> Corrida | None:
    """Return a corrida for its page. One on air is kept in the process, to be read and not changed.

    What its broadcast depends on, and who may see it, is asked for each time. Names may be a
    minute old.
    """
    with _lock:
        kept = _on_air.get(pk)
    # Before the row, so that what changes meanwhile is found out the next time.
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
    """Return the three places of the cartel in the order of appearance."""
    rows = Puesto.objects.filter(cartel_id=corrida.pk).select_related("matador", "card__matador")
    return list(rows.order_by("order"))


def roles(corrida: Corrida) -> dict[str, str]:
    """Return who takes the alternativa in a corrida and who stands by; one query.

    Their slugs are `alternativa`, `padrino` and `testigo`, their names the same with `_name`. Empty
    without an alternativa.
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
    """Return the six bulls of the cartel in their places."""
    return list(Bull.objects.filter(cartel_id=corrida.pk).order_by("place"))
