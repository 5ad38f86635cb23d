"""Admin of corridas and lidias, without results that have not been broadcast yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from corridas.admin.actions import Action, ReadOnlyAdmin, ReadOnlyInline, warn_if_broker_is_away
from corridas.admin.filters import HangingFilter, circuit_filter, year_filter
from corridas.broadcast import source
from corridas.models import Corrida, Lidia
from corridas.season import operations as season_operations

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

DIRECTS = ("corridas.change_corrida",)
LINE = ("plaza", "feria", "season__circuit")
RESULT = ("starter", "finisher", "ending", "trophy", "vuelta", "crowd", "avisos")


def _queue(request: HttpRequest, corrida: Corrida) -> str:
    pace_ms = corrida.season.circuit.pace_ms
    broker_told = season_operations.queue_corrida(
        corrida=corrida, pace_ms=pace_ms, at=timezone.now()
    )
    warn_if_broker_is_away(request, broker_told)
    return _("%s is about to start.") % corrida


def _retry(request: HttpRequest, corrida: Corrida) -> str:
    broker_told = season_operations.retry_corrida(corrida=corrida, at=timezone.now())
    warn_if_broker_is_away(request, broker_told)
    return _("The site will try to play this corrida again: %s.") % corrida


def _cut_short(request: HttpRequest, corrida: Corrida) -> str:
    season_operations.cut_short(corrida=corrida, at=timezone.now())
    return _("The results of %s have been posted.") % corrida


def posting_confirmation(corridas: Iterable[Corrida]) -> list[str]:
    """Return the sentences that ask an administrator to confirm that results are posted early.

    They name the corridas that are still being broadcast, and say how many people are watching.
    """
    airing = [corrida for corrida in corridas if corrida.state == Corrida.State.ON_AIR]
    if not airing:
        return []
    watchers = source.watchers([corrida.pk for corrida in airing], timezone.now())
    if watchers is None:
        watching = _("The number of people watching is not known at the moment.")
    else:
        message = ngettext(
            "%(count)s person is watching.", "%(count)s people are watching.", watchers
        )
        watching = message % {"count": watchers} if watchers else _("Nobody is watching.")
    named = [
        _("%s is on air. Its results will be posted immediately.") % corrida for corrida in airing
    ]
    return [*named, watching]


QUEUE = Action("queue", gettext_lazy("Put the corrida on air"), _queue, DIRECTS)
RETRY = Action("retry", gettext_lazy("Try again"), _retry, DIRECTS)
CUT_SHORT = Action(
    "cut-short",
    gettext_lazy("Cut the broadcast short"),
    _cut_short,
    DIRECTS,
    lambda row: posting_confirmation([row]),
)
WHEN = {
    Corrida.State.ANNOUNCED: (QUEUE,),
    Corrida.State.FAILED: (RETRY,),
    Corrida.State.ON_AIR: (CUT_SHORT,),
}


class LidiaInline(ReadOnlyInline):
    """Inline with the lidias (fights with one bull) of a corrida whose last card has been
    broadcast.
    """

    model = Lidia
    fields = readonly_fields = ("turn", "bull", *RESULT)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Lidia]:
        return _visible(Lidia.objects.all())


def _visible(rows: QuerySet[Lidia]) -> QuerySet[Lidia]:
    visible = Lidia.objects.shown(at=timezone.now()) & rows
    named = ("bull", "starter", "finisher", "corrida__plaza", "corrida__season__circuit")
    return visible.select_related(*named).order_by("corrida", "turn")


def _chosen(verb: Action, description: StrOrPromise) -> Callable[..., HttpResponse | None]:
    @admin.action(description=description, permissions=["direct"])
    def act(
        office: CorridaAdmin, request: HttpRequest, chosen: QuerySet[Corrida]
    ) -> HttpResponse | None:
        return office.do_each(request, verb, chosen)

    act.__name__ = verb.name
    return act


@admin.register(Corrida)
class CorridaAdmin(ReadOnlyAdmin):
    """Admin of corridas.

    While a corrida is on air, its commitment is shown, but its seed and its end are hidden.
    """

    list_display = ("date", "plaza", "state", "posters", "feria")
    list_display_links = ("date", "plaza")
    circuit_path = "season__circuit"
    list_filter = (
        "state",
        circuit_filter("season__circuit"),
        year_filter("season__year"),
        HangingFilter,
        "plaza__category",
        "plaza__continent",
    )
    list_select_related = LINE
    search_fields = ("plaza__search_text__folded", "feria__search_text__folded")
    date_hierarchy = "date"
    list_per_page = 50
    inlines = (LidiaInline,)
    verbs = (QUEUE, RETRY, CUT_SHORT)
    actions = (
        _chosen(QUEUE, gettext_lazy("Put the chosen corridas on air")),
        _chosen(RETRY, gettext_lazy("Try the chosen corridas again")),
        _chosen(CUT_SHORT, gettext_lazy("Cut the chosen broadcasts short")),
    )
    fieldsets = (
        (None, {"fields": ("season", "feria", "plaza", "date", "state", "error")}),
        (
            gettext_lazy("Cartel"),
            {"fields": ("posters", "herd", "commitment", "seed", "by_hand")},
        ),
        (
            gettext_lazy("Broadcast"),
            {"fields": ("pace_ms", "queued_at", "on_air_at", "end", "posted_at", "attempts")},
        ),
    )
    readonly_fields = ("posters", "herd", "commitment", "seed", "by_hand", "end")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Corrida]:
        rows = super().get_queryset(request).select_related("cartel__ganaderia", *LINE)
        return rows.prefetch_related("cartel__puestos__matador")

    def offered(self, row: Corrida) -> Iterable[Action]:
        return WHEN.get(Corrida.State(row.state), ())

    def has_direct_permission(self, request: HttpRequest) -> bool:
        return QUEUE.allowed(request.user)

    @admin.display(description=gettext_lazy("matadors"), empty_value="–")
    def posters(self, row: Corrida) -> str | None:
        if not hasattr(row, "cartel"):
            return None
        places = sorted(row.cartel.puestos.all(), key=lambda puesto: puesto.order)
        return ", ".join(str(puesto.matador) for puesto in places)

    @admin.display(description=gettext_lazy("herd"), empty_value="–")
    def herd(self, row: Corrida) -> str | None:
        return str(row.cartel.ganaderia) if hasattr(row, "cartel") else None

    @admin.display(description=gettext_lazy("set by hand"), boolean=True)
    def by_hand(self, row: Corrida) -> bool | None:
        return row.cartel.set_by_hand if hasattr(row, "cartel") else None

    @admin.display(description=gettext_lazy("commitment"), empty_value="–")
    def commitment(self, row: Corrida) -> str | None:
        """Return the commitment to the seed, published with the cartel (Ruling F-2)."""
        return bytes(row.cartel.commitment).hex() if hasattr(row, "cartel") else None

    @admin.display(description=gettext_lazy("seed"), empty_value="–")
    def seed(self, row: Corrida) -> str | None:
        """Return the seed of a simulated corrida once it is over.

        The seed of a corrida entered from a real table stays secret: its result may be voided, and
        the corrida is then simulated from the seed.
        """
        if not hasattr(row, "cartel") or row.origin == Corrida.Origin.TABLE:
            return None
        return (
            bytes(row.cartel.seed).hex() if row.is_over else _("sealed until the corrida is over")
        )

    @admin.display(description=gettext_lazy("end of the broadcast"), empty_value="–")
    def end(self, row: Corrida) -> Any:
        """Return when the last card was broadcast, once the corrida is over.

        Earlier this time would reveal how many cards are still to come.
        """
        return row.ends_at if row.is_over else None


@admin.register(Lidia)
class LidiaAdmin(ReadOnlyAdmin):
    """Admin of lidias (fights with one bull).

    A lidia is visible once its last card has been broadcast.
    """

    list_display = ("corrida", "turn", "bull", "finisher", "ending", "trophy", "crowd", "avisos")
    list_display_links = ("corrida", "turn")
    circuit_path = "corrida__season__circuit"
    list_filter = (
        "trophy",
        "crowd",
        "ending",
        circuit_filter("corrida__season__circuit"),
        year_filter("corrida__season__year"),
    )
    search_fields = (
        *("bull__name__folded", "bull__name_key__folded"),
        *("starter__search_text__folded", "finisher__search_text__folded"),
    )
    list_per_page = 50
    fields = (
        "corrida",
        "turn",
        "bull",
        *RESULT,
        ("matador_points", "bull_points", "kill_points"),
        ("score", "number"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Lidia]:
        return _visible(super().get_queryset(request))
