"""Models of seasons, of their ferias, and of the jobs that continue a season."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.jobs.models import Job
from core.names.fields import NameKeyField, SearchTextField
from corridas.engine import Rules
from corridas.models.circuits import Circuit
from corridas.models.places import Plaza


class Season(models.Model):
    """A year of a circuit, with the rules that were valid when it was planned.

    `seed` decides contracts, bulls and the length of injuries, but no card. `posted_version`
    increases whenever results are posted or a displayed name changes, so cache keys contain it.
    `pars` are the usual figures of its carteles (`simulation.pars`), None if they have not been
    calculated. Without them its corridas have no houses.
    """

    circuit = models.ForeignKey(
        Circuit, verbose_name=_("circuit"), on_delete=models.CASCADE, related_name="seasons"
    )
    year = models.PositiveSmallIntegerField(_("year"))
    rules = models.JSONField(_("options"), default=dict)
    seed = models.BinaryField(max_length=32, editable=False)
    commitment = models.BinaryField(max_length=32, editable=False)
    posted_version = models.PositiveIntegerField(
        _("number of times that results were posted"), default=0, editable=False
    )
    pars = models.JSONField(_("pars"), null=True, editable=False)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-year"]
        constraints = [models.UniqueConstraint(fields=["circuit", "year"], name="season_year")]

    def __str__(self) -> str:
        return f"{self.circuit} {self.year}"

    def engine_rules(self) -> Rules:
        """Return the rule set of the season."""
        return Rules.from_options(self.rules)


class Feria(models.Model):
    """A festival: several corridas in one plaza. `ends` is the date of the last corrida."""

    FOLDERS: Final = (
        "temporada/<int:year>/",
        "api/v1/circuits/<slug:circuit>/seasons/<int:year>/ferias/",
    )

    season = models.ForeignKey(
        Season, verbose_name=_("season"), on_delete=models.CASCADE, related_name="ferias"
    )
    plaza = models.ForeignKey(
        Plaza, verbose_name=_("plaza"), on_delete=models.PROTECT, related_name="ferias"
    )
    slug = models.SlugField(_("address"), max_length=120)
    name = models.CharField(_("name"), max_length=80)
    starts = models.DateField(_("first day"))
    ends = models.DateField(_("last day"))
    name_key = NameKeyField("name")
    search_text = SearchTextField("name")

    class Meta:
        verbose_name = _("feria")
        verbose_name_plural = _("ferias")
        ordering = ["starts"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "slug"],
                name="feria_slug",
                violation_error_code="slug",
                violation_error_message=_("Another feria in this season already has this address."),
            ),
            models.CheckConstraint(
                condition=models.Q(ends__gte=models.F("starts")),
                name="feria_ends",
                violation_error_code="ends",
                violation_error_message=_("A feria can’t end before it begins."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Run(Job):
    """A run: a job of the workers that continues a season up to a date.

    `stop_on` contains stop conditions as text (`world.stops`). `done` of `total` corridas are
    posted. `fallen` lists the circuit records that were broken during the run: key, value, previous
    value, and the keys of matador and corrida and the turn if there are any. `carteles` is the
    expected number of corridas for which matadors had to be contracted, None for runs of earlier
    versions. Workers do not claim a run, because they claim its corridas chunk by chunk.
    """

    class State(models.TextChoices):
        """The progress of the job."""

        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("failed")

    ACTIVE = (State.QUEUED, State.RUNNING)
    UNFINISHED = models.Q(state__in=ACTIVE)
    LOST_AFTER = dt.timedelta(seconds=20)

    season = models.ForeignKey(
        Season, verbose_name=_("season"), on_delete=models.CASCADE, related_name="runs"
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("requested by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
    )
    last = models.ForeignKey(
        "corridas.Corrida",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("last corrida"),
    )
    until = models.DateField(_("until"))
    most = models.PositiveIntegerField(_("maximum number of corridas"), null=True, blank=True)
    feria = models.ForeignKey(
        Feria, verbose_name=_("feria"), on_delete=models.SET_NULL, null=True, blank=True
    )
    stop_on = models.CharField(_("stops when"), max_length=40, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.QUEUED)
    stop_requested = models.BooleanField(_("stop requested"), default=False)
    done = models.PositiveIntegerField(_("played"), default=0)
    total = models.PositiveIntegerField(_("to be played"), default=0)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    reason = models.TextField(_("reason"), blank=True)
    carteles = models.PositiveIntegerField(
        _("open carteles to contract"), null=True, blank=True, editable=False
    )
    fallen = models.JSONField(_("records that were broken"), null=True, blank=True, editable=False)
    asked_at = models.DateTimeField(_("requested at"))
    beat_at = models.DateTimeField(_("last activity"), null=True)
    ended_at = models.DateTimeField(_("ended at"), null=True)

    class Meta:
        verbose_name = _("season run")
        verbose_name_plural = _("season runs")
        ordering = ["-asked_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["season"],
                condition=models.Q(state__in=("queued", "running")),
                name="one_run_a_season",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season}: {self.done}/{self.total}"

    @property
    def active(self) -> bool:
        """Whether the job is waiting or running."""
        return self.state in self.ACTIVE
