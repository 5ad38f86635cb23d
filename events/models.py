"""Models for events and for the counter that numbers them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Event(models.Model):
    """An event, stored in the transaction in which it happened.

    `number` is its position among all events. `events.numbering` assigns it after that transaction
    has committed, but not before `due`. An event without a number is not visible. `subject` names
    the row that the event is about, such as `corrida/12`. `circuit` and `league` are primary keys.
    Users who may see that circuit or league may see the event. An event with neither is public. A
    numbered event never changes.
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
    """Counter of events. It contains the last event number assigned.

    The table has a single row, which is also the lock that a process holds while it numbers events.
    """

    last = models.BigIntegerField(_("last number assigned"), default=0)

    class Meta:
        verbose_name = _("event counter")
        verbose_name_plural = _("event counters")

    def __str__(self) -> str:
        return str(self.last)
