"""Helpers for tests of rejected operations: a rejected operation must not change the database."""

import datetime as dt
from collections.abc import Callable
from hashlib import sha256

import pytest
from django.db import connection

from corridas.errors import OperationError
from corridas.models import Corrida, Matador, Season
from corridas.simulation.draw import announce
from tests.corridas.simulation import world
from tests.scratch import seeds

WINTER = dt.date(world.YEAR, 12, 31)


def digest() -> str:
    """Return a digest of all rows of all tables."""
    hashed = sha256()
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')
            hashed.update(f"{table} {cursor.fetchall()}".encode())
    return hashed.hexdigest()


def refused(ask: Callable[[], object], *words: str, field: str = "") -> None:
    before = digest()
    with pytest.raises(OperationError) as caught:
        ask()
    for word in words:
        assert word in str(caught.value)
    assert caught.value.field == field
    assert digest() == before


def announced(season: Season) -> list[Corrida]:
    announce(season, until=WINTER, fresh=seeds("refused"))
    return list(Corrida.objects.of_season(season).select_related("plaza", "season__circuit"))


def free(corrida: Corrida, count: int = 3) -> list[Matador]:
    """Return matadors of the circuit who are on no cartel."""
    everybody = Matador.objects.filter(circuit=corrida.season.circuit_id)
    return list(everybody.exclude(puestos__isnull=False)[:count])


def on_the_cartel(corrida: Corrida) -> list[Matador]:
    return list(Matador.objects.filter(puestos__cartel=corrida.pk).order_by("puestos__order"))
