"""Circuits and the decks they play with."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Max, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corridas.admin.forms import CircuitForm, DeckForm
from corridas.admin.office import OfficeAdmin, Verb
from corridas.models import Cartel, Circuit, Deck
from corridas.operations import OperationError, plan_season
from corridas.simulation.founding import shipped

LONGEST_KEY = 10


def _plan_next(request: HttpRequest, circuit: Circuit) -> str:
    """Plan the year after the last one; a circuit without seasons begins with this year."""
    known = set(circuit.plazas.values_list("slug", flat=True))
    missing = sorted({feria.plaza for feria in shipped().ferias} - known)
    if missing:
        raise OperationError(
            _("The calendar has corridas in plazas that %(circuit)s lacks: %(plazas)s.")
            % {"circuit": circuit, "plazas": ", ".join(missing)}
        )
    last = circuit.seasons.aggregate(year=Max("year"))["year"]
    season = plan_season(circuit=circuit, year=last + 1 if last else timezone.now().year)
    return _("%s is planned.") % season


def _deck(key: str) -> Deck | None:
    """The deck with this number; None for what is no number of a deck."""
    known = key.isdecimal() and len(key) < LONGEST_KEY
    return Deck.objects.filter(pk=key).first() if known else None


@admin.register(Circuit)
class CircuitAdmin(OfficeAdmin):
    """Worlds of their own; options and deck hold for the seasons planned from now on."""

    form = CircuitForm
    list_display = ("name", "owner", "public", "deck", "always_on_air", "pace_ms")
    list_filter = ("public", "always_on_air")
    list_select_related = ("owner", "deck")
    search_fields = ("name", "owner__username")
    slug_from = ("name",)
    raw_id_fields = ("owner",)
    verbs = (
        Verb(
            "plan",
            gettext_lazy("Plan the next season"),
            _plan_next,
            ("corridas.change_circuit", "corridas.add_season"),
        ),
    )

    def is_used(self, row: Circuit) -> bool:
        """Whether a season was planned in it."""
        return row.seasons.exists()


@admin.register(Deck)
class DeckAdmin(OfficeAdmin):
    """Decks of seventy cards; one that a cartel was hung with is printed for good."""

    form = DeckForm
    list_display = ("name", "digest")
    search_fields = ("name", "digest")
    promised = ("cards",)
    readonly_fields = ("digest",)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """The cards of another deck, where the address names one: a new deck begins as a copy."""
        given: dict[str, Any] = super().get_changeform_initial_data(request)
        key = given.pop("copy", "")
        model = _deck(key)
        return given | ({"cards": model.cards} if model else {})

    def holders(self, row: Deck) -> QuerySet[Circuit]:
        """All that play with it."""
        return Circuit.objects.filter(deck=row)

    def is_promised(self, row: Deck) -> bool:
        """Whether a cartel was hung with it."""
        return Cartel.objects.filter(deck=row).exists()

    def is_used(self, row: Deck) -> bool:
        """Whether a cartel or a circuit has it."""
        return self.is_promised(row) or Circuit.objects.filter(deck=row).exists()
