"""What was found when the whole archive was played again."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Revalidation(models.Model):
    """All that is over, played again by the present engines: begun, how far it is, what differs.

    `since`: only what ended on that day or later, None: everything. `engines`: version by kind.
    `totals`, `looked_at`, `differing`: how many by kind; `places`: the last key looked at by kind,
    so that it can be gone on with. `first`: the first differences, each with kind, key, subject
    and lines of text. `beat_at` is the last sign of life, None while nobody is at it; `error`
    says why it broke off.
    """

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
        """The last that ended; the one that goes on where none has; None where none was begun."""
        ended = cls.objects.filter(ended_at__isnull=False).order_by("-ended_at", "-pk").first()
        return ended or cls.objects.first()

    @property
    def done(self) -> int:
        """How many have been looked at, all kinds together."""
        return sum(self.looked_at.values())

    @property
    def total(self) -> int:
        """How many there are to look at."""
        return sum(self.totals.values())

    @property
    def broken(self) -> int:
        """How many are not as promised."""
        return sum(self.differing.values())

    @property
    def is_clean(self) -> bool:
        """Whether it came to its end and nothing differs."""
        return self.ended_at is not None and not self.error and not self.broken
