"""What the season has left behind, to be read: the escalafón and the surgeon's book."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from corridas.admin.filters import circuit_filter, year_filter
from corridas.admin.office import ReadOnlyAdmin
from corridas.models import Corrida, Escalafon, Injury
from corridas.models.escalafon import COUNTERS


@admin.register(Escalafon)
class EscalafonAdmin(ReadOnlyAdmin):
    """Counters by season, matador and category; they move when a corrida is posted."""

    list_display = ("matador", "year", "category", *COUNTERS)
    circuit_path = "season__circuit"
    list_filter = (circuit_filter("season__circuit"), year_filter("season__year"), "category")
    list_select_related = ("matador", "season__circuit")
    search_fields = ("matador__name", "matador__apodo")
    ordering = ("-season__year", "-corridas", "-ears")

    @admin.display(description=_("season"), ordering="season__year")
    def year(self, row: Escalafon) -> int:
        """The season by its year."""
        return row.season.year


@admin.register(Injury)
class InjuryAdmin(ReadOnlyAdmin):
    """Who was hurt where, and until when he rests."""

    list_display = ("matador", "grade", "since", "until", "corrida", "turn")
    circuit_path = "matador__circuit"
    list_filter = (
        "grade",
        circuit_filter("matador__circuit"),
        year_filter("corrida__season__year"),
    )
    list_select_related = ("matador", "corrida__plaza")
    search_fields = ("matador__name", "matador__apodo")
    date_hierarchy = "since"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Injury]:
        """Only what everybody has seen happen."""
        return super().get_queryset(request).filter(corrida__state__in=Corrida.OVER)
