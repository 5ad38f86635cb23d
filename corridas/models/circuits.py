"""A circuit: a world with a director, a rule set, a deck and a roster of its own."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from corridas.engine import Deck as EngineDeck
from corridas.engine import Rules


class Deck(models.Model):
    """Seventy action cards as one text, a card a line (Ruling I-1); never changed once printed."""

    name = models.CharField(_("name"), max_length=60)
    digest = models.CharField(_("digest"), max_length=64, unique=True, editable=False)
    cards = models.TextField(_("cards"), help_text=_("One card a line: 4 | NATURAL+ | …"))

    class Meta:
        verbose_name = _("deck")
        verbose_name_plural = _("decks")

    def __str__(self) -> str:
        return self.name

    def engine_deck(self) -> EngineDeck:
        """The deck as the engine plays it; `DeckError` where it is not legal."""
        return EngineDeck.parse(self.cards)


class Circuit(models.Model):
    """Seasons follow each other in it. `pace_ms` is the time between two cards on air."""

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
    public = models.BooleanField(_("public"), default=True)
    rules = models.JSONField(_("options"), default=dict, blank=True)
    deck = models.ForeignKey(Deck, verbose_name=_("deck"), on_delete=models.PROTECT)
    always_on_air = models.BooleanField(
        _("always on air"),
        default=False,
        help_text=_("When one corrida is over, the next goes on the sand by itself."),
    )
    pace_ms = models.PositiveIntegerField(_("milliseconds a card"), default=3000)

    class Meta:
        verbose_name = _("circuit")
        verbose_name_plural = _("circuits")

    def __str__(self) -> str:
        return self.name

    def engine_rules(self) -> Rules:
        """The rule set; `RulesError` where an option is unknown."""
        return Rules.from_options(self.rules)
