"""Models of circuits and decks. A circuit has its own director, rules, deck and roster."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.names.fields import NameKeyField, SearchTextField
from corridas.engine import Deck as EngineDeck
from corridas.engine import Rules
from corridas.world.winter import VERSION


class Deck(models.Model):
    """A deck of seventy action cards as text, one card per line (Ruling I-1).

    A deck can no longer be changed once a corrida uses it.
    """

    name = models.CharField(_("name"), max_length=60)
    digest = models.CharField(_("digest"), max_length=64, unique=True, editable=False)
    cards = models.TextField(_("cards"), help_text=_("One card per line: 4 | NATURAL+ | …"))
    name_key = NameKeyField("name")
    search_text = SearchTextField("name")

    class Meta:
        verbose_name = _("deck")
        verbose_name_plural = _("decks")

    def __str__(self) -> str:
        return self.name

    def engine_deck(self) -> EngineDeck:
        """Return the deck for the engine. Raises `DeckError` if it is not valid."""
        return EngineDeck.parse(self.cards)


class CircuitQuerySet(models.QuerySet["Circuit"]):
    """Filters for circuits."""

    def awake(self) -> CircuitQuerySet:
        """Return circuits in which corridas may be played: those neither frozen nor archived."""
        return self.filter(frozen_at=None, archived_at=None)


class CircuitManager(models.Manager["Circuit"]):
    """Default manager, which hides incomplete circuits."""

    def get_queryset(self) -> CircuitQuerySet:
        """Return circuits whose rows are not being copied or removed."""
        return CircuitQuerySet(self.model, using=self._db).filter(incomplete=False)

    def awake(self) -> CircuitQuerySet:
        """Return circuits in which corridas may be played: those neither frozen nor archived."""
        return self.get_queryset().awake()


class Circuit(models.Model):
    """A circuit: plazas, matadors and herds with seasons that follow each other.

    `pace_ms` is the time between two cards of a broadcast. `roster_seed` is the public text from
    which a fictional roster was generated. `calendar` contains entries for `world.calendar`, None
    for the bundled calendar. `evening` is the time in the time zone `zone` at which a corrida
    begins every day, and `last_evening` the last day on which one began.

    Nothing is played in a frozen circuit. An archived circuit is only visible to its director.
    `offered_to` is the user who may become its director. `tables_count` says whether results from
    real tables count in the ranking. `cards_version` is the version of the rules for winters by
    which its cards were made and its next winters are promised. `promised_as` is the slug used in
    commitments if it differs from the present one, because the circuit was imported from another
    site or lost the name of a former director.

    While `incomplete` is true, the circuit's rows are being copied or removed, and only the manager
    `everything` returns it. `former_owners` have handed the circuit over; its name may still
    contain theirs.
    """

    class Roster(models.TextChoices):
        """Where the matadors of the circuit come from."""

        LEGENDS = "legends", _("the legends")
        GENERATED = "generated", _("invented from a seed")
        IMPORTED = "imported", _("imported")

    FOLDERS: Final = ("circuitos/", "api/v1/circuits/")

    slug = models.SlugField(_("address"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=60)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("director"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="circuits",
    )
    former_owners = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, editable=False, related_name="+"
    )
    public = models.BooleanField(_("public"), default=True)
    rules = models.JSONField(_("options"), default=dict, blank=True)
    deck = models.ForeignKey(Deck, verbose_name=_("deck"), on_delete=models.PROTECT)
    always_on_air = models.BooleanField(
        _("always on air"),
        default=False,
        help_text=_("As soon as one corrida ends, the next one begins."),
    )
    pace_ms = models.PositiveIntegerField(_("milliseconds per card"), default=3000)
    roster = models.CharField(
        _("roster"), max_length=9, choices=Roster.choices, default=Roster.LEGENDS
    )
    roster_seed = models.CharField(_("roster seed"), max_length=64, blank=True)
    calendar = models.JSONField(_("calendar"), null=True, blank=True)
    evening = models.TimeField(_("time of the daily corrida"), null=True, blank=True)
    zone = models.CharField(_("time zone"), max_length=40, default="Europe/Madrid")
    last_evening = models.DateField(null=True, blank=True, editable=False)
    tables_count = models.BooleanField(_("corridas at tables count"), default=False)
    cards_version = models.PositiveSmallIntegerField(
        _("version of the cards"), default=VERSION, db_default=2, editable=False
    )
    promised_as = models.CharField(max_length=40, blank=True, editable=False)
    founded_at = models.DateTimeField(_("created"), null=True, blank=True)
    frozen_at = models.DateTimeField(_("frozen"), null=True, blank=True)
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True)
    offered_to = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("offered to"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="offered_circuits",
    )

    incomplete = models.BooleanField(default=False, db_default=False, editable=False)
    name_key = NameKeyField("name")
    search_text = SearchTextField("name", "slug")

    objects = CircuitManager()
    everything = CircuitQuerySet.as_manager()

    class Meta:
        verbose_name = _("circuit")
        verbose_name_plural = _("circuits")
        permissions = [
            ("keep_rosters", _("Maintains the rosters of circuits that have no director")),
            ("oversee_circuits", _("Can see everybody’s circuits")),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(pace_ms__range=(1, 60_000)), name="circuit_pace"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def promised_name(self) -> str:
        """The slug that is used in commitments."""
        return self.promised_as or self.slug

    def engine_rules(self) -> Rules:
        """Return the rule set. Raises `RulesError` for an unknown option."""
        return Rules.from_options(self.rules)
