"""Actas (record files) of corridas: with the shipped deck, and with one that ends many corridas
early.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django.plugin import DjangoDbBlocker

from corridas.archive.acta import of_corrida, of_lidia
from corridas.models import Circuit, Corrida, Season
from tests.corridas.simulation import world
from tests.databases import Stored, copy_of, opened

Document = dict[str, Any]


@pytest.fixture(scope="session")
def documents(
    stored: Stored,
    migrated: Path,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: DjangoDbBlocker,
) -> list[Document]:
    """Return the actas (record files) of the corridas of three small seasons.

    One season follows the rulebook, one has a deck that injures many matadors, and one uses the
    other value of every rule option.
    """
    file = tmp_path_factory.mktemp("actas") / "played.sqlite3"

    def write() -> list[Document]:
        with opened(copy_of(migrated, file)):
            world.found_all()
            _turn_every_option(world.brief())
            return list(_written())

    with django_db_blocker.unblock():
        return stored.value("actas", write)


def _turn_every_option(season: Season) -> None:
    options = {"shuffle": "when_exhausted", "bull_reading": "next_card", "bull_points": "against"}
    Season.objects.filter(pk=season.pk).update(rules=options)
    Circuit.objects.filter(pk=season.circuit_id).update(rules=options)


def _written() -> Iterator[Document]:
    for season in (world.calm(), world.wild(), world.brief()):
        world.play_season(season)
        for corrida in Corrida.objects.of_season(season).over():
            yield of_corrida(corrida)
            for turn in corrida.lidias.values_list("turn", flat=True):
                yield of_lidia(corrida, turn)
