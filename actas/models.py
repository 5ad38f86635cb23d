"""Revalidations: nightly replays of all finished games, with the differences found."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.jobs.models import Job


class Revalidation(Job):
    """A replay of all ended corridas, winters and rounds with the current game engines.

    `since` restricts the replay to items that ended on that day or later. `engines` contains the
    engine version by kind. `totals`, `looked_at` and `differing` count items by kind. `places` is
    the key of the last item checked by kind, so that the work can be resumed. `first` contains the
    first differences, each with kind, key, subject and lines of text. `beat_at` is the time of the
    worker's last sign of life. It is None while no worker has the job. `error` says why the replay
    failed.
    """

    LOST_AFTER = dt.timedelta(minutes=5)

    since = models.DateField(_("since"), null=True, blank=True)
    engines = models.JSONField(_("engines"), default=dict)
    totals = models.JSONField(_("to be checked"), default=dict)
    looked_at = models.JSONField(_("checked"), default=dict)
    differing = models.JSONField(_("differs from the record"), default=dict)
    places = models.JSONField(default=dict, editable=False)
    first = models.JSONField(_("first differences"), default=list)
    begun_at = models.DateTimeField(_("started"))
    beat_at = models.DateTimeField(_("last activity"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    error = models.CharField(_("error"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("nightly check")
        verbose_name_plural = _("nightly checks")
        ordering = ["-begun_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                models.Value(1), condition=models.Q(ended_at=None), name="one_revalidation"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.begun_at:%Y-%m-%d %H:%M}: {self.done}/{self.total}"

    @classmethod
    def latest(cls) -> Revalidation | None:
        """Return the last finished revalidation, or else the unfinished one, or None."""
        ended = cls.objects.filter(ended_at__isnull=False).order_by("-ended_at", "-pk").first()
        return ended or cls.objects.first()

    @property
    def done(self) -> int:
        """Return how many items of all kinds have been checked so far."""
        return sum(self.looked_at.values())

    @property
    def total(self) -> int:
        """Return how many items of all kinds have to be checked."""
        return sum(self.totals.values())

    @property
    def broken(self) -> int:
        """Return how many checked items differ from their record."""
        return sum(self.differing.values())

    @property
    def is_clean(self) -> bool:
        """Return whether the replay has finished without finding differences."""
        return self.ended_at is not None and not self.error and not self.broken
