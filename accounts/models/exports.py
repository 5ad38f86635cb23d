"""Copies of what the site keeps about a person, made for them by a worker."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Export(models.Model):
    """One copy: asked for, being made (`done` of about `total` rows), ready until it is swept.

    The file lies in the database, in parts, since worker and web may be two machines.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="exports"
    )
    asked_at = models.DateTimeField(_("requested"))
    begun_at = models.DateTimeField(_("started"), null=True, blank=True)
    done = models.PositiveIntegerField(_("rows"), default=0)
    total = models.PositiveIntegerField(_("of"), default=0)
    ended_at = models.DateTimeField(_("ready"), null=True, blank=True)
    error = models.CharField(_("error"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("copy of personal data")
        verbose_name_plural = _("copies of personal data")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(ended_at=None), name="one_export_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.done}/{self.total}"


class ExportPart(models.Model):
    """A piece of the file of a copy, in order."""

    export = models.ForeignKey(Export, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        verbose_name = _("part of a copy")
        verbose_name_plural = _("parts of copies")
        ordering = ["export", "number"]
        constraints = [
            models.UniqueConstraint(fields=["export", "number"], name="export_part_once")
        ]

    def __str__(self) -> str:
        return f"{self.export_id}/{self.number}"
