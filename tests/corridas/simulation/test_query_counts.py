"""Reading and posting three corridas takes as many queries as one."""

import datetime as dt
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corridas import calendar, results
from corridas.models import Corrida, Lidia
from corridas.simulation.draw import announce
from corridas.simulation.post import rebuild
from corridas.simulation.record_book import leader_of
from corridas.simulation.rows import (
    announced_corridas,
    bulls_of,
    latest_cards,
    places_of,
    played_corridas,
)
from tests.corridas.simulation import world
from tests.corridas.simulation.world import NOW
from tests.scratch import seeds

pytestmark = pytest.mark.usefixtures("rows")


def queries(work: Callable[[], object]) -> int:
    with CaptureQueriesContext(
        connection,
    ) as caught:
        work()
    return len(caught)


def names(corridas: list[int]) -> list[str]:
    """Return the names that a list of corridas shows."""
    return [
        f"{corrida.plaza} {corrida.feria} {corrida.season.year}"
        for corrida in calendar.corridas().filter(pk__in=corridas)
    ]


def shown_rows(keys: list[int]) -> list[results.ListedCorrida]:
    corridas = calendar.corridas().filter(pk__in=keys)
    return [afternoon.row for afternoon in results.afternoons(corridas, NOW)]


@pytest.fixture
def keys(rows: str) -> list[int]:
    world.run_on(world.begin(world.wild()))
    return list(Corrida.objects.over().values_list("pk", flat=True)[:3])


READS: list[Callable[[list[int]], object]] = [
    names,
    places_of,
    bulls_of,
    announced_corridas,
    lambda keys: played_corridas(Corrida.objects.filter(pk__in=keys)),
    shown_rows,
    lambda keys: list(Lidia.objects.shown(at=NOW).filter(corrida__in=keys)),
]


@pytest.mark.parametrize("read", READS)
def test_reading_three_corridas_takes_as_many_queries_as_one(
    keys: list[int], read: Callable[[list[int]], object]
) -> None:
    assert len(keys) == 3
    one = queries(lambda: read(keys[:1]))
    assert one == queries(lambda: read(keys))
    assert 1 <= one <= 5


@pytest.mark.usefixtures("keys")
def test_checking_a_season_takes_a_fixed_number_of_queries() -> None:
    assert queries(lambda: rebuild(world.wild(), write_rows=False)) <= 12
    assert queries(lambda: leader_of(world.wild())) == 2
    assert queries(lambda: latest_cards(world.wild().circuit_id)) == 2


def test_announcing_all_corridas_takes_as_many_queries_as_one(rows: str) -> None:
    one = queries(
        lambda: announce(world.calm(), until=dt.date(world.YEAR, 3, 1), fresh=seeds("one"))
    )
    assert Corrida.objects.filter(cartel__isnull=False).count() == 1
    rest = queries(
        lambda: announce(world.calm(), until=dt.date(world.YEAR, 12, 31), fresh=seeds("rest"))
    )
    assert Corrida.objects.filter(cartel__isnull=False).count() == 4
    # The indexed names of bulls now lead to other bulls, and one statement updates them all.
    assert rest == one + 1
