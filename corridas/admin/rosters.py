"""The rosters: matadors with their cards, plazas, herds and bulls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corridas.admin.forms import OUTCOMES, CardForm, OpenCardFormSet, PlazaForm
from corridas.admin.office import AnyStack, OfficeAdmin, ReadOnlyInline, Verb
from corridas.models import (
    Bull,
    Cartel,
    Circuit,
    Corrida,
    Ganaderia,
    Matador,
    MatadorCard,
    Plaza,
    Puesto,
)
from corridas.operations.printing import print_next_card
from corridas.queries.printed import open_cards, printed_cards


def _print_next(request: HttpRequest, matador: Matador) -> str:
    card = print_next_card(matador=matador)
    said = _("Printing %(printing)s of %(matador)s is open: edit it before it is announced.")
    return said % {"printing": card.printing, "matador": matador}


class OpenCardInline(AnyStack):
    """The card that no cartel names yet: the only one that can be edited."""

    model = MatadorCard
    form = CardForm
    formset = OpenCardFormSet
    verbose_name = gettext_lazy("card, open for editing")
    verbose_name_plural = gettext_lazy("card, open for editing")
    extra = 0
    max_num = 1
    can_delete = False
    fieldsets = (
        (None, {"fields": ("rating", OUTCOMES[:6], OUTCOMES[6:], ("vuelta", "aviso", "indulto"))}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatadorCard]:
        """Only what has not been announced."""
        return open_cards().select_related("matador")

    def get_extra(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> int:
        """A first card for whoever has none."""
        return 0 if obj and obj.cards.exists() else 1

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Further cards are printed from the newest, not written from nothing."""
        return super().has_add_permission(request, obj) and not (obj and obj.cards.exists())


class PrintedCardInline(ReadOnlyInline):
    """The cards that stand on carteles, the newest first."""

    model = MatadorCard
    verbose_name = gettext_lazy("printed card")
    verbose_name_plural = gettext_lazy("printed cards, the newest first")
    fields = readonly_fields = ("printing", "rating", *OUTCOMES, "vuelta", "aviso", "indulto")

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatadorCard]:
        """Only what has been announced."""
        return printed_cards().select_related("matador")


@admin.register(Matador)
class MatadorAdmin(OfficeAdmin):
    """Careers; name and alternativa decide the order of appearance (Ruling I-14)."""

    list_display = ("name", "apodo", "rating", "printing", "style", "country", "alternativa")
    list_filter = ("circuit", "style", "country")
    list_select_related = ("circuit",)
    search_fields = ("name", "apodo", "birthplace")
    slug_from = ("name",)
    inlines = (OpenCardInline, PrintedCardInline)
    promised = ("circuit", "name", "alternativa")
    verbs = (
        Verb(
            "next-printing",
            gettext_lazy("Make the next printing"),
            _print_next,
            ("corridas.change_matador", "corridas.add_matadorcard"),
        ),
    )
    fieldsets = (
        (None, {"fields": ("circuit", ("name", "apodo"), "slug", "style")}),
        (
            gettext_lazy("Life"),
            {
                "fields": (
                    "country",
                    ("born", "birthplace"),
                    ("died", "deathplace"),
                    ("alternativa", "alternativa_place"),
                )
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Matador]:
        """With rating and number of the newest printing."""
        newest = MatadorCard.objects.filter(matador=OuterRef("pk")).order_by("-printing")
        rows: QuerySet[Matador] = super().get_queryset(request)
        return rows.annotate(
            newest_rating=Subquery(newest.values("rating")[:1]),
            newest_printing=Subquery(newest.values("printing")[:1]),
        )

    @admin.display(description=gettext_lazy("rating"), ordering="newest_rating")
    def rating(self, row: Any) -> int | None:
        """Of the newest printing."""
        return row.newest_rating  # type: ignore[no-any-return]

    @admin.display(description=gettext_lazy("printing"), ordering="newest_printing")
    def printing(self, row: Any) -> int | None:
        """The number of the newest one."""
        return row.newest_printing  # type: ignore[no-any-return]

    def holders(self, row: Matador) -> QuerySet[Circuit]:
        """Its own circuit."""
        return Circuit.objects.filter(pk=row.circuit_id)

    def is_promised(self, row: Matador) -> bool:
        """Whether he has ever been announced."""
        return Puesto.objects.filter(matador=row).exists()

    def offered(self, row: Matador) -> Iterable[Verb]:
        """The next printing, where the newest is printed."""
        newest = row.cards.order_by("-printing").values_list("pk", flat=True).first()
        return self.verbs if newest and printed_cards().filter(pk=newest).exists() else ()


@admin.register(Plaza)
class PlazaAdmin(OfficeAdmin):
    """Rings; name and category are in the stake of every corrida announced there.

    The slug labels the chance of contracts, bulls and rest cures, and the calendar names it.
    """

    form = PlazaForm
    list_display = ("name", "city", "country", "continent", "category", "seats")
    list_filter = ("circuit", "category", "continent", "country")
    search_fields = ("name", "city")
    slug_from = ("city", "name")
    promised = ("circuit", "slug", "name", "category")

    def holders(self, row: Plaza) -> QuerySet[Circuit]:
        """Its own circuit."""
        return Circuit.objects.filter(pk=row.circuit_id)

    def is_promised(self, row: Plaza) -> bool:
        """Whether a cartel hangs for a corrida there."""
        return Cartel.objects.filter(corrida__plaza=row).exists()

    def is_used(self, row: Plaza) -> bool:
        """Whether a calendar names it."""
        return Corrida.objects.filter(plaza=row).exists() or row.ferias.exists()


@admin.register(Ganaderia)
class GanaderiaAdmin(OfficeAdmin):
    """Herds, the most famous first."""

    list_display = ("name", "country", "continent", "encaste", "renown")
    list_filter = ("circuit", "continent", "country", "encaste")
    search_fields = ("name", "encaste")
    slug_from = ("name",)

    def is_used(self, row: Ganaderia) -> bool:
        """Whether it has bred a bull or stands on a cartel."""
        return row.bulls.exists() or row.carteles.exists()


@admin.register(Bull)
class BullAdmin(OfficeAdmin):
    """Bulls; where one is, is known when its corrida is posted and not before."""

    list_display = ("name", "number", "year", "ganaderia", "coat", "weight", "state")
    list_filter = ("state", "ganaderia__continent", "year", "ganaderia")
    list_select_related = ("ganaderia",)
    search_fields = ("name", "ganaderia__name")
    readonly_fields = ("state", "travels")
    fields = ("ganaderia", "name", ("number", "year"), ("coat", "weight"), "state", "travels")
    promised = ("ganaderia", "name", "number", "year", "coat", "weight")
    ordering = ("-year", "ganaderia__renown", "number")

    @admin.display(description=gettext_lazy("encierro"), empty_value="–")
    def travels(self, row: Bull) -> str | None:
        """The corrida it was sent to."""
        return str(row.cartel.corrida) if row.cartel else None

    def holders(self, row: Bull) -> QuerySet[Circuit]:
        """That of its herd."""
        return Circuit.objects.filter(herds=row.ganaderia_id)

    def is_promised(self, row: Bull) -> bool:
        """Whether it stands on a cartel, or came out."""
        return row.cartel_id is not None or row.state != Bull.State.CAMPO
