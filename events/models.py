"""What has happened, a row each, and how far it is numbered."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Event(models.Model):
    """One thing that has happened, written in the transaction in which it did.

    `number` is its place in the one order of all events, given after that transaction is stored
    (`events.numbering`); None until then. `due`: not numbered, so told to nobody, before that
    instant. `subject` names what it is about, `circuit` and `league` whose it is, by their keys:
    who may see those may see it; where it is of neither, anybody. Never changed once numbered.
    """

    number = models.BigIntegerField(_("number"), null=True, unique=True)
    kind = models.CharField(_("type"), max_length=24)
    subject = models.CharField(_("description"), max_length=40)
    data = models.JSONField(_("data"))
    at = models.DateTimeField(_("time"))
    due = models.DateTimeField(_("not before"), null=True)
    circuit = models.BigIntegerField(_("circuit"), null=True)
    league = models.BigIntegerField(_("league"), null=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        indexes = [
            models.Index(fields=["id"], name="event_waiting", condition=Q(number=None)),
            models.Index(
                fields=["circuit", "number"],
                name="event_of_circuit",
                condition=Q(circuit__isnull=False),
            ),
            models.Index(
                fields=["league", "number"],
                name="event_of_league",
                condition=Q(league__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.kind} {self.subject}"


class Tally(models.Model):
    """How many numbers have been given: one row, which never goes back, and the lock on giving."""

    last = models.BigIntegerField(_("last number given"), default=0)

    class Meta:
        verbose_name = _("event counter")
        verbose_name_plural = _("event counters")

    def __str__(self) -> str:
        return str(self.last)
