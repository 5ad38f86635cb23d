"""Models for copies of circuits, which are made by a worker."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.jobs.models import Job, JobQuerySet
from corridas.models.circuits import Circuit

if TYPE_CHECKING:
    from accounts.models import User


class CopyQuerySet(JobQuerySet["CircuitCopy"]):
    """Filters for copies of circuits."""

    def stored_rows(self, user: User) -> int:
        """Return the number of rows in the user's circuits that were made by copying.

        An unfinished copy has no owner. Its rows count for the user who requested it.
        """
        own = self.filter(
            Q(circuit__owner=user) | Q(circuit__isnull=False, circuit__owner=None, asked_by=user)
        )
        return int(own.aggregate(rows=models.Sum("total"))["rows"] or 0)

    def leftover(self, *, at: dt.datetime) -> CopyQuerySet:
        """Return copies of circuits that must be removed and that no worker is removing yet."""
        idle = Q(beat_at=None) | Q(beat_at__lte=at - CircuitCopy.LOST_AFTER)
        return self.filter(idle, circuit__incomplete=True).exclude(state__in=CircuitCopy.ACTIVE)


class CircuitCopy(Job):
    """A request to copy a circuit, and the progress of the copy.

    `circuit` is the copy, None before its rows are written and after they are removed. It is hidden
    until it is complete (`Circuit.incomplete`). `done` of `total` rows are written. `lidias` is the
    number of copied fights; if the copy contains more, something has been played in it. `beat_at`
    is the last sign of life of the worker that writes or removes rows.
    """

    class State(models.TextChoices):
        """The progress of the job."""

        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("in progress")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    class Reason(models.TextChoices):
        """The reason why the copy failed."""

        GONE = "gone", _("The circuit has been deleted or archived.")
        HIDDEN = "hidden", _("You can no longer see the circuit.")
        BUDGET = "budget", _("Your copies would exceed the maximum number of rows.")
        BROKEN = "broken", _("An error occurred. The details are in the site’s log.")

    ACTIVE = (State.QUEUED, State.RUNNING)
    UNFINISHED = Q(state__in=ACTIVE)
    # A worker without a sign of life for this long counts as dead. It gives one after every batch
    # of rows, which takes less than a second.
    LOST_AFTER = dt.timedelta(minutes=1)

    source = models.ForeignKey(
        Circuit, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("circuit")
    )
    circuit = models.OneToOneField(
        Circuit,
        on_delete=models.SET_NULL,
        null=True,
        related_name="copied_by",
        verbose_name=_("copy"),
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("requested by"),
    )
    name = models.CharField(_("name"), max_length=60)
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.QUEUED)
    reason = models.CharField(_("reason"), max_length=6, choices=Reason.choices, blank=True)
    done = models.PositiveIntegerField(_("rows written"), default=0)
    total = models.PositiveIntegerField(_("rows"), default=0)
    lidias = models.PositiveIntegerField(_("lidias"), default=0)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    asked_at = models.DateTimeField(_("requested at"))
    beat_at = models.DateTimeField(_("last activity"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)

    objects: ClassVar[Any] = CopyQuerySet.as_manager()

    class Meta:
        verbose_name = _("copy of a circuit")
        verbose_name_plural = _("copies of circuits")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.done}/{self.total}"

    @property
    def active(self) -> bool:
        """Whether a worker writes the copy or will do so."""
        return self.state in self.ACTIVE
