"""Model of the score counts of a deck and a rule set."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.jobs.models import Job


class DeckScores(Job):
    """The score counts of a deck with a rule set, from which chances of cards are calculated.

    A worker samples them (`world.chances.sample`). `deck` is the digest of the deck, so a changed
    deck gets a row of its own. `rules` are the options that differ from the defaults, as JSON text.
    `counts` is None until they are sampled, and `reason` says why that failed. The counts of the
    bundled deck with the default rules are in a data file and have no row.
    """

    class Reason(models.TextChoices):
        """The reason why there are no counts."""

        INVALID = "invalid", _("This deck’s cards are not valid: no chances.")
        BROKEN = (
            "broken",
            _("An error occurred, so there are no chances. The details are in the site’s log."),
        )

    CLAIM_FIELD = "begun_at"
    UNFINISHED = Q(ended_at=None)
    # Sampling takes about eight seconds.
    LOST_AFTER = dt.timedelta(minutes=5)

    deck = models.CharField(_("deck"), max_length=64)
    rules = models.CharField(_("options"), max_length=200)
    counts = models.JSONField(_("counts"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=7, choices=Reason.choices, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    begun_at = models.DateTimeField(_("begun at"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)

    class Meta:
        verbose_name = _("score counts of a deck")
        verbose_name_plural = _("score counts of decks")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["deck", "rules"], name="deck_scores"),
        ]

    def __str__(self) -> str:
        return f"{self.deck[:8]} {self.rules}"
