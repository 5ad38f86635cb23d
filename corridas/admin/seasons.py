"""Admin of seasons, of their ferias, and of runs (requests to simulate part of a season)."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corridas.admin.actions import Action, OfficeAdmin, ReadOnlyAdmin, warn_if_broker_is_away
from corridas.admin.corridas import posting_confirmation
from corridas.admin.filters import CircuitFilter, circuit_filter, year_filter
from corridas.admin.forms import FeriaForm, SeasonForm
from corridas.admin.tracked import signed_in_user
from corridas.models import Corrida, Feria, Run, Season, Winter
from corridas.roster.queries import PROMISED
from corridas.season.operations import Goal, request_stop, run_season
from corridas.world.stops import read as read_stops

SEALED = gettext_lazy("sealed until the season and its winter are over")


@admin.register(Season)
class SeasonAdmin(OfficeAdmin):
    """Admin of seasons. A season is planned on the page of its circuit and has its own seed."""

    form = SeasonForm
    is_named_after_circuit = True
    list_display = ("year", "circuit", "posted_version", "commitment_hex")
    list_display_links = ("year", "circuit")
    list_filter = (CircuitFilter, year_filter("year"))
    list_select_related = ("circuit",)
    fields = ("circuit", "year", "rules", "posted_version", "commitment_hex", "seed_hex")
    readonly_fields = ("circuit", "year", "posted_version", "commitment_hex", "seed_hex")
    promised = PROMISED["season"]
    ordering = ("-year", "circuit", "pk")
    search_fields = ("year", "circuit__search_text__folded")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    @admin.display(description=gettext_lazy("commitment"))
    def commitment_hex(self, row: Season) -> str:
        return bytes(row.commitment).hex()

    @admin.display(description=gettext_lazy("seed"))
    def seed_hex(self, row: Season) -> str:
        """Return the seed of a season once all corridas and the winter after them are over.

        Before that, return a text that says that the seed is sealed.
        """
        pending = Winter.objects.filter(season=row, done_at=None)
        if pending.exists() or row.corridas.exclude(state__in=Corrida.OVER).exists():
            return str(SEALED)
        return bytes(row.seed).hex()


@admin.register(Feria)
class FeriaAdmin(OfficeAdmin):
    form = list_form = FeriaForm
    circuit_path = "season__circuit"
    list_display = ("name", "plaza", "season", "starts", "ends")
    list_editable = ("starts", "ends")
    list_filter = (
        circuit_filter("season__circuit"),
        year_filter("season__year"),
        "plaza__category",
        "plaza__continent",
    )
    list_select_related = ("plaza", "season__circuit")
    list_per_page = 50
    autocomplete_fields = ("season", "plaza")
    ordering = ("-starts", "pk")
    search_fields = ("search_text__folded", "plaza__search_text__folded")
    slug_from = ("name",)


def _stop(request: HttpRequest, run: Run) -> str:
    request_stop(run=run)
    return _("The season will stop after the corridas that are now being played.")


def _again(request: HttpRequest, run: Run) -> str:
    goal = Goal(until=run.until, feria=run.feria)
    stops = read_stops(run.stop_on)
    now = timezone.now()
    _run, broker_told = run_season(
        season=run.season, goal=goal, at=now, stop_on=stops, by=signed_in_user(request)
    )
    warn_if_broker_is_away(request, broker_told)
    return _("%s continues.") % run.season


STOP = Action("stop", gettext_lazy("Stop"), _stop, ("corridas.change_run",))
AGAIN = Action(
    "again",
    gettext_lazy("Continue"),
    _again,
    ("corridas.change_run",),
    lambda run: posting_confirmation(Corrida.objects.on_air().filter(season=run.season_id)),
)


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    """Admin of runs (requests to simulate part of a season), the newest first."""

    is_named_after_circuit = True
    list_display = ("season", "state", "progress", "until", "feria", "asked_by", "asked_at")
    circuit_path = "season__circuit"
    list_filter = ("state", circuit_filter("season__circuit"), year_filter("season__year"))
    list_select_related = ("season__circuit", "feria", "asked_by")
    actions = ("stop_chosen",)
    verbs = (STOP, AGAIN)
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

    @admin.display(description=gettext_lazy("corridas completed"))
    def progress(self, row: Run) -> str:
        return f"{row.done} / {row.total}"

    def offered(self, row: Run) -> Iterable[Action]:
        if row.state == Run.State.FAILED:
            return (AGAIN,)
        return (STOP,) if row.active and not row.stop_requested else ()

    def has_direct_permission(self, request: HttpRequest) -> bool:
        return STOP.allowed(request.user)

    @admin.action(description=gettext_lazy("Stop the chosen seasons"), permissions=["direct"])
    def stop_chosen(self, request: HttpRequest, chosen: QuerySet[Run]) -> None:
        self.do_each(request, STOP, chosen)
