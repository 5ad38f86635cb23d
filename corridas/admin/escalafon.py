"""Read-only admin of the escalafón (ranking of matadors) and of injuries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from corridas.admin.actions import ReadOnlyAdmin
from corridas.admin.filters import circuit_filter, year_filter
from corridas.models import Corrida, Escalafon, Injury
from corridas.models.escalafon import COUNTERS
from corridas.models.matadors import GRADES

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@admin.register(Escalafon)
class EscalafonAdmin(ReadOnlyAdmin):
    """Totals of a matador by season and category of plazas.

    They are updated when the results of a corrida are posted.
    """

    is_named_after_circuit = True
    list_display = ("matador", "year", "category", *COUNTERS)
    circuit_path = "season__circuit"
    list_filter = (circuit_filter("season__circuit"), year_filter("season__year"), "category")
    list_select_related = ("matador", "season__circuit")
    search_fields = ("matador__search_text__folded",)
    ordering = ("-season__year", "-corridas", "-ears")

    @admin.display(description=_("season"), ordering="season__year")
    def year(self, row: Escalafon) -> int:
        return row.season.year


class GradeFilter(admin.SimpleListFilter):
    title = _("grade")
    parameter_name = "grade"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Model]
    ) -> list[tuple[str, StrOrPromise]]:
        return list(GRADES.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        return queryset if self.value() is None else queryset.filter(grade=self.value())


@admin.register(Injury)
class InjuryAdmin(ReadOnlyAdmin):
    list_display = ("matador", "grade_name", "since", "until", "corrida", "turn")
    circuit_path = "matador__circuit"
    list_filter = (
        GradeFilter,
        circuit_filter("matador__circuit"),
        year_filter("corrida__season__year"),
    )
    list_select_related = ("matador", "corrida__plaza")
    search_fields = ("matador__search_text__folded",)
    date_hierarchy = "since"

    @admin.display(description=_("grade"), ordering="grade")
    def grade_name(self, injury: Injury) -> str:
        return injury.grade_name

    def get_queryset(self, request: HttpRequest) -> QuerySet[Injury]:
        return super().get_queryset(request).filter(corrida__state__in=Corrida.OVER)
