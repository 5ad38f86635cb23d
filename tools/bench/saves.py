"""Benchmark of storing one row per event, each with its own `save()`, which the site avoids."""

from collections.abc import Sequence

from django.db import connection, models, transaction

from corridas.engine import CorridaSetup, Event, play_corrida
from fairness import Seed
from tools.bench.timing import Spent, timed

CORRIDAS = 8


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


def seconds_a_save(setups: Sequence[tuple[CorridaSetup, Seed]]) -> tuple[Spent, int]:
    """Return the cost of one `save()` in the database in use, and how many were measured."""
    logs = [_log(setup, seed) for setup, seed in setups[:CORRIDAS]]
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
    return Spent(spent.cpu / saved, spent.wall / saved), saved


def _log(setup: CorridaSetup, seed: Seed) -> list[tuple[int, int, Event]]:
    record = play_corrida(setup, seed)
    return [
        (lidia.turn, ordinal, event)
        for lidia in record.lidias
        for ordinal, event in enumerate(lidia.events)
    ]


@transaction.atomic
def _save(log: Sequence[tuple[int, int, Event]]) -> None:
    for lidia, ordinal, event in log:
        entries = ",".join(str(entry) for entry in event)
        kind = type(event).__name__
        EventRow(lidia=lidia, ordinal=ordinal, kind=kind, entries=entries).save()
