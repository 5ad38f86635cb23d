"""Benchmark of storing one row per event, each with its own `save()`, which the site avoids."""

from collections.abc import Sequence

from django.db import connection, models, transaction

from corridas.engine import CorridaRecord, CorridaSetup, Event, play_corrida
from corridas.models import Corrida
from corridas.simulation.rows import setup_of
from fairness import Seed
from tools.bench.timing import Spent, timed

CORRIDAS = 8
Setups = Sequence[tuple[CorridaSetup, Seed]]


class EventRow(models.Model):
    """An event as a minimal row. Its table exists only during the benchmark."""

    lidia = models.IntegerField(db_index=True)
    ordinal = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=16)
    entries = models.CharField(max_length=80)

    class Meta:
        app_label = "bench"

    def __str__(self) -> str:
        return f"{self.lidia}/{self.ordinal} {self.kind}"


def setups_of(year: int) -> Setups:
    """Return the set-ups and seeds of the corridas of a season in the database in use."""
    over = Corrida.objects.over().filter(season__year=year)
    rows = over.select_related("season", "plaza", "cartel__deck").order_by("date", "pk")
    return [(setup_of(corrida), Seed(bytes(corrida.cartel.seed))) for corrida in rows]


def play_all(setups: Setups) -> list[CorridaRecord]:
    return [play_corrida(setup, seed) for setup, seed in setups]


def events_of(setups: Setups) -> list[tuple[int, int, Event]]:
    """Return the events of corridas, each with its lidia and its position in the lidia."""
    return [
        (lidia.turn, ordinal, event)
        for record in play_all(setups)
        for lidia in record.lidias
        for ordinal, event in enumerate(lidia.events)
    ]


def save_cost(setups: Setups) -> Spent:
    """Return the cost of one `save()` in the database in use, in a transaction for each corrida."""
    logs = [events_of([setup]) for setup in setups[:CORRIDAS]]
    with connection.schema_editor() as editor:
        editor.create_model(EventRow)
    try:
        with timed() as spent:
            for log in logs:
                _save(log)
    finally:
        with connection.schema_editor() as editor:
            editor.delete_model(EventRow)
    saved = sum(map(len, logs))
    return Spent(spent.cpu / saved, spent.wall / saved)


@transaction.atomic
def _save(log: Sequence[tuple[int, int, Event]]) -> None:
    for lidia, ordinal, event in log:
        entries = ",".join(str(entry) for entry in event)
        kind = type(event).__name__
        EventRow(lidia=lidia, ordinal=ordinal, kind=kind, entries=entries).save()
