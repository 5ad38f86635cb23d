"""Tables of version 0.1, which this version neither reads nor writes.

They are kept for processes of version 0.1 that still run during an upgrade, and so that backups
contain their rows. Version 0.3.0 may drop them (see "Upgrading" in `docs/deployment.md`). Their
data has been copied to `RecordBook`, `Record` and `Palmares`.
"""

from __future__ import annotations

from typing import Any

from django.db import models

from corridas.models.circuits import Circuit
from corridas.models.corridas import Corrida
from corridas.models.matadors import Matador
from corridas.models.places import Bull, Ganaderia
from corridas.models.seasons import Season


def _parent(model: type[models.Model], *, null: bool = False, db_index: bool = False) -> Any:
    return models.ForeignKey(
        model,
        on_delete=models.CASCADE,
        null=null,
        blank=null,
        related_name="+",
        db_index=db_index,
    )


class EarlierRecord(models.Model):
    """A record of version 0.1 in one place of a circuit."""

    circuit = _parent(Circuit)
    key = models.CharField(max_length=30)
    scope = models.CharField(max_length=7)
    of = models.CharField(max_length=120, blank=True)
    value = models.IntegerField()
    before = models.IntegerField(null=True, blank=True)
    season = _parent(Season, null=True)
    corrida = _parent(Corrida, null=True)
    turn = models.PositiveSmallIntegerField(null=True, blank=True)
    matador = _parent(Matador, null=True, db_index=True)
    ganaderia = _parent(Ganaderia, null=True)
    bull = _parent(Bull, null=True)
    set_on = models.DateField(null=True, blank=True)

    class Meta:
        db_table = "corridas_record"
        constraints = [
            models.UniqueConstraint(fields=["circuit", "scope", "of", "key"], name="record_once"),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.of}: {self.value}"


class EarlierPalmares(models.Model):
    """A matador's totals of version 0.1 in one place of a circuit."""

    circuit = _parent(Circuit)
    scope = models.CharField(max_length=7)
    of = models.CharField(max_length=120, blank=True)
    matador = _parent(Matador, db_index=True)
    season = _parent(Season)
    seasons = models.PositiveSmallIntegerField(default=0)
    leads = models.PositiveSmallIntegerField(default=0)
    corridas = models.PositiveIntegerField(default=0)
    ears = models.PositiveIntegerField(default=0)
    tails = models.PositiveIntegerField(default=0)
    indultos = models.PositiveIntegerField(default=0)
    avisos = models.PositiveIntegerField(default=0)
    now_corridas = models.PositiveSmallIntegerField(default=0)
    now_ears = models.PositiveSmallIntegerField(default=0)
    now_tails = models.PositiveSmallIntegerField(default=0)
    now_indultos = models.PositiveSmallIntegerField(default=0)
    now_avisos = models.PositiveSmallIntegerField(default=0)

    class Meta:
        db_table = "corridas_palmares"
        constraints = [
            models.UniqueConstraint(
                fields=["circuit", "scope", "of", "matador"], name="palmares_row"
            ),
        ]
        indexes = [models.Index(fields=["season", "scope", "of"], name="palmares_now")]

    def __str__(self) -> str:
        return f"{self.matador_id} {self.scope} {self.of}: {self.ears}"
