"""Models of the record book, and of the awards for ferias and seasons."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corridas.models.circuits import Circuit
from corridas.models.corridas import Corrida
from corridas.models.matadors import Matador
from corridas.models.places import Bull, Ganaderia
from corridas.models.seasons import Feria, Season
from corridas.world.records import BY_KEY, KEYS

if TYPE_CHECKING:
    _StoredNumber = models.PositiveSmallIntegerField[str, str]
else:
    _StoredNumber = models.PositiveSmallIntegerField


class RecordKeyField(_StoredNumber):
    """The key of a kind of record, stored as a number to save space.

    A record book has many rows, and the text of the key would be most of each row.
    """

    _pyi_private_get_type: str  # type: ignore[assignment]

    def from_db_value(self, value: int | None, _expression: object, _connection: object) -> Any:
        """Return the key for a number from the database."""
        return None if value is None else KEYS[value]

    def to_python(self, value: object) -> Any:
        """Return the key for a key or its number."""
        return KEYS[value] if isinstance(value, int) else value

    def get_prep_value(self, value: object) -> Any:
        """Return the number of a key, which is stored in the database."""
        return BY_KEY[value].number if isinstance(value, str) else value


class RecordBook(models.Model):
    """The record book of one place in a circuit, with its records and its matadors' totals.

    The place is the whole circuit (`of` is empty), or the slug of a plaza, feria, herd or matador.
    `season` is the latest season with a corrida in that place. The columns that begin with `now_`
    are totals of all matadors in that season. In a matador's own book they are not used.
    """

    class Scope(models.TextChoices):
        """The kind of place that a record book is about."""

        CIRCUIT = "circuit", _("circuit")
        PLAZA = "plaza", _("plaza")
        FERIA = "feria", _("feria")
        HERD = "herd", _("herd")
        MATADOR = "matador", _("matador")

    circuit = models.ForeignKey(
        Circuit,
        on_delete=models.CASCADE,
        related_name="record_books",
        db_index=False,
        verbose_name=_("circuit"),
    )
    scope = models.CharField(_("scope"), max_length=7, choices=Scope.choices)
    of = models.CharField(
        _("address of the plaza, feria, herd or matador"), max_length=120, blank=True
    )
    season = models.ForeignKey(
        Season,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        verbose_name=_("season"),
    )
    now_ears = models.PositiveSmallIntegerField(default=0)
    now_tails = models.PositiveSmallIntegerField(default=0)
    now_indultos = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("record book")
        verbose_name_plural = _("record books")
        constraints = [
            models.UniqueConstraint(fields=["circuit", "scope", "of"], name="record_book_once"),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.of}"


class Record(models.Model):
    """The best result of one kind in a record book.

    `key` is the kind (`world.records`). If another matador equals the record, the earlier holder
    keeps it. `corrida` and `turn` say where it was set, unless it covers a season or a career.
    `before` is the value at the beginning of its season, None if there was no record.
    """

    book = models.ForeignKey(
        RecordBook,
        on_delete=models.CASCADE,
        related_name="records",
        db_index=False,
        verbose_name=_("record book"),
    )
    key = RecordKeyField(_("type"))
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
        db_index=False,
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

    class Meta:
        verbose_name = _("record")
        verbose_name_plural = _("records")
        db_table = "corridas_bookrecord"  # `corridas_record` is that of `EarlierRecord`
        constraints = [
            models.UniqueConstraint(fields=["book", "key"], name="book_record_once"),
        ]
        # Without these indexes, deleting a corrida or a bull would scan the whole table.
        indexes = [
            models.Index(fields=["corrida"], name="record_of_corrida"),
            models.Index(fields=["bull"], name="record_of_bull"),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.book_id}: {self.value}"

    @property
    def set_on(self) -> dt.date | None:
        """The date of the corrida in which the record was set, None if it has no corrida."""
        return self.corrida.date if self.corrida else None


class Palmares(models.Model):
    """A matador's totals in one place of a circuit: for all seasons, and for the latest.

    The row in the record book of the whole circuit is his career. Matadors' own record books have
    no such rows. `season` is the latest season in which he appeared in the place; its totals begin
    with `now_`. `leads` counts seasons that he ended as the leader, and is only used in the row for
    the whole circuit. Rows are updated when a corrida is posted.
    """

    book = models.ForeignKey(
        RecordBook,
        on_delete=models.CASCADE,
        related_name="palmares",
        db_index=False,
        verbose_name=_("record book"),
    )
    matador = models.ForeignKey(
        Matador,
        on_delete=models.CASCADE,
        related_name="palmares",
        db_index=False,
        verbose_name=_("matador"),
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
        db_table = "corridas_bookpalmares"  # `corridas_palmares` is that of `EarlierPalmares`
        constraints = [
            models.UniqueConstraint(fields=["book", "matador"], name="book_palmares_once"),
        ]

    def __str__(self) -> str:
        return f"{self.matador_id} {self.book_id}: {self.ears}"


class Award(models.Model):
    """An award of a feria, or of a season if `feria` is None, given by a published formula.

    `key` is the formula (`world.awards`), `score` its result and `detail` its terms. An award
    without a winner was not given to anybody. `version` is the version of the rules
    (`world.awards.VERSION`).
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
        db_index=False,
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
        db_index=False,
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
    version = models.PositiveSmallIntegerField(
        _("version of the rules"), default=1, db_default=1, editable=False
    )

    class Meta:
        verbose_name = _("award")
        verbose_name_plural = _("awards")
        constraints = [
            models.UniqueConstraint(
                fields=["season", "key"], condition=Q(feria=None), name="season_award_once"
            ),
            models.UniqueConstraint(
                fields=["feria", "key"], condition=Q(feria__isnull=False), name="feria_award_once"
            ),
        ]
        indexes = [
            models.Index(fields=["bull"], name="award_of_bull", condition=Q(bull__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.score}"
