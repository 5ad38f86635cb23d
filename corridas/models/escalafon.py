"""The escalafón: one row of counters per season, matador and category of plaza."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from corridas import engine
from corridas.models.matadors import Matador
from corridas.models.seasons import Season

COUNTERS = ("corridas", *engine.COUNTERS, "injuries")


class Escalafon(models.Model):
    """Counters updated when a corrida is posted (Ruling I-17); rebuilding must give the same.

    `corridas`: paseíllos; `bulls`: lidias finished; `ears`: a tail counts as two ears and a tail;
    `two_ears`: bulls that brought two ears or more; `three_avisos`: stopped by a third aviso, which
    counts among the `avisos`; `injuries`: corridas he could not finish.
    """

    season = models.ForeignKey(
        Season,
        verbose_name=_("season"),
        on_delete=models.CASCADE,
        related_name="escalafon",
        db_index=False,
    )
    matador = models.ForeignKey(
        Matador, verbose_name=_("matador"), on_delete=models.CASCADE, related_name="escalafon"
    )
    category = models.PositiveSmallIntegerField(_("category"))
    corridas = models.PositiveSmallIntegerField(_("corridas"), default=0)
    bulls = models.PositiveSmallIntegerField(_("bulls"), default=0)
    ears = models.PositiveSmallIntegerField(_("ears"), default=0)
    tails = models.PositiveSmallIntegerField(_("tails"), default=0)
    two_ears = models.PositiveSmallIntegerField(_("two ears"), default=0)
    vueltas = models.PositiveSmallIntegerField(_("vueltas"), default=0)
    indultos = models.PositiveSmallIntegerField(_("indultos"), default=0)
    avisos = models.PositiveSmallIntegerField(_("avisos"), default=0)
    three_avisos = models.PositiveSmallIntegerField(_("three avisos"), default=0)
    injuries = models.PositiveSmallIntegerField(_("injuries"), default=0)

    class Meta:
        verbose_name = _("escalafón")
        verbose_name_plural = _("escalafón")
        constraints = [
            models.UniqueConstraint(fields=["season", "matador", "category"], name="escalafon_row"),
        ]

    def __str__(self) -> str:
        return f"{self.matador}, {self.season}"
