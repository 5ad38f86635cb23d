"""Models of plazas (bullrings), of herds and of their bulls."""

from __future__ import annotations

from typing import Final

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.names.fields import NameKeyField, SearchTextField, SparseNameKeyField
from corridas.models.circuits import Circuit


class Plaza(models.Model):
    """A plaza (bullring). The score of a fight is divided by its category, 1 to 3 (Ruling I-12).

    `latitude` and `longitude` are optional, and only used to show distances.
    """

    class Continent(models.TextChoices):
        """The continent. Matadors cannot cross the ocean overnight."""

        EUROPE = "EU", _("Europe")
        AMERICA = "AM", _("America")

    FOLDERS: Final = ("plazas/", "api/v1/circuits/<slug:circuit>/plazas/")

    circuit = models.ForeignKey(
        Circuit, verbose_name=_("circuit"), on_delete=models.CASCADE, related_name="plazas"
    )
    slug = models.SlugField(_("address"), max_length=60)
    name = models.CharField(_("name"), max_length=60)
    city = models.CharField(_("city"), max_length=60)
    country = models.CharField(_("country"), max_length=2)
    continent = models.CharField(_("continent"), max_length=2, choices=Continent.choices)
    category = models.PositiveSmallIntegerField(_("category"))
    seats = models.PositiveIntegerField(_("seats"), null=True, blank=True)
    latitude = models.FloatField(
        _("latitude"),
        null=True,
        blank=True,
        help_text=_("In degrees. South of the equator, enter a negative number."),
        validators=[MinValueValidator(-90), MaxValueValidator(90)],
    )
    longitude = models.FloatField(
        _("longitude"),
        null=True,
        blank=True,
        help_text=_("In degrees. West of Greenwich, enter a negative number."),
        validators=[MinValueValidator(-180), MaxValueValidator(180)],
    )
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True)
    name_key = NameKeyField("name")
    city_key = NameKeyField("city")
    search_text = SearchTextField("name", "city", "slug")

    class Meta:
        verbose_name = _("plaza")
        verbose_name_plural = _("plazas")
        ordering = ["city_key", "name_key", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["circuit", "slug"],
                name="plaza_slug",
                violation_error_code="slug",
                violation_error_message=_(
                    "Another plaza in this circuit already has this address."
                ),
            ),
            models.CheckConstraint(
                condition=models.Q(category__range=(1, 3)),
                name="plaza_category",
                violation_error_code="category",
                violation_error_message=_(
                    "The category of a plaza must be 1, 2 or 3 (Ruling I-12)."
                ),
            ),
            models.CheckConstraint(
                condition=models.Q(continent__in=("EU", "AM")),
                name="plaza_continent",
                violation_error_code="continent",
                violation_error_message=_(
                    "Choose Europe or America as the continent of the plaza."
                ),
            ),
            models.CheckConstraint(
                condition=models.Q(seats=None) | models.Q(seats__range=(1, 99_999)),
                name="plaza_seats",
                violation_error_code="seats",
                violation_error_message=_(
                    "Enter a number of seats from 1 to 99,999, or leave the field empty if the "
                    "number is not known."
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.city}"


class Ganaderia(models.Model):
    """A herd of fighting bulls.

    `renown` is its rank in the circuit, 0 for the most famous. It changes each winter with the
    results of its bulls.
    """

    FOLDERS: Final = ("ganaderias/", "api/v1/circuits/<slug:circuit>/herds/")

    circuit = models.ForeignKey(
        Circuit, verbose_name=_("circuit"), on_delete=models.CASCADE, related_name="herds"
    )
    slug = models.SlugField(_("address"), max_length=60)
    name = models.CharField(_("name"), max_length=60)
    country = models.CharField(_("country"), max_length=2)
    continent = models.CharField(_("continent"), max_length=2, choices=Plaza.Continent.choices)
    encaste = models.CharField(_("encaste"), max_length=40, blank=True)
    renown = models.PositiveSmallIntegerField(_("renown"), default=0)
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True)
    name_key = NameKeyField("name")
    search_text = SearchTextField("name", "encaste", "slug")

    class Meta:
        verbose_name = _("ganadería")
        verbose_name_plural = _("ganaderías")
        ordering = ["renown", "name_key", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["circuit", "slug"],
                name="herd_slug",
                violation_error_code="slug",
                violation_error_message=_("Another herd in this circuit already has this address."),
            ),
            models.CheckConstraint(
                condition=models.Q(continent__in=("EU", "AM")),
                name="herd_continent",
                violation_error_code="continent",
                violation_error_message=_("Choose Europe or America as the continent of the herd."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Bull(models.Model):
    """A bull, which fights only once.

    `cartel` is the poster of its corrida and `place` (0-5) its place among the six bulls. `sire` is
    its ancestor, a bull of its herd that was spared in an earlier season, or None.
    """

    class State(models.TextChoices):
        """The state of a bull. A bull that has fought never fights again."""

        CAMPO = "campo", _("in the field")
        MUERTO = "muerto", _("killed")
        SEMENTAL = "semental", _("spared, now a sire")
        CORRALES = "corrales", _("returned to the corrals")

    ganaderia = models.ForeignKey(
        Ganaderia,
        verbose_name=_("ganadería"),
        on_delete=models.PROTECT,
        related_name="bulls",
        db_index=False,
    )
    year = models.PositiveSmallIntegerField(_("year"))
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=30)
    coat = models.CharField(_("coat"), max_length=30)
    weight = models.PositiveSmallIntegerField(_("weight in kg"))
    state = models.CharField(_("fate"), max_length=8, choices=State.choices, default=State.CAMPO)
    cartel = models.ForeignKey(
        "corridas.Cartel",
        verbose_name=_("cartel"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="bulls",
    )
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    sire = models.ForeignKey(
        "self",
        verbose_name=_("sire"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="offspring",
        db_index=False,
    )
    name_key = SparseNameKeyField("name")

    class Meta:
        verbose_name = _("bull")
        verbose_name_plural = _("bulls")
        constraints = [
            models.UniqueConstraint(
                fields=["ganaderia", "year", "number"],
                name="bull_number",
                violation_error_code="number",
                violation_error_message=_(
                    "Another bull from this herd already has this number in the same year."
                ),
            ),
            models.CheckConstraint(
                condition=models.Q(place=None) | models.Q(place__range=(0, 5)), name="bull_place"
            ),
            models.CheckConstraint(
                condition=models.Q(weight__range=(300, 800)),
                name="bull_weight",
                violation_error_code="weight",
                violation_error_message=_("A bull must weigh from 300 to 800 kg."),
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=("campo", "muerto", "semental", "corrales")),
                name="bull_state",
                violation_error_code="state",
            ),
            models.CheckConstraint(
                condition=~models.Q(sire=models.F("id")),
                name="bull_sire",
                violation_error_code="sire",
                violation_error_message=_("A bull can’t be its own sire."),
            ),
        ]
        indexes = [
            models.Index(
                fields=["ganaderia", "year"],
                name="bull_sires",
                condition=models.Q(state="semental"),
            ),
            # Few bulls have a sire.
            models.Index(
                fields=["sire"],
                name="bull_offspring",
                condition=models.Q(sire__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, nº {self.number}"
