"""The search index: a table with a row for each name that can be found."""

from __future__ import annotations

from django.db import models


class Entry(models.Model):
    """A row of the search index.

    `kind` is the key of a registered kind and `key` the primary key of a row of its model. `scope`
    is the primary key of the circuit that the row belongs to, if any. `words` are in lower case and
    without accents (`search.text`). Among equally good matches, those with a higher `weight` come
    first. The words are also in a full-text index, which triggers (SQLite) or an index (PostgreSQL)
    update: see the first migration.
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
