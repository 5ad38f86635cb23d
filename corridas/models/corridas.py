"""Models of corridas, of their carteles (posters), and of the fights with their six bulls."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from corridas.engine import Crowd, Ending, Trophy
from corridas.models.circuits import Deck
from corridas.models.matadors import Matador, MatadorCard
from corridas.models.places import Bull, Ganaderia, Plaza
from corridas.models.seasons import Feria, Run, Season
from corridas.world.box_office import house_word
from corridas.world.broadcast import Timeline

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERVAL_MS = 12_000
PASEILLO_MS = 8_000


class CorridaQuerySet(models.QuerySet["Corrida"]):
    """Filters for corridas by state."""

    def over(self) -> CorridaQuerySet:
        """Return finished corridas with public results. Suspended ones are included."""
        return self.filter(state__in=Corrida.OVER)

    def to_come(self) -> CorridaQuerySet:
        """Return corridas that have not begun."""
        return self.filter(state__in=(Corrida.State.ANNOUNCED, Corrida.State.QUEUED))

    def free_for_the_sand(self) -> CorridaQuerySet:
        """Return waiting corridas that can be broadcast now.

        Their matadors are in no other corrida that is queued or being broadcast, because they might
        be injured there.
        """
        live = (Corrida.State.QUEUED, Corrida.State.ON_AIR)
        fighting = Puesto.objects.filter(cartel__corrida__state__in=live).values("matador")
        waiting = self.filter(state__in=(Corrida.State.ANNOUNCED, Corrida.State.FAILED))
        return waiting.exclude(
            pk__in=Puesto.objects.filter(matador__in=fighting).values("cartel__corrida")
        )

    def on_air(self) -> CorridaQuerySet:
        """Return corridas that are being broadcast."""
        return self.filter(state=Corrida.State.ON_AIR)

    def of_season(self, season: Season) -> CorridaQuerySet:
        """Return the corridas of a season, ordered by date."""
        return self.filter(season=season).order_by("date", "pk")


class Corrida(models.Model):
    """A corrida: an afternoon with six bulls in a plaza.

    Results are hidden while a corrida is broadcast. What is visible follows from `on_air_at`,
    `pace_ms` and the cards of its fights. The state becomes `posted` or `suspended` when the
    broadcast ends or is cut short, or when the corrida is simulated without a broadcast. `run` is
    the run (the job that continues a season) that played it or posted its results, otherwise None.
    `ears`, `tails`, `indultos` (spared bulls) and `hurt` (injured matadors) are totals calculated
    when it is posted.

    `house` says how full the plaza is, in thousandths of the seats, and is known when the corrida
    begins. `mood` is that of the town after it, in hundredths of a point, known when it is posted.
    `turnout` holds what `house` was calculated from (`simulation.houses.Turnout`). All three are
    None if the season has no pars.
    """

    class State(models.TextChoices):
        """The progress of a corrida."""

        ANNOUNCED = "announced", _("announced")
        QUEUED = "queued", _("about to begin")
        ON_AIR = "on_air", _("on air")
        POSTED = "posted", _("over")
        SUSPENDED = "suspended", _("suspended")
        FAILED = "failed", _("failed")
        AT_TABLE = "at_table", _("assigned to a table")

    class Origin(models.TextChoices):
        """Where the corrida was played: on this site, or with real cards at a table."""

        HERE = "here", _("here")
        TABLE = "table", _("at a table")

    OVER = (State.POSTED, State.SUSPENDED)

    season = models.ForeignKey(
        Season,
        verbose_name=_("season"),
        on_delete=models.CASCADE,
        related_name="corridas",
        db_index=False,
    )
    feria = models.ForeignKey(
        Feria,
        verbose_name=_("feria"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="corridas",
    )
    plaza = models.ForeignKey(
        Plaza,
        verbose_name=_("plaza"),
        on_delete=models.PROTECT,
        related_name="corridas",
        db_index=False,
    )
    date = models.DateField(_("date"))
    state = models.CharField(
        _("state"), max_length=9, choices=State.choices, default=State.ANNOUNCED
    )
    pace_ms = models.PositiveIntegerField(_("milliseconds per card"), null=True, blank=True)
    queued_at = models.DateTimeField(_("queued since"), null=True, blank=True)
    on_air_at = models.DateTimeField(_("on air from"), null=True, blank=True)
    ends_at = models.DateTimeField(_("ends at"), null=True, blank=True)
    posted_at = models.DateTimeField(_("posted at"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    error = models.TextField(_("error"), blank=True)
    run = models.ForeignKey(
        Run,
        verbose_name=_("season run"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="corridas",
    )
    origin = models.CharField(
        _("fought"), max_length=5, choices=Origin.choices, default=Origin.HERE
    )
    ears = models.PositiveSmallIntegerField(_("ears"), default=0, db_default=0, editable=False)
    tails = models.PositiveSmallIntegerField(_("tails"), default=0, db_default=0, editable=False)
    indultos = models.PositiveSmallIntegerField(
        _("indultos"), default=0, db_default=0, editable=False
    )
    hurt = models.PositiveSmallIntegerField(_("injuries"), default=0, db_default=0, editable=False)
    house = models.PositiveSmallIntegerField(_("house"), null=True, editable=False)
    mood = models.PositiveSmallIntegerField(_("mood of the town"), null=True, editable=False)
    turnout = models.JSONField(_("turnout"), null=True, editable=False)

    objects = CorridaQuerySet.as_manager()

    class Meta:
        verbose_name = _("corrida")
        verbose_name_plural = _("corridas")
        ordering = ["date", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["plaza", "date"], name="one_corrida_a_day"),
        ]
        indexes = [
            # With these columns in the index, lists and totals of fifty seasons need not read the
            # table.
            models.Index(
                fields=["season", "state", "date", "plaza", "ears", "tails", "indultos", "hurt"],
                name="corrida_results",
            ),
            models.Index(
                fields=["on_air_at"],
                name="corrida_broadcast",
                condition=Q(on_air_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.plaza}, {date_format(self.date)}"

    @property
    def is_over(self) -> bool:
        """Whether the results of the corrida are posted."""
        return self.state in self.OVER

    @property
    def house_word(self) -> str:
        """How full the plaza is, as a key of `labels.HOUSES`; empty without a house."""
        return "" if self.house is None else house_word(self.house).name.lower()

    def goes_on(self, at: dt.datetime) -> bool:
        """Return whether the broadcast is still going on at this time.

        Results may be posted earlier, because a director continues the season or cuts the broadcast
        short. Viewers still see the remaining cards at their own pace.
        """
        return self.on_air_at is not None and self.ends_at is not None and at < self.ends_at

    def timeline(self, cards: Sequence[int]) -> Timeline:
        """Return the schedule of its broadcast from the number of cards in each fight."""
        return Timeline(
            cards_per_lidia=tuple(cards),
            pace_ms=self.pace_ms or 1,
            interval_ms=INTERVAL_MS if self.pace_ms and self.pace_ms > 999 else 500,
            paseillo_ms=PASEILLO_MS if self.pace_ms and self.pace_ms > 999 else 500,
        )


class Cartel(models.Model):
    """The cartel (poster) of a corrida: its three matadors and six bulls.

    `seed` decides all random numbers of the corrida and is secret until it is over. `commitment` is
    published with the cartel. It is the SHA-256 hash of the seed and all input of the corrida
    (Ruling F-2), so neither can be changed later. `set_by_hand` is true if a director chose the
    matadors.
    """

    corrida = models.OneToOneField(
        Corrida,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="cartel",
        verbose_name=_("corrida"),
    )
    ganaderia = models.ForeignKey(
        Ganaderia, on_delete=models.PROTECT, related_name="carteles", verbose_name=_("herd")
    )
    deck = models.ForeignKey(
        Deck, on_delete=models.PROTECT, db_index=False, related_name="+", verbose_name=_("deck")
    )
    seed = models.BinaryField(max_length=32, editable=False)
    commitment = models.BinaryField(max_length=32, editable=False)
    engine_version = models.CharField(max_length=4)
    set_by_hand = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("cartel")
        verbose_name_plural = _("carteles")

    def __str__(self) -> str:
        return f"{_('cartel')} {self.corrida_id}"


class Puesto(models.Model):
    """A matador on the cartel (poster) of a corrida.

    `order` (0-2) is the order of appearance (Ruling I-14). `injured_in` is the turn (1-6) of the
    bull that injured him; it is set when the results are posted. `instead_of` is the injured
    matador whom he replaced before the corrida.
    """

    cartel = models.ForeignKey(
        Cartel,
        on_delete=models.CASCADE,
        related_name="puestos",
        db_index=False,
        verbose_name=_("cartel"),
    )
    order = models.PositiveSmallIntegerField()
    matador = models.ForeignKey(
        Matador,
        on_delete=models.PROTECT,
        related_name="puestos",
        db_index=False,
        verbose_name=_("matador"),
    )
    card = models.ForeignKey(
        MatadorCard, on_delete=models.PROTECT, db_index=False, verbose_name=_("card")
    )
    date = models.DateField()
    injured_in = models.PositiveSmallIntegerField(null=True, blank=True)
    instead_of = models.ForeignKey(
        Matador,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        verbose_name=_("replaces"),
    )

    class Meta:
        verbose_name = _("puesto")
        verbose_name_plural = _("puestos")
        ordering = ["cartel", "order"]
        constraints = [
            models.UniqueConstraint(fields=["cartel", "order"], name="puesto_order"),
            models.UniqueConstraint(fields=["matador", "date"], name="one_plaza_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.matador_id} {self.date}"


class LidiaQuerySet(models.QuerySet["Lidia"]):
    """Filters for fights whose results may be shown."""

    def shown(self, *, at: dt.datetime) -> LidiaQuerySet:
        """Return fights whose last card has been shown by the time `at`, or whose results are
        posted.
        """
        return self.filter(Q(corrida__state__in=Corrida.OVER) | Q(ends_at__lte=at))

    def posted(self) -> LidiaQuerySet:
        """Return fights whose results are posted."""
        return self.filter(corrida__state__in=Corrida.OVER)


class Lidia(models.Model):
    """The fight with one bull: its drawn cards and its result (Ruling I-16).

    `turn` is 1-6. `draws` contains the place in the deck of each card, one byte per card. `injured`
    is a bit mask: 1, 2 and 4 for the first, second and third matador in the order of appearance.
    `ends_at` is the time from which the result may be shown, None if the corrida was not broadcast.
    """

    class Ending(models.TextChoices):
        """How the fight ended."""

        KILLED = Ending.KILLED.value, _("killed")
        SPARED = Ending.SPARED.value, _("spared")
        THREE_AVISOS = Ending.THREE_AVISOS.value, _("three avisos")
        BROKEN_OFF = Ending.BROKEN_OFF.value, _("broken off")

    class Trophy(models.IntegerChoices):
        """The trophy that the matador won."""

        NONE = Trophy.NONE.value, _("none")
        OREJA = Trophy.OREJA.value, _("oreja")
        DOS_OREJAS = Trophy.DOS_OREJAS.value, _("dos orejas")
        RABO = Trophy.RABO.value, _("dos orejas y rabo")

    class Crowd(models.IntegerChoices):
        """The verdict of the crowd."""

        BRONCA = Crowd.BRONCA.value, _("bronca")
        PITOS = Crowd.PITOS.value, _("pitos")
        SILENCIO = Crowd.SILENCIO.value, _("silencio")
        DIVISION = Crowd.DIVISION.value, _("división")
        APLAUSOS = Crowd.APLAUSOS.value, _("aplausos")
        OVACION = Crowd.OVACION.value, _("ovación")

    corrida = models.ForeignKey(
        Corrida,
        verbose_name=_("corrida"),
        on_delete=models.CASCADE,
        related_name="lidias",
        db_index=False,
    )
    turn = models.PositiveSmallIntegerField(_("turn"))
    bull = models.OneToOneField(
        Bull, verbose_name=_("bull"), on_delete=models.PROTECT, related_name="lidia"
    )
    starter = models.ForeignKey(
        Matador,
        verbose_name=_("started by"),
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    finisher = models.ForeignKey(
        Matador,
        verbose_name=_("finished by"),
        on_delete=models.PROTECT,
        related_name="lidias",
        null=True,
        blank=True,
    )
    ending = models.CharField(_("ending"), max_length=12, choices=Ending.choices)
    injured = models.PositiveSmallIntegerField(default=0)
    draws = models.BinaryField()
    matador_points = models.SmallIntegerField(_("matador’s points"))
    bull_points = models.SmallIntegerField(_("bull’s points"))
    kill_points = models.SmallIntegerField(_("points for the kill"))
    avisos = models.PositiveSmallIntegerField(_("avisos"))
    score = models.SmallIntegerField(_("score"), null=True)
    number = models.PositiveSmallIntegerField(_("final number"), null=True)
    trophy = models.PositiveSmallIntegerField(_("trophy"), null=True, choices=Trophy.choices)
    vuelta = models.BooleanField(_("vuelta"), null=True)
    crowd = models.PositiveSmallIntegerField(_("verdict"), null=True, choices=Crowd.choices)
    ends_at = models.DateTimeField(_("ends at"), null=True)

    objects = LidiaQuerySet.as_manager()

    class Meta:
        verbose_name = _("lidia")
        verbose_name_plural = _("lidias")
        ordering = ["corrida", "turn"]
        constraints = [models.UniqueConstraint(fields=["corrida", "turn"], name="lidia_turn")]

    def __str__(self) -> str:
        return f"{self.corrida} · {self.turn}"
