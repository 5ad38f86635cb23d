"""Season files of two seasons of a small circuit, with a deck that injures many matadors."""

import io
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.db.migrations.executor import MigrationExecutor
from pytest_django.plugin import DjangoDbBlocker

from corridas import archive, notifications
from corridas.models import Circuit, Deck, Season
from corridas.simulation import new_circuit
from corridas.simulation.new_circuit import shipped
from corridas.simulation.schedule import plan
from corridas.simulation.winter import winter_over
from corridas.world.calendar import CalendarEntry
from fairness import Seed
from tests.corridas.archive.golden import PLAYED_ON
from tests.corridas.archive.stored_rows import told_rows
from tests.corridas.simulation import world
from tests.databases import address, opened
from tests.scratch import seeds

DAYS = (
    CalendarEntry("Feria de Sangre", "las-ventas", "03-01", 4, "daily"),
    CalendarEntry("Corridas de pueblo", "valdemorillo", "03-02", 1, "weekend"),
)


@dataclass(frozen=True, repr=False)
class Elsewhere:
    """The season files that another site exports, by year.

    `whole` files include the confidential potential ratings of the matadors, and `public` files do
    not. `heads` are the last hashes of their chains, and `rows` all rows of the circuit on that
    site.
    """

    whole: dict[int, bytes]
    public: dict[int, bytes]
    heads: dict[int, str]
    # All rows of the circuit, as they were at the end of the winter of each year.
    rows: dict[int, dict[str, Any]]


def found_origin() -> Circuit:
    """Return the circuit `origin` with a season planned for 2026."""
    circuit = new_circuit.found(shipped(), slug="origin", name="Origen", owner=None, rules={})
    cards = world.fiercest()
    digest = sha256(cards.encode()).hexdigest()
    circuit.deck, _made = Deck.objects.get_or_create(
        digest=digest, defaults={"name": "Fierce", "cards": cards}
    )
    circuit.calendar = [entry._asdict() for entry in DAYS]
    circuit.save()
    plan(circuit, world.YEAR, DAYS, seed=Seed(sha256(b"origin").digest()))
    return circuit


def end(season: Season) -> Season:
    """Play a season and its winter, and return the next season."""
    world.play_season(season)
    return winter_over(
        season,
        at=world.NOW,
        fresh=seeds(f"{season.year}"),
        leave_failed=True,
        on_winter=notifications.winter_over,
    )


def file_of(season: Season, *, promises: bool = True) -> bytes:
    out = io.BytesIO()
    archive.export(season, out, promises=promises)
    return out.getvalue()


@pytest.fixture(scope="session")
def elsewhere(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Elsewhere:
    """Return the files of another site.

    The seasons are played in a transaction that is rolled back, so only the files remain.
    """
    whole, public, heads, rows = {}, {}, {}, {}
    with django_db_blocker.unblock(), transaction.atomic():
        season = found_origin().seasons.get()
        for _ in range(2):
            following = end(season)
            season = Season.objects.select_related("circuit", "winter").get(pk=season.pk)
            whole[season.year] = file_of(season)
            public[season.year] = file_of(season, promises=False)
            heads[season.year] = archive.verify(io.BytesIO(whole[season.year])).head
            rows[season.year] = told_rows(season.circuit)
            season = Season.objects.select_related("circuit").get(pk=following.pk)
        transaction.set_rollback(True)
    return Elsewhere(whole, public, heads, rows)


@pytest.fixture
def first(elsewhere: Elsewhere) -> bytes:
    """Return the season file of 2026, including the confidential potential ratings of the
    matadors.
    """
    return elsewhere.whole[world.YEAR]


@pytest.fixture
def played_on(tmp_path: Path, unblocked: None) -> Iterator[None]:
    """Use the golden database, upgraded to the tables of today, as the default database."""
    file = tmp_path / "golden.sqlite3"
    file.write_bytes(lzma.decompress(PLAYED_ON.read_bytes()))
    with opened(address(file)) as connection:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
        yield
