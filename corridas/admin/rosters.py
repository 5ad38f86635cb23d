"""Admin of the rosters: matadors with their cards, plazas, herds and bulls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Count, Exists, Model, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corridas.admin.actions import Action, OfficeAdmin
from corridas.admin.cards import OpenCardInline, PrintedCardInline
from corridas.admin.checks import TrialPage
from corridas.admin.filters import (
    ArchiveFilter,
    CardFilter,
    CircuitFilter,
    SentFilter,
    circuit_filter,
    year_filter,
)
from corridas.admin.forms import BullForm, HerdForm, MatadorForm, PlazaForm, style_choices
from corridas.admin.tracked import signed_in_user
from corridas.models import Bull, Cartel, Change, Ganaderia, Matador, MatadorCard, Plaza, Puesto
from corridas.roster.operations import (
    archive_place,
    bring_back_matador,
    print_next_card,
    restore_place,
    retire_matador,
)
from corridas.roster.queries import PROMISED, printed_cards

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def _print_next(request: HttpRequest, matador: Matador) -> str:
    card = print_next_card(matador=matador, by=signed_in_user(request), at=timezone.now())
    message = _(
        "Printing %(printing)s of %(matador)s can be edited until it is announced on a cartel."
    )
    return message % {"printing": card.printing, "matador": matador}


def _retire(request: HttpRequest, matador: Matador) -> str:
    retire_matador(matador=matador, by=signed_in_user(request), at=timezone.now())
    return _("%s has retired and will no longer be given contracts.") % matador


def _bring_back(request: HttpRequest, matador: Matador) -> str:
    bring_back_matador(matador=matador, by=signed_in_user(request), at=timezone.now())
    return _("%s is active again.") % matador


def _archive(request: HttpRequest, place: Plaza | Ganaderia) -> str:
    archive_place(place=place, by=signed_in_user(request), at=timezone.now())
    return _("%s has been archived and will not be used in new seasons and carteles.") % place


def _restore(request: HttpRequest, place: Plaza | Ganaderia) -> str:
    restore_place(place=place, by=signed_in_user(request), at=timezone.now())
    return _("%s is in use again.") % place


NEXT = Action(
    "next-printing",
    gettext_lazy("Create the next printing"),
    _print_next,
    ("corridas.change_matador", "corridas.add_matadorcard"),
)
RETIRE = Action("retire", gettext_lazy("Retire"), _retire, ("corridas.change_matador",))
RETURN = Action("return", gettext_lazy("Bring back"), _bring_back, ("corridas.change_matador",))


def archive_actions(model: str) -> tuple[Action, Action]:
    needs = (f"corridas.change_{model}",)
    return (
        Action("archive", gettext_lazy("Move to the archive"), _archive, needs),
        Action("restore", gettext_lazy("Restore from the archive"), _restore, needs),
    )


# Maximum number of printings of a matador's card drawn in the list.
SHOWN_PRINTINGS = 4


class StyleFilter(admin.SimpleListFilter):
    title = gettext_lazy("style")
    parameter_name = "style"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Model]
    ) -> list[tuple[str, StrOrPromise]]:
        return style_choices()[1:]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        return queryset.filter(style=self.value()) if self.value() else queryset


@admin.register(Matador)
class MatadorAdmin(TrialPage, OfficeAdmin):
    """Admin of matadors.

    Rating and date of the alternativa decide the order of appearance in a corrida (Ruling I-14).
    """

    form = list_form = MatadorForm
    list_display = (
        "distinguished_name",
        "apodo",
        "cards",
        "state",
        "style",
        "country",
        "alternativa",
    )
    list_editable = ("apodo", "style", "country", "alternativa")
    list_filter = (CircuitFilter, "state", CardFilter, "fictional", StyleFilter, "country")
    list_select_related = ("circuit",)
    list_per_page = 50
    search_fields = ("search_text__folded",)
    search_help_text = gettext_lazy("Name, apodo, birthplace")
    autocomplete_fields = ("circuit", "padrino", "testigo")
    slug_from = ("name",)
    inlines = (OpenCardInline, PrintedCardInline)
    promised = PROMISED["matador"]
    verbs = (NEXT, RETIRE, RETURN)
    fieldsets = (
        (None, {"fields": ("circuit", ("name", "apodo"), "slug", ("style", "state"))}),
        (
            gettext_lazy("Life"),
            {
                "fields": (
                    "country",
                    ("born", "birthplace"),
                    ("died", "deathplace"),
                    ("alternativa", "alternativa_place"),
                    ("padrino", "testigo"),
                )
            },
        ),
        (
            gettext_lazy("Career"),
            {"fields": (("counted_from", "promise"), "retired_in", "fictional")},
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Matador]:
        printings = MatadorCard.objects.filter(matador=OuterRef("pk")).order_by("-printing")
        newest = MatadorCard.objects.order_by("-printing")[:SHOWN_PRINTINGS]
        rows: QuerySet[Matador] = super().get_queryset(request)
        return rows.annotate(
            newest_rating=Subquery(printings.values("rating")[:1]),
            newest_card=Subquery(printings.values("pk")[:1]),
            newest_printed=Exists(
                Puesto.objects.filter(matador=OuterRef("pk"), card=OuterRef("newest_card"))
            ),
            promised=Exists(Puesto.objects.filter(matador=OuterRef("pk"))),
        ).prefetch_related(Prefetch("cards", newest, to_attr="newest_cards"))

    @admin.display(description=gettext_lazy("name"), ordering="name")
    def distinguished_name(self, row: Matador) -> str:
        return f"{row.name} ({row.distinction})" if row.distinction else row.name

    @admin.display(description=gettext_lazy("cards and ratings"), ordering="newest_rating")
    def cards(self, row: Any) -> SafeString:
        context = {"cards": row.newest_cards, "slim": True}
        return SafeString(render_to_string("admin/corridas/_charts.html#bars", context))

    def offered(self, row: Matador) -> Iterable[Action]:
        newest = row.cards.order_by("-printing").values_list("pk", flat=True).first()
        if newest and printed_cards().filter(pk=newest).exists():
            yield NEXT
        yield RETURN if row.state == Matador.State.RETIRED else RETIRE

    def changes_of(self, key: int) -> QuerySet[Change]:
        cards = MatadorCard.objects.filter(matador=key).values("pk")
        return super().changes_of(key) | Change.objects.filter(kind="matadorcard", row__in=cards)

    def refusal(self, row: Model, dependents: str) -> str:
        message = _("%(row)s can’t be deleted. He still appears in: %(what)s. Retire him instead.")
        return message % {"row": row, "what": dependents}


class PlaceAdmin(OfficeAdmin):
    """Base class of the admin of plazas and herds.

    Rows that are used elsewhere can be archived, but not deleted.
    """

    def offered(self, row: Plaza | Ganaderia) -> Iterable[Action]:
        return self.verbs[:1] if row.archived_at is None else self.verbs[1:]

    @admin.display(description=gettext_lazy("in use"), boolean=True, ordering="archived_at")
    def used(self, row: Plaza | Ganaderia) -> bool:
        return row.archived_at is None

    def refusal(self, row: Model, dependents: str) -> str:
        message = _("%(row)s can’t be deleted. It is still used in: %(what)s. Archive it instead.")
        return message % {"row": row, "what": dependents}


@admin.register(Plaza)
class PlazaAdmin(PlaceAdmin):
    """Admin of plazas.

    Name and category are fixed once a corrida has been announced in the plaza, because its
    commitment contains them. The slug is fixed too: random numbers of contracts, bulls and
    recoveries depend on it, and calendars refer to it.
    """

    form = list_form = PlazaForm
    list_display = ("name", "city", "country", "continent", "category", "seats", "used")
    list_editable = ("city", "country", "continent", "category", "seats")
    list_filter = (CircuitFilter, ArchiveFilter, "category", "continent", "country")
    list_per_page = 50
    search_fields = ("search_text__folded",)
    autocomplete_fields = ("circuit",)
    slug_from = ("city", "name")
    promised = PROMISED["plaza"]
    verbs = archive_actions("plaza")
    readonly_fields = ("archived_at",)
    fields = (
        "circuit",
        ("name", "city"),
        "slug",
        ("country", "continent"),
        ("category", "seats"),
        ("latitude", "longitude"),
        "archived_at",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Plaza]:
        rows: QuerySet[Plaza] = super().get_queryset(request)
        return rows.annotate(promised=Exists(Cartel.objects.filter(corrida__plaza=OuterRef("pk"))))


@admin.register(Ganaderia)
class GanaderiaAdmin(PlaceAdmin):
    """Admin of herds (ganaderías), the most famous first."""

    form = list_form = HerdForm
    list_display = ("name", "country", "continent", "encaste", "renown", "bulls", "used")
    list_editable = ("country", "continent", "encaste", "renown")
    list_filter = (CircuitFilter, ArchiveFilter, "continent", "country")
    list_per_page = 50
    search_fields = ("search_text__folded",)
    autocomplete_fields = ("circuit",)
    slug_from = ("name",)
    verbs = archive_actions("ganaderia")
    readonly_fields = ("archived_at",)
    fields = (
        "circuit",
        "name",
        "slug",
        ("country", "continent"),
        ("encaste", "renown"),
        "archived_at",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ganaderia]:
        bulls = Bull.objects.filter(ganaderia=OuterRef("pk")).order_by().values("ganaderia")
        rows: QuerySet[Ganaderia] = super().get_queryset(request)
        return rows.annotate(bred=Subquery(bulls.annotate(count=Count("pk")).values("count")))

    @admin.display(description=gettext_lazy("bulls"), ordering="bred")
    def bulls(self, row: Any) -> SafeString:
        address = reverse("admin:corridas_bull_changelist")
        return format_html(
            '<a href="{}?ganaderia__id__exact={}">{}</a>', address, row.pk, row.bred or 0
        )


@admin.register(Bull)
class BullAdmin(OfficeAdmin):
    """Admin of bulls.

    The state of a bull changes only when the results of its corrida are posted.
    """

    form = list_form = BullForm
    circuit_path = "ganaderia__circuit"
    list_display = ("number", "name", "year", "ganaderia", "coat", "weight", "state")
    list_display_links = ("number",)
    list_editable = ("name", "coat", "weight")
    list_filter = (
        circuit_filter("ganaderia__circuit"),
        "state",
        SentFilter,
        year_filter("year"),
        "ganaderia__continent",
    )
    list_select_related = ("ganaderia",)
    list_per_page = 50
    search_fields = (
        *("name__folded", "name_key__folded"),
        *("ganaderia__search_text__folded", "=number"),
    )
    search_help_text = gettext_lazy("Name, herd or number")
    autocomplete_fields = ("ganaderia", "sire")
    readonly_fields = ("state", "travels")
    fields = (
        "ganaderia",
        "name",
        ("number", "year"),
        ("coat", "weight"),
        "sire",
        "state",
        "travels",
    )
    promised = PROMISED["bull"]
    ordering = ("-pk",)  # the newest bull first
    sortable_by = ("number", "name", "year", "weight", "state")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Bull]:
        rows: QuerySet[Bull] = super().get_queryset(request)
        return rows.annotate(promised=Q(cartel__isnull=False) | ~Q(state=Bull.State.CAMPO))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Bull], search_term: str
    ) -> tuple[QuerySet[Bull], bool]:
        rows, doubled = super().get_search_results(request, queryset, search_term)
        if request.GET.get("field_name") == "sire":
            rows = rows.filter(state=Bull.State.SEMENTAL)
        return rows, doubled

    @admin.display(description=gettext_lazy("encierro"), empty_value="–")
    def travels(self, row: Bull) -> str | None:
        return str(row.cartel.corrida) if row.cartel else None
