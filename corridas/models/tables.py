"""Models of corridas that people play with real cards."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from corridas.models.circuits import Circuit
from corridas.models.corridas import Corrida
from corridas.models.places import Plaza
from leagues.models import Match


class TableCorrida(models.Model):
    """A corrida that was or will be played with real cards at a table.

    Its `match` says who entered the result and who confirmed it. `circuit` is None if a club plays
    it outside any circuit. `corrida` is the planned corrida assigned to the table, or the row
    created when the result was counted. If no result is entered for a planned corrida by its
    `deadline`, it is simulated from the seed that was committed to before. `evidence` says how far
    the result was verified (Ruling I-18), and is set when the result is stored.
    """

    class Evidence(models.TextChoices):
        """How far the referee could verify the result, the weakest level first."""

        SCORE = "score", _("result only")
        SHEET = "sheet", _("scoresheet without contradictions")
        CARDS = "cards", _("every card verified")

    match = models.OneToOneField(
        Match, on_delete=models.PROTECT, related_name="table_corrida", verbose_name=_("match")
    )
    circuit = models.ForeignKey(
        Circuit,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="table_corridas",
        verbose_name=_("circuit"),
    )
    plaza = models.ForeignKey(
        Plaza, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("plaza")
    )
    date = models.DateField(_("date"))
    corrida = models.OneToOneField(
        Corrida,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="at_table",
        verbose_name=_("corrida"),
    )
    given = models.BooleanField(_("from the calendar of the season"), default=False)
    deadline = models.DateTimeField(_("deadline for entering the result"), null=True, blank=True)
    evidence = models.CharField(
        _("evidence"), max_length=5, choices=Evidence.choices, blank=True, default=""
    )
    filed_at = models.DateTimeField(_("counted"), null=True, blank=True)

    class Meta:
        verbose_name = _("corrida at a table")
        verbose_name_plural = _("corridas at tables")
        indexes = [
            models.Index(
                fields=["deadline"],
                name="table_corrida_due",
                condition=Q(given=True, filed_at=None),
            )
        ]

    def __str__(self) -> str:
        return f"{self.plaza or self.match_id}, {date_format(self.date)}"
