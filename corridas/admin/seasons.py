"""Seasons, their ferias, and the runs that carry them on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import ForeignKey, QuerySet
from django.forms import ModelChoiceField
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corridas.admin.forms import FeriaForm, SeasonForm
from corridas.admin.office import OfficeAdmin, ReadOnlyAdmin, SeasonFilter, Verb
from corridas.models import Cartel, Circuit, Corrida, Feria, Run, Season
from corridas.operations import request_stop

SEALED = gettext_lazy("sealed until all is over")


@admin.register(Season)
class SeasonAdmin(OfficeAdmin):
    """Years of a circuit. They are planned from the circuit's page, with a seed of their own."""

    form = SeasonForm
    list_display = ("year", "circuit", "posted_version", "commitment_hex")
    list_display_links = ("year", "circuit")
    list_filter = ("circuit",)
    list_select_related = ("circuit",)
    fields = ("circuit", "year", "rules", "posted_version", "commitment_hex", "seed_hex")
    readonly_fields = ("circuit", "year", "posted_version", "commitment_hex", "seed_hex")
    promised = ("rules",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A season is planned, not written."""
        return False

    def holders(self, row: Season) -> QuerySet[Circuit]:
        """Its own circuit."""
        return Circuit.objects.filter(pk=row.circuit_id)

    def is_promised(self, row: Season) -> bool:
        """Whether a cartel of it hangs: its options are in the stake."""
        return Cartel.objects.filter(corrida__season=row).exists()

    def is_used(self, row: Season) -> bool:
        """A season is for good."""
        return True

    @admin.display(description=gettext_lazy("commitment"))
    def commitment_hex(self, row: Season) -> str:
        """What was published before the first cartel."""
        return bytes(row.commitment).hex()

    @admin.display(description=gettext_lazy("seed"))
    def seed_hex(self, row: Season) -> str:
        """The seed, once no corrida of the season is left to be told."""
        if row.corridas.exclude(state__in=Corrida.OVER).exists():
            return str(SEALED)
        return bytes(row.seed).hex()


@admin.register(Feria)
class FeriaAdmin(OfficeAdmin):
    """Days of corridas in one plaza."""

    form = FeriaForm
    list_display = ("name", "plaza", "season", "starts", "ends")
    list_filter = (("season", SeasonFilter), "plaza__category", "plaza__continent")
    list_select_related = ("plaza", "season__circuit")
    search_fields = ("name", "plaza__name", "plaza__city")
    slug_from = ("name",)

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> ModelChoiceField[Any] | None:
        """Seasons with their circuit, in one query."""
        if db_field.name == "season":
            kwargs["queryset"] = Season.objects.select_related("circuit")
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def holders(self, row: Feria) -> QuerySet[Circuit]:
        """That of its season."""
        return Circuit.objects.filter(seasons=row.season_id)

    def is_used(self, row: Feria) -> bool:
        """Whether it has corridas."""
        return row.corridas.exists()


def _stop(request: HttpRequest, run: Run) -> str:
    request_stop(run=run)
    return _("It stops after the corridas it is at.")


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    """Seasons being run on, the newest first."""

    list_display = ("season", "state", "progress", "until", "feria", "asked_by", "asked_at")
    list_filter = ("state", ("season", SeasonFilter))
    list_select_related = ("season__circuit", "feria", "asked_by")
    actions = ("stop_chosen",)
    verbs = (Verb("stop", gettext_lazy("Stop"), _stop, ("corridas.change_run",)),)
    fields = (
        "season",
        ("state", "progress"),
        ("until", "feria", "most"),
        "stop_on",
        "stop_requested",
        "reason",
        ("asked_by", "asked_at"),
        ("beat_at", "ended_at"),
        "attempts",
    )

    readonly_fields = ("progress",)

    @admin.display(description=gettext_lazy("corridas posted"))
    def progress(self, row: Run) -> str:
        """How many of how many."""
        return f"{row.done} / {row.total}"

    def offered(self, row: Run) -> Iterable[Verb]:
        """Stopping what goes on."""
        return self.verbs if row.active and not row.stop_requested else ()

    def has_direct_permission(self, request: HttpRequest) -> bool:
        """Whether this person may stop runs."""
        return self.verbs[0].allowed(request.user)

    @admin.action(description=gettext_lazy("Stop the chosen runs"), permissions=["direct"])
    def stop_chosen(self, request: HttpRequest, chosen: QuerySet[Run]) -> None:
        """Ask each to stop after the corridas it is at."""
        self.do_each(request, self.verbs[0], chosen)
