"""Model of the escalafón, the ranking of matadors in a season."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from corridas import engine
from corridas.models.matadors import Matador
from corridas.models.seasons import Season

COUNTERS = ("corridas", *engine.COUNTERS, "injuries")


class Escalafon(models.Model):
    """Counters of a matador in one season and one category of plaza (Ruling I-17).

    They are updated when the results of a corrida are posted, and can be recalculated from the
    fights. `corridas` counts appearances, and `bulls` fights that he finished. For `ears`, a tail
    counts as two ears. `two_ears` counts bulls with two ears or more, `vueltas` laps of honour and
    `indultos` spared bulls. `avisos` are time warnings; `three_avisos` counts fights stopped by the
    third one, which is also counted in `avisos`. `injuries` counts corridas that he could not
    finish.
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
