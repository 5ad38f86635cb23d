"""List filters of the admin, restricted to the circuits that the user may edit.

Each has few choices and reads them in one query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from core.keys import parse_key
from corridas.models import Season
from corridas.roster.queries import circuits_of

if TYPE_CHECKING:
    from django.contrib.admin.views.main import ChangeList
    from django.utils.functional import _StrPromise

Choices = list[tuple[str, "str | _StrPromise"]]
MAX_CHOICES = 60
# Value of the query parameter that selects the rows of all circuits.
ALL = "all"


class CircuitFilter(admin.SimpleListFilter):
    """Filter by one of the user's circuits.

    The filter is hidden if the user has only one.
    """

    title = gettext_lazy("circuit")
    parameter_name = "circuit"
    path: ClassVar[str] = "circuit"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Model]) -> Choices:
        rows = (
            circuits_of(request.user)
            .order_by("name_key", "pk")
            .values_list("pk", "name")[:MAX_CHOICES]
        )
        return [(str(key), name) for key, name in rows]

    def has_output(self) -> bool:
        return len(self.lookup_choices) > 1 or self.value() is not None

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        value = self.value()
        if value is None or value == ALL:
            return queryset
        return queryset.filter(**{self.path: parse_key(value) or 0})

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield the choices, with a query parameter of its own for all circuits.

        This is needed because a list without the parameter redirects to one circuit.
        """
        everything, *rest = super().choices(changelist)
        query = changelist.get_query_string({self.parameter_name: ALL})
        yield {**everything, "selected": self.value() in {None, ALL}, "query_string": query}
        yield from rest


def circuit_filter(path: str) -> type[CircuitFilter]:
    return type("CircuitFilter", (CircuitFilter,), {"path": path})


class YearFilter(admin.SimpleListFilter):
    title = gettext_lazy("year")
    parameter_name = "of"
    path: ClassVar[str] = "year"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Model]) -> Choices:
        rows = Season.objects.filter(circuit__in=circuits_of(request.user)).order_by("-year")
        years = rows.values_list("year", flat=True).distinct()[:MAX_CHOICES]
        return [(str(year), str(year)) for year in years]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        value = self.value()
        return queryset if value is None else queryset.filter(**{self.path: parse_key(value) or 0})


def year_filter(path: str) -> type[YearFilter]:
    return type("YearFilter", (YearFilter,), {"path": path})


class ConditionFilter(admin.SimpleListFilter):
    conditions: ClassVar[dict[str, tuple[_StrPromise, Callable[[], object]]]] = {}

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Model]) -> Choices:
        return [(name, word) for name, (word, _condition) in self.conditions.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        value = self.value()
        if value is None:
            return queryset
        return (
            queryset.filter(self.conditions[value][1]())
            if value in self.conditions
            else queryset.none()
        )


class CardFilter(ConditionFilter):
    """Filter matadors by their newest card: editable, printed or missing."""

    title = gettext_lazy("card")
    parameter_name = "card"
    conditions = {
        "open": (
            gettext_lazy("can be edited"),
            lambda: Q(newest_rating__isnull=False, newest_printed=False),
        ),
        "printed": (gettext_lazy("printed"), lambda: Q(newest_printed=True)),
        "none": (gettext_lazy("none yet"), lambda: Q(newest_rating=None)),
    }


class ArchiveFilter(ConditionFilter):
    title = gettext_lazy("archive")
    parameter_name = "archive"
    conditions = {
        "used": (gettext_lazy("in use"), lambda: Q(archived_at=None)),
        "archived": (gettext_lazy("archived"), lambda: ~Q(archived_at=None)),
    }


class SentFilter(ConditionFilter):
    title = gettext_lazy("cartel")
    parameter_name = "sent"
    conditions = {
        "sent": (gettext_lazy("sent to a corrida"), lambda: ~Q(cartel=None)),
        "free": (gettext_lazy("in its field"), lambda: Q(cartel=None)),
    }


class UndoneFilter(ConditionFilter):
    title = gettext_lazy("undone")
    parameter_name = "undone"
    conditions = {
        "stands": (gettext_lazy("valid"), lambda: Q(undone_by=None)),
        "undone": (gettext_lazy("undone"), lambda: ~Q(undone_by=None)),
    }


class HangingFilter(ConditionFilter):
    title = gettext_lazy("cartel")
    parameter_name = "cartel"
    conditions = {
        "none": (gettext_lazy("none yet"), lambda: Q(cartel=None)),
        "contracted": (gettext_lazy("contracted"), lambda: Q(cartel__set_by_hand=False)),
        "by-hand": (gettext_lazy("set by hand"), lambda: Q(cartel__set_by_hand=True)),
    }


class DirectorFilter(ConditionFilter):
    title = gettext_lazy("director")
    parameter_name = "director"
    conditions = {
        "site": (gettext_lazy("nobody"), lambda: Q(owner=None)),
        "person": (gettext_lazy("a person"), lambda: ~Q(owner=None)),
    }


class CircuitStateFilter(ConditionFilter):
    title = gettext_lazy("state")
    parameter_name = "state"
    conditions = {
        "playing": (gettext_lazy("in use"), lambda: Q(frozen_at=None, archived_at=None)),
        "frozen": (gettext_lazy("frozen"), lambda: ~Q(frozen_at=None)),
        "archived": (gettext_lazy("archived"), lambda: ~Q(archived_at=None)),
        "evenings": (gettext_lazy("a corrida every day"), lambda: ~Q(evening=None)),
    }
