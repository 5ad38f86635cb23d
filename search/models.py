"""The index: one row for each name that can be found."""

from __future__ import annotations

from django.db import models


class Entry(models.Model):
    """A row of the index.

    `kind` names one of the registered kinds and `key` a row of its table. `scope` is the circuit
    that the row belongs to, if any. `words` are folded (`search.text`). Of equally good matches
    those with the highest `weight` come first. The words are also in a full-text index, which
    triggers (SQLite) or an index (PostgreSQL) keep up to date: see the first migration.
    """

    kind = models.CharField(max_length=8)
    key = models.BigIntegerField()
    scope = models.BigIntegerField(null=True, blank=True)
    weight = models.IntegerField(default=0)
    words = models.CharField(max_length=400)

    class Meta:
        verbose_name = "search entry"
        verbose_name_plural = "search entries"
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="search_entry_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.words}"
