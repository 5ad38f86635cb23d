"""Models for the export and import of seasons as files."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.jobs.models import Job
from corridas.models.circuits import Circuit
from corridas.models.seasons import Season


class Bundle(Job):
    """A season as a file: a job of a worker that exports it, or validates and imports it.

    The file is stored in parts. `season` is None for an import until the season is stored.
    `circuit` is the circuit that an imported season continues, None if a new one is created. `head`
    is the last hash of the file's hash chain. `edition` is the `posted_version` of the season at
    the time of the export. `done` of `total` corridas are processed. `findings` are messages that
    say why an import was rejected. `beat_at` is the worker's last sign of life.
    """

    class Way(models.TextChoices):
        """Whether the job is an export or an import."""

        OUT = "out", _("created here")
        IN = "in", _("imported here")

    class State(models.TextChoices):
        """The progress of the job."""

        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("in progress")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    ACTIVE = (State.QUEUED, State.RUNNING)
    UNFINISHED = models.Q(state__in=ACTIVE)
    LOST_AFTER = dt.timedelta(minutes=2)  # a job takes only seconds

    way = models.CharField(_("direction"), max_length=3, choices=Way.choices)
    season = models.ForeignKey(
        Season,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="bundles",
        verbose_name=_("season"),
    )
    circuit = models.ForeignKey(
        Circuit,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("circuit"),
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("requested by"),
    )
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.QUEUED)
    edition = models.PositiveIntegerField(default=0)
    head = models.CharField(_("digest of the last entry"), max_length=64, blank=True)
    size = models.PositiveIntegerField(_("bytes"), default=0)
    done = models.PositiveIntegerField(_("corridas processed"), default=0)
    total = models.PositiveIntegerField(_("corridas"), default=0)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    findings = models.JSONField(_("problems found"), default=list)
    asked_at = models.DateTimeField(_("requested at"))
    beat_at = models.DateTimeField(_("last activity"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)

    class Meta:
        verbose_name = _("season file")
        verbose_name_plural = _("season files")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["season"],
                condition=models.Q(way="out", state__in=("queued", "running")),
                name="one_bundle_being_made",
            ),
            models.UniqueConstraint(
                fields=["asked_by"],
                condition=models.Q(way="in", state__in=("queued", "running")),
                name="one_bundle_being_brought",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season or self.pk}: {self.done}/{self.total}"

    @property
    def active(self) -> bool:
        """Whether a worker processes the job or will do so."""
        return self.state in self.ACTIVE


class BundlePart(models.Model):
    """A part of a season file. Parts are in the database so that every server can send them."""

    bundle = models.ForeignKey(
        Bundle, on_delete=models.CASCADE, related_name="parts", db_index=False
    )
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        verbose_name = _("part of a file")
        verbose_name_plural = _("parts of files")
        ordering = ["bundle", "number"]
        constraints = [
            models.UniqueConstraint(fields=["bundle", "number"], name="bundle_part_once"),
        ]

    def __str__(self) -> str:
        return f"{self.bundle_id}/{self.number}"
