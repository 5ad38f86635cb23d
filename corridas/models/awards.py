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
    """The best result of one kind, in one place of the record book.

    `key` names the kind (`world.records`). `scope` and `of` name the place: the whole circuit (`of`
    empty), or a plaza, feria, herd or matador by its slug. The earliest holder keeps a record that
    somebody equals. `corrida` and `turn` locate it, where it has a corrida. `before` is the value
    at the beginning of its season, where there was one.
    """

    class Scope(models.TextChoices):
        """The kind of place a record belongs to."""

        CIRCUIT = "circuit", _("circuit")
        PLAZA = "plaza", _("plaza")
        FERIA = "feria", _("feria")
        HERD = "herd", _("herd")
        MATADOR = "matador", _("matador")

    circuit = models.ForeignKey(
        Circuit,
        on_delete=models.CASCADE,
        related_name="records",
        db_index=False,
        verbose_name=_("circuit"),
    )
    key = models.CharField(_("type"), max_length=30)
    scope = models.CharField(_("scope"), max_length=7, choices=Scope.choices)
    of = models.CharField(_("address in the scope"), max_length=120, blank=True)
    value = models.IntegerField(_("value"))
    before = models.IntegerField(_("before"), null=True, blank=True)
    season = models.ForeignKey(
        Season,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        db_index=False,
        verbose_name=_("season"),
    )
    corrida = models.ForeignKey(
        Corrida,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="records",
        db_index=False,
        verbose_name=_("corrida"),
    )
    turn = models.PositiveSmallIntegerField(_("turn"), null=True, blank=True)
    matador = models.ForeignKey(
        Matador,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="records",
        verbose_name=_("matador"),
    )
    ganaderia = models.ForeignKey(
        Ganaderia,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="records",
        db_index=False,
        verbose_name=_("herd"),
    )
    bull = models.ForeignKey(
        Bull,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="records",
        db_index=False,
        verbose_name=_("bull"),
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


class Palmares(models.Model):
    """A matador's totals in one place of the circuit, over all seasons and in the latest.

    `scope` and `of` as in `Record`, without matadors; the row of the circuit is his career. Totals
    of `season`, the latest in which he appeared there, begin with `now_`. `leads` counts seasons
    ended in first place, in the circuit's row only. Updated when a corrida is posted.
    """

    circuit = models.ForeignKey(
        Circuit,
        on_delete=models.CASCADE,
        related_name="palmares",
        db_index=False,
        verbose_name=_("circuit"),
    )
    scope = models.CharField(_("scope"), max_length=7, choices=Record.Scope.choices)
    of = models.CharField(_("address in the scope"), max_length=120, blank=True)
    matador = models.ForeignKey(
        Matador, on_delete=models.CASCADE, related_name="palmares", verbose_name=_("matador")
    )
    season = models.ForeignKey(
        Season,
        on_delete=models.CASCADE,
        related_name="palmares",
        db_index=False,
        verbose_name=_("season"),
    )
    seasons = models.PositiveSmallIntegerField(_("seasons"), default=0)
    leads = models.PositiveSmallIntegerField(_("seasons in first place"), default=0)
    corridas = models.PositiveIntegerField(_("corridas"), default=0)
    ears = models.PositiveIntegerField(_("ears"), default=0)
    tails = models.PositiveIntegerField(_("tails"), default=0)
    indultos = models.PositiveIntegerField(_("indultos"), default=0)
    avisos = models.PositiveIntegerField(_("avisos"), default=0)
    now_corridas = models.PositiveSmallIntegerField(default=0)
    now_ears = models.PositiveSmallIntegerField(default=0)
    now_tails = models.PositiveSmallIntegerField(default=0)
    now_indultos = models.PositiveSmallIntegerField(default=0)
    now_avisos = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("palmarés")
        verbose_name_plural = _("palmarés")
        constraints = [
            models.UniqueConstraint(
                fields=["circuit", "scope", "of", "matador"], name="palmares_row"
            ),
        ]
        indexes = [models.Index(fields=["season", "scope", "of"], name="palmares_now")]

    def __str__(self) -> str:
        return f"{self.matador_id} {self.scope} {self.of}: {self.ears}"


class Award(models.Model):
    """An award of a feria, or of a season where `feria` is None, by a published formula.

    `key` names the formula (`world.awards`), `score` is its result and `detail` its terms. Without
    a winner the jury left it unawarded.
    """

    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, related_name="awards", verbose_name=_("season")
    )
    feria = models.ForeignKey(
        Feria,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="awards",
        verbose_name=_("feria"),
    )
    key = models.CharField(_("award"), max_length=20)
    score = models.IntegerField(_("score"))
    detail = models.JSONField(default=dict, blank=True)
    matador = models.ForeignKey(
        Matador,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="awards",
        verbose_name=_("matador"),
    )
    ganaderia = models.ForeignKey(
        Ganaderia,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="awards",
        verbose_name=_("herd"),
    )
    bull = models.ForeignKey(
        Bull,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="awards",
        verbose_name=_("bull"),
    )
    corrida = models.ForeignKey(
        Corrida,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="awards",
        verbose_name=_("corrida"),
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
