"""The record book and the awards of ferias and seasons."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corridas.models.circuits import Circuit
from corridas.models.corridas import Corrida
from corridas.models.matadors import Matador
from corridas.models.places import Bull, Ganaderia
from corridas.models.seasons import Feria, Season


class Record(models.Model):
    """The best that was ever done of one kind, in one place of the record book.

    `key` names the kind (`world.records`); `scope` and `of` say whose record it is: the whole
    circuit's (`of` empty), or a plaza's, feria's, herd's or matador's by its slug. The earliest
    holds it: who equals a record does not take it. `corrida` and `turn` are the moment, where
    there is one; `before` is the value that was beaten.
    """

    class Scope(models.TextChoices):
        """Whose record it is."""

        CIRCUIT = "circuit", _("circuit")
        PLAZA = "plaza", _("plaza")
        FERIA = "feria", _("feria")
        HERD = "herd", _("herd")
        MATADOR = "matador", _("matador")

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="records")
    key = models.CharField(_("kind"), max_length=30)
    scope = models.CharField(_("scope"), max_length=7, choices=Scope.choices)
    of = models.CharField(_("whose"), max_length=120, blank=True)
    value = models.IntegerField(_("value"))
    before = models.IntegerField(_("before"), null=True, blank=True)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, null=True, blank=True)
    corrida = models.ForeignKey(
        Corrida, on_delete=models.CASCADE, null=True, blank=True, related_name="records"
    )
    turn = models.PositiveSmallIntegerField(_("turn"), null=True, blank=True)
    matador = models.ForeignKey(
        Matador, on_delete=models.CASCADE, null=True, blank=True, related_name="records"
    )
    ganaderia = models.ForeignKey(
        Ganaderia, on_delete=models.CASCADE, null=True, blank=True, related_name="records"
    )
    bull = models.ForeignKey(
        Bull, on_delete=models.CASCADE, null=True, blank=True, related_name="records"
    )
    set_on = models.DateField(_("set on"), null=True, blank=True)

    class Meta:
        verbose_name = _("record")
        verbose_name_plural = _("records")
        constraints = [
            models.UniqueConstraint(fields=["circuit", "scope", "of", "key"], name="record_once"),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.of}: {self.value}"


class Award(models.Model):
    """A prize of a feria, or of a season where `feria` is None, by a published formula.

    `key` names the formula (`world.awards`); `score` is what it came to, `detail` its terms.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="awards")
    feria = models.ForeignKey(
        Feria, on_delete=models.CASCADE, null=True, blank=True, related_name="awards"
    )
    key = models.CharField(_("award"), max_length=20)
    score = models.IntegerField(_("score"))
    detail = models.JSONField(default=dict, blank=True)
    matador = models.ForeignKey(
        Matador, on_delete=models.CASCADE, null=True, blank=True, related_name="awards"
    )
    ganaderia = models.ForeignKey(
        Ganaderia, on_delete=models.CASCADE, null=True, blank=True, related_name="awards"
    )
    bull = models.ForeignKey(
        Bull, on_delete=models.CASCADE, null=True, blank=True, related_name="awards"
    )
    corrida = models.ForeignKey(
        Corrida, on_delete=models.CASCADE, null=True, blank=True, related_name="awards"
    )
    turn = models.PositiveSmallIntegerField(_("turn"), null=True, blank=True)

    class Meta:
        verbose_name = _("award")
        verbose_name_plural = _("awards")
        constraints = [
            models.UniqueConstraint(
                fields=["season", "key"], condition=Q(feria=None), name="season_award_once"
            ),
            models.UniqueConstraint(
                fields=["feria", "key"], condition=~Q(feria=None), name="feria_award_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.score}"
