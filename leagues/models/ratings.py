"""Models of ratings, which are updated with every result and can be recalculated."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.jobs.models import Job
from leagues.models.leagues import League
from leagues.models.matches import Result
from leagues.models.players import Player


class Pool(models.Model):
    """A set of results from which ratings are calculated: those of a league, or of a game on the
    site.

    Every change of a pool's ratings locks this row first and increases `version`. `stale` means
    that a recalculation is pending. The ratings stay as they are until then.
    """

    game = models.CharField(_("game"), max_length=20)
    league = models.OneToOneField(
        League,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="pool",
        verbose_name=_("league"),
    )
    version = models.PositiveIntegerField(_("version"), default=0)
    stale = models.BooleanField(_("awaiting recalculation"), default=False)

    class Meta:
        verbose_name = _("rating list")
        verbose_name_plural = _("rating lists")
        constraints = [
            models.UniqueConstraint(
                name="pool_once_on_the_site", fields=["game"], condition=models.Q(league=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league or self.game}"


class Rating(models.Model):
    """A player's rating at a game in one pool: that of a league, or of the site (`league` is None).

    `mu` and `sigma` are the parameters of the openskill rating model. `ordinal` is mu - 3 sigma, by
    which lists are sorted.
    """

    game = models.CharField(_("game"), max_length=20)
    league = models.ForeignKey(
        League,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="ratings",
        verbose_name=_("league"),
    )
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="ratings", verbose_name=_("player")
    )
    mu = models.FloatField()
    sigma = models.FloatField()
    ordinal = models.FloatField()
    matches = models.PositiveIntegerField(_("matches"))

    class Meta:
        verbose_name = pgettext_lazy("player", "rating")
        verbose_name_plural = _("ratings")
        indexes = [models.Index(fields=["game", "league", "-ordinal"])]
        constraints = [
            models.UniqueConstraint(
                name="rating_once_a_league",
                fields=["league", "player"],
                condition=models.Q(league__isnull=False),
            ),
            models.UniqueConstraint(
                name="rating_once_on_the_site",
                fields=["game", "player"],
                condition=models.Q(league=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.mu:.1f}"


class RatingStep(models.Model):
    """A player's rating in one pool after one result."""

    league = models.ForeignKey(
        League,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("league"),
    )
    result = models.ForeignKey(
        Result, on_delete=models.CASCADE, related_name="steps", verbose_name=_("result")
    )
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="steps", verbose_name=_("player")
    )
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        ordering = ["pk"]
        indexes = [models.Index(fields=["player", "league"])]

    def __str__(self) -> str:
        return f"{self.player}: {self.mu:.1f}"


class Recount(Job):
    """A job that recalculates a pool from its history of results, with its progress and outcome."""

    CLAIM_FIELD = "begun_at"
    LOST_AFTER = dt.timedelta(minutes=2)  # a recalculation takes seconds

    game = models.CharField(_("game"), max_length=20)
    league = models.ForeignKey(
        League,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="recounts",
        verbose_name=_("league"),
    )
    asked_at = models.DateTimeField(_("requested"))
    begun_at = models.DateTimeField(_("started"), null=True, blank=True)
    done = models.PositiveIntegerField(_("done"), default=0)
    total = models.PositiveIntegerField(_("of"), default=0)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    error = models.CharField(_("error"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("recalculation")
        verbose_name_plural = _("recalculations")

    def __str__(self) -> str:
        return f"{self.game} {self.league or ''}: {self.done}/{self.total}"
