"""Models of matadors, of their cards and of their injuries."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from django.db import models
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.names.fields import NameKeyField, SearchTextField
from corridas.engine import RANGES
from corridas.engine import MatadorCard as EngineCard
from corridas.models.circuits import Circuit
from corridas.world.chances import CATEGORIES, Chances
from corridas.world.names import display_name

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


# Names of the styles of fighting that a matador may have (`world.roster.columns.STYLES`).
STYLES: Final[Mapping[str, _StrPromise]] = {
    "classic": pgettext_lazy("style of a matador", "classic"),
    "stylist": pgettext_lazy("style of a matador", "stylist"),
    "artist": pgettext_lazy("style of a matador", "artist"),
    "swordsman": pgettext_lazy("style of a matador", "swordsman"),
    "reckless": pgettext_lazy("style of a matador", "reckless"),
    "cold": pgettext_lazy("style of a matador", "cold"),
    "dominator": pgettext_lazy("style of a matador", "dominator"),
    "showman": pgettext_lazy("style of a matador", "showman"),
}


class Matador(models.Model):
    """A matador and his career.

    Dates of birth and death may consist of a year only. `distinction` is a text such as “Ronda,
    1980” if another matador of the circuit has the same name, otherwise empty;
    `simulation.namesakes.tell_apart` updates it. `form` contains one letter of `world.form` for
    each of his last ten bulls, the newest last, and is updated when a corrida is posted.
    `counted_from` is the year from which his age is counted in this circuit, because historical
    matadors of all times are young there at once. `promise` is his potential rating, and only
    visible to administrators. `padrino` and `testigo` attended his alternativa, the ceremony that
    made him a matador. `retired_in` is the year of his last season. `seasons` counts seasons in
    which he appeared, and is updated each winter.
    """

    class State(models.TextChoices):
        """The stage of his career. Only active matadors are contracted."""

        NOVILLERO = "novillero", _("novillero")
        ACTIVE = "active", _("active")
        RETIRED = "retired", _("retired")

    FOLDERS: Final = ("matadores/", "api/v1/circuits/<slug:circuit>/matadors/")

    circuit = models.ForeignKey(
        Circuit, verbose_name=_("circuit"), on_delete=models.CASCADE, related_name="matadors"
    )
    slug = models.SlugField(_("address"), max_length=60)
    name = models.CharField(_("name"), max_length=60)
    apodo = models.CharField(_("apodo"), max_length=40, blank=True)
    country = models.CharField(_("country"), max_length=2, blank=True)
    birthplace = models.CharField(_("birthplace"), max_length=60, blank=True)
    born = models.CharField(_("born"), max_length=10, blank=True)
    died = models.CharField(_("died"), max_length=10, blank=True)
    deathplace = models.CharField(_("place of death"), max_length=60, blank=True)
    alternativa = models.DateField(_("alternativa"), null=True, blank=True)
    alternativa_place = models.CharField(_("place of the alternativa"), max_length=60, blank=True)
    style = models.CharField(_("style"), max_length=30, blank=True)
    distinction = models.CharField(
        _("distinction"), max_length=80, blank=True, default="", db_default="", editable=False
    )
    form = models.CharField(_("form"), max_length=10, blank=True, editable=False)
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.ACTIVE)
    name_key = NameKeyField("name")
    billing_key = NameKeyField("apodo", "name")
    search_text = SearchTextField("name", "apodo", "birthplace", "slug")
    counted_from = models.PositiveSmallIntegerField(
        _("year of birth in the game"), null=True, blank=True
    )
    promise = models.PositiveSmallIntegerField(_("potential"), null=True, blank=True)
    retired_in = models.PositiveSmallIntegerField(_("retired in"), null=True, blank=True)
    seasons = models.PositiveSmallIntegerField(_("seasons active"), default=0, editable=False)
    fictional = models.BooleanField(_("invented"), default=False)
    padrino = models.ForeignKey(
        "self",
        verbose_name=_("padrino"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="godsons",
    )
    testigo = models.ForeignKey(
        "self",
        verbose_name=_("testigo"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )

    class Meta:
        verbose_name = _("matador")
        verbose_name_plural = _("matadors")
        ordering = ["name_key", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["circuit", "slug"],
                name="matador_slug",
                violation_error_code="slug",
                violation_error_message=_(
                    "Another matador in this circuit already has this address."
                ),
            ),
            models.CheckConstraint(
                condition=models.Q(promise=None) | models.Q(promise__range=(1, 100)),
                name="matador_promise",
                violation_error_code="promise",
                violation_error_message=_("Enter a potential from 1 to 100."),
            ),
            models.CheckConstraint(
                condition=models.Q(state="retired") | models.Q(retired_in=None),
                name="matador_retired",
                violation_error_code="retired_in",
                violation_error_message=_("Only a retired matador can have a year of retirement."),
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=("novillero", "active", "retired")),
                name="matador_state",
                violation_error_code="state",
            ),
            models.CheckConstraint(
                condition=~models.Q(padrino=models.F("id")) & ~models.Q(testigo=models.F("id")),
                name="matador_own_padrino",
                violation_error_code="padrino",
                violation_error_message=_("A matador can’t be his own padrino or testigo."),
            ),
            models.CheckConstraint(
                condition=~models.Q(padrino=models.F("testigo")),
                name="matador_padrino",
                violation_error_code="testigo",
                violation_error_message=_(
                    "The padrino and the testigo must be two different matadors."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.billing

    @property
    def billing(self) -> str:
        """The name of the matador on posters: his apodo (nickname) if he has one.

        A distinction is added if another matador of the circuit has the same name.
        """
        return display_name(self.name, self.apodo, self.distinction)

    @property
    def called(self) -> tuple[str, str, str]:
        """Name, apodo (nickname) and distinction of the matador, from which `world.short_names`
        makes a short name.
        """
        return self.name, self.apodo, self.distinction

    @property
    def style_name(self) -> str:
        """The name of the style, or an empty text if there is none."""
        return str(STYLES.get(self.style, self.style))


def _range(label: str | _StrPromise | None = None) -> models.CharField[str, str]:
    return models.CharField(label, max_length=7, default="-")


def _chance(label: str | _StrPromise) -> models.FloatField[float | None, float | None]:
    return models.FloatField(label, null=True, blank=True, editable=False)


# The columns with chances: the name of the figure and the category of plaza by column.
CHANCES: Final[Mapping[str, tuple[str, int]]] = {
    f"{field.name}_{category}": (field.name, category)
    for category in CATEGORIES
    for field in fields(Chances)
}


class MatadorCard(models.Model):
    """A version of a matador's card, with its ranges in text form such as `81-94` (Ruling I-13).

    New contracts use the card with the highest `printing`. Played corridas keep the card that they
    were played with. `since` is the year of the season for which the card was printed, None for the
    first card of a roster.

    The chances are calculated from the ranges, and from the deck and the rules of the circuit
    (`world.chances`): `ear_1` is the chance of at least one ear in a plaza of the first category,
    from 0 to 1, and `ears_1` the mean number of ears per bull there. They are None if the score
    counts of the deck do not exist yet (`card_chances`).
    """

    matador = models.ForeignKey(
        Matador, verbose_name=_("matador"), on_delete=models.CASCADE, related_name="cards"
    )
    printing = models.PositiveSmallIntegerField(_("printing"), default=1)
    rating = models.PositiveSmallIntegerField(_("rating"))
    since = models.PositiveSmallIntegerField(_("printed for"), null=True, blank=True)
    oreja = _range()
    dos_orejas = _range()
    rabo = _range()
    vuelta = _range()
    bronca = _range()
    pitos = _range()
    silencio = _range()
    division = _range(_("división"))
    aplausos = _range()
    ovacion = _range(_("ovación"))
    aviso = _range()
    indulto = _range()
    ear_1 = _chance(_("ear, category 1"))
    two_ears_1 = _chance(_("two ears, category 1"))
    lap_1 = _chance(_("lap, category 1"))
    ears_1 = _chance(_("ears per bull, category 1"))
    ear_2 = _chance(_("ear, category 2"))
    two_ears_2 = _chance(_("two ears, category 2"))
    lap_2 = _chance(_("lap, category 2"))
    ears_2 = _chance(_("ears per bull, category 2"))
    ear_3 = _chance(_("ear, category 3"))
    two_ears_3 = _chance(_("two ears, category 3"))
    lap_3 = _chance(_("lap, category 3"))
    ears_3 = _chance(_("ears per bull, category 3"))

    class Meta:
        verbose_name = _("card")
        verbose_name_plural = _("cards")
        ordering = ["matador", "-printing"]
        indexes = [
            models.Index(
                fields=["matador"], condition=models.Q(ear_1=None), name="card_without_chances"
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["matador", "printing"], name="card_printing"),
            models.CheckConstraint(condition=models.Q(printing__gte=1), name="card_first_printing"),
            models.CheckConstraint(
                condition=models.Q(rating__range=(1, 100)),
                name="card_rating",
                violation_error_code="rating",
                violation_error_message=_("Enter a rating from 1 to 100."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.matador} ({self.printing})"

    def engine_card(self) -> EngineCard:
        """Return the card for the engine, with the matador's slug as its key (Ruling I-14).

        Raises `CardError` if the ranges are inconsistent.
        """
        name = unicodedata.normalize("NFC", self.matador.name)
        of = self.matador
        return EngineCard.parse(name, self.rating, of.alternativa, self.ranges(), of.slug)

    def chances(self, category: int) -> Chances | None:
        """Return the chances in plazas of this category, or None if they are not calculated."""
        names = [name for name, (_figure, at) in CHANCES.items() if at == category]
        values = {CHANCES[name][0]: getattr(self, name) for name in names}
        return None if None in values.values() else Chances(**values)

    def ranges(self) -> dict[str, str]:
        """Return every range by name in text form, such as `81-94`."""
        return {name: getattr(self, name) for name in RANGES}

    @classmethod
    def from_json(cls, matador: int, card: Mapping[str, Any]) -> MatadorCard:
        """Return an unsaved card of a matador, given by his key, from the JSON written by
        `to_json`.
        """
        own = {name: card[name] for name in ("printing", "rating", "since")}
        return cls(matador_id=matador, **own, **card["ranges"])

    def to_json(self) -> dict[str, object]:
        """Return the card as a JSON object for a season file, where it belongs to its matador.

        The methods `to_json` and `face` of the engine's card return other forms: the first adds the
        matador's name and alternativa, the second leaves out the printing.
        """
        return {
            "printing": self.printing,
            "rating": self.rating,
            "since": self.since,
            "ranges": self.ranges(),
        }


# Names of the grades of an injury in the surgeon's report (`world.injuries.Grade`).
GRADES: Final[Mapping[str, _StrPromise]] = {
    "leve": pgettext_lazy("of an injury", "slight"),
    "menos_grave": pgettext_lazy("of an injury", "less serious"),
    "grave": pgettext_lazy("of an injury", "serious"),
    "muy_grave": pgettext_lazy("of an injury", "very serious"),
}


class Injury(models.Model):
    """An injury. The matador cannot fight from `since` to `until`, both days included."""

    matador = models.ForeignKey(
        Matador, verbose_name=_("matador"), on_delete=models.CASCADE, related_name="injuries"
    )
    corrida = models.ForeignKey(
        "corridas.Corrida", verbose_name=_("corrida"), on_delete=models.CASCADE
    )
    turn = models.PositiveSmallIntegerField(_("turn"))
    grade = models.CharField(_("grade"), max_length=12)
    since = models.DateField(_("since"))
    until = models.DateField(_("until"))

    class Meta:
        verbose_name = _("injury")
        verbose_name_plural = _("injuries")
        ordering = ["-since"]
        constraints = [
            models.UniqueConstraint(fields=["corrida", "matador"], name="one_injury_a_corrida"),
            models.CheckConstraint(
                condition=models.Q(until__gte=models.F("since")), name="injury_until"
            ),
        ]

    def __str__(self) -> str:
        days = f"{date_format(self.since)} – {date_format(self.until)}"
        return f"{self.matador}: {self.grade_name}, {days}"

    @property
    def grade_name(self) -> str:
        """The name of the grade."""
        return str(GRADES.get(self.grade, self.grade))
