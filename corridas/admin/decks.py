"""Admin of circuits and decks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import Count, Max, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.keys import parse_key
from corridas.addresses import address
from corridas.admin.actions import Action, OfficeAdmin
from corridas.admin.checks import RosterPage
from corridas.admin.filters import CircuitStateFilter, DirectorFilter
from corridas.admin.forms import CircuitForm, DeckForm
from corridas.circuits.operations import plan_season
from corridas.engine import Deck as EngineDeck
from corridas.engine import DeckError
from corridas.errors import OperationError
from corridas.models import Circuit, Deck, Season
from corridas.roster.checks import Weight, check_deck, check_roster
from corridas.roster.queries import PROMISED, circuits_of, decks_of, oversees
from corridas.simulation.new_circuit import shipped

if TYPE_CHECKING:
    from django.urls import URLPattern


def _plan_next(request: HttpRequest, circuit: Circuit) -> str:
    """Plan the year after the last season, or the current year in a circuit without seasons."""
    known = set(circuit.plazas.values_list("slug", flat=True))
    missing = sorted({feria.plaza for feria in shipped().ferias} - known)
    if missing:
        raise OperationError(
            _("The calendar has corridas at plazas that %(circuit)s does not have: %(plazas)s.")
            % {"circuit": circuit, "plazas": ", ".join(missing)}
        )
    last = circuit.seasons.aggregate(year=Max("year"))["year"]
    season = plan_season(circuit=circuit, year=last + 1 if last else timezone.now().year)
    return _("%s has been planned.") % season


@lru_cache(maxsize=256)
def is_legal(cards: str) -> bool:
    try:
        EngineDeck.parse(cards)
    except DeckError:
        return False
    return True


@admin.register(Circuit)
class CircuitAdmin(RosterPage, OfficeAdmin):
    """Admin of circuits. Changed options and decks only apply to seasons planned afterwards."""

    form = list_form = CircuitForm
    circuit_path = ""
    list_display = ("name", "owner", "public", "deck", "always_on_air", "pace_ms")
    list_editable = ("always_on_air", "pace_ms")
    list_filter = ("public", CircuitStateFilter, DirectorFilter, "roster")
    list_select_related = ("owner", "deck")
    list_per_page = 50
    search_fields = ("search_text__folded", "owner__search_text__folded")
    slug_from = ("name",)
    raw_id_fields = ("owner",)
    ordering = ("name_key", "pk")
    actions = ("check_rosters",)
    verbs = (
        Action(
            "plan",
            gettext_lazy("Plan the next season"),
            _plan_next,
            ("corridas.change_circuit", "corridas.add_season"),
        ),
    )

    def get_urls(self) -> list[URLPattern]:
        exchange = path(
            "exchange/", self.admin_site.admin_view(self.exchange), name="corridas_circuit_exchange"
        )
        return [exchange, *super().get_urls()]

    def exchange(self, request: HttpRequest) -> HttpResponse:
        """List the circuits whose rosters the user may import and export.

        If there is only one, redirect to it.
        """
        kept = list(self.kept_rows(request).order_by("name_key").values_list("slug", "name"))
        if len(kept) == 1:
            return redirect(address(kept[0][0], "exchange"))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Import and export"),
            "opts": self.opts,
            "circuits": [(name, address(slug, "exchange")) for slug, name in kept],
        }
        return render(request, "admin/exchange.html", context)

    def get_readonly_fields(
        self, request: HttpRequest, obj: Model | None = None
    ) -> tuple[str, ...]:
        """Make the director read-only, except for administrators of all circuits."""
        usual = super().get_readonly_fields(request, obj)
        return usual if oversees(request.user) else (*usual, "owner")

    def dependents(self, row: Model) -> str:
        """Return the name of the rows that prevent the deletion of a circuit: its seasons, if it
        has any.

        The roster of a circuit without seasons is deleted with it.
        """
        seasons = isinstance(row, Circuit) and row.seasons.exists()
        return str(Season._meta.verbose_name_plural) if seasons else ""

    @admin.action(description=gettext_lazy("Check the rosters"), permissions=["view"])
    def check_rosters(self, request: HttpRequest, chosen: QuerySet[Circuit]) -> None:
        for circuit in chosen:
            findings = check_roster(circuit=circuit)
            wrong = sum(finding.weight is Weight.WRONG for finding in findings)
            message = ngettext("There is %(n)s problem.", "There are %(n)s problems.", wrong) % {
                "n": wrong
            }
            way = reverse("admin:corridas_circuit_check", args=[circuit.pk])
            note = messages.error if wrong else messages.success
            note(
                request,
                format_html(
                    '{}: {} <a href="{}">{}</a>',
                    circuit,
                    message if wrong else _("the roster can be used."),
                    way,
                    _("Check"),
                ),
            )


@admin.register(Deck)
class DeckAdmin(OfficeAdmin):
    """Admin of decks of seventy cards. A deck announced with a corrida can no longer be changed."""

    form = DeckForm
    circuit_path = ""
    list_display = ("name", "legal", "circuits", "digest")
    search_fields = ("search_text__folded", "digest")
    promised = PROMISED["deck"]
    readonly_fields = ("digest",)
    ordering = ("name_key", "pk")
    actions = ("check_decks",)
    verbs = (
        Action(
            "check",
            gettext_lazy("Check the deck"),
            lambda _request, deck: check_deck(deck=deck),
            ("corridas.view_deck",),
        ),
    )

    def kept_rows(self, request: HttpRequest) -> QuerySet[Deck]:
        return decks_of(request.user)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deck]:
        rows: QuerySet[Deck] = super().get_queryset(request)
        return rows.annotate(played_by=Count("circuit"))

    @admin.display(description=gettext_lazy("circuits"), ordering="played_by")
    def circuits(self, row: Any) -> int:
        return int(row.played_by)

    @admin.display(description=gettext_lazy("valid"), boolean=True)
    def legal(self, row: Deck) -> bool:
        return is_legal(row.cards)

    @admin.action(description=gettext_lazy("Check the decks"), permissions=["view"])
    def check_decks(self, request: HttpRequest, chosen: QuerySet[Deck]) -> None:
        self.do_each(request, self.verbs[0], chosen)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Forbid changes to a deck that other users' circuits use."""
        return super().has_change_permission(request, obj) and (
            obj is None or self._is_ours(request, obj)
        )

    def _is_ours(self, request: HttpRequest, deck: Deck) -> bool:
        if oversees(request.user):
            return True
        ours = circuits_of(request.user).values("pk")
        return not Circuit.objects.filter(deck=deck).exclude(pk__in=ours).exists()

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        given: dict[str, Any] = super().get_changeform_initial_data(request)
        deck = Deck.objects.filter(pk=parse_key(given.pop("copy", "")) or 0).first()
        return given | ({"cards": deck.cards} if deck else {})
