"""The history of changes to rosters: who changed what and when, with the old values."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.names.fields import SearchTextField
from corridas.models.circuits import Circuit


class Change(models.Model):
    """A change of one row of a roster. Changes are never edited.

    `undone_by` is the change that reverted this one. `kind` is the model's name in lower case.
    `before` and `after` contain the columns that differ, or None if the row did not exist. Changes
    made together, such as an import, have the same `batch`.
    """

    circuit = models.ForeignKey(
        Circuit,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="changes",
        verbose_name=_("circuit"),
    )
    kind = models.CharField(_("type"), max_length=20)
    row = models.BigIntegerField(_("row"))
    title = models.CharField(_("title"), max_length=120)
    before = models.JSONField(_("before"), null=True, blank=True)
    after = models.JSONField(_("after"), null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("by"),
    )
    at = models.DateTimeField(_("time"))
    batch = models.CharField(_("part of the same change"), max_length=32, blank=True)
    search_text = SearchTextField("title")
    undone_by = models.OneToOneField(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="undoes",
        verbose_name=_("undone by"),
    )

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["kind", "row"], name="change_of_row"),
            models.Index(fields=["batch"], name="change_batch", condition=~models.Q(batch="")),
        ]

    def __str__(self) -> str:
        return self.title
