"""Queries for corridas whose results are hidden from a user."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Window

from corridas.circuit_queries import may_be_seen
from corridas.models import Circuit, Corrida, Lidia, Watched

if TYPE_CHECKING:
    from accounts.models import User

# Number of corridas listed on the page that is shown in place of a hidden page.
MAX_NAMED: Final = 10
EVERY: Final = Q()
# States in which a corrida has results that may have to be hidden.
AIRED: Final = (Corrida.State.ON_AIR, *Corrida.OVER)


@dataclass(frozen=True, kw_only=True)
class Hidden:
    total: int
    first: tuple[Corrida, ...]

    def __bool__(self) -> bool:
        return self.total > 0


def hidden(user: User, at: dt.datetime) -> QuerySet[Corrida]:
    """Return the corridas whose results are hidden from a user.

    These are visible corridas that were broadcast since the user switched on spoiler protection,
    and that the user has not watched. Corridas without a broadcast (simulated in a run, imported,
    or played at a real table) are never hidden. Users without spoiler protection get an empty
    queryset.
    """
    if user.shielded_since is None:
        return Corrida.objects.none()
    watched = Watched.objects.filter(user=user.pk, corrida=OuterRef("pk"))
    visible = Circuit.objects.filter(may_be_seen(user)).values("pk")
    return Corrida.objects.filter(
        ~Exists(watched),
        on_air_at__gte=user.shielded_since,
        on_air_at__lte=at,
        state__in=AIRED,
        season__circuit__in=visible,
    )


def hidden_in(
    user: User,
    at: dt.datetime,
    *,
    circuit: str | None = None,
    without: Collection[str] = (),
    among: Q = EVERY,
) -> Hidden:
    """Return hidden corridas of one circuit (by slug), or of all circuits except some."""
    rows = hidden(user, at).filter(among)
    if circuit is not None:
        rows = rows.filter(season__circuit__slug=circuit)
    if without:
        rows = rows.exclude(season__circuit__slug__in=without)
    rows = rows.annotate(total=Window(Count("pk")))
    rows = rows.select_related("plaza", "season__circuit")
    unwatched: list[Any] = list(rows.order_by("on_air_at", "pk")[:MAX_NAMED])
    if not unwatched:
        return Hidden(total=0, first=())
    return Hidden(total=unwatched[0].total, first=tuple(unwatched))


def earliest_hidden(
    user: User, at: dt.datetime, *, circuit: str, among: Q = EVERY
) -> Corrida | None:
    """Return the earliest hidden corrida of a circuit by date, or None.

    Results from before that day may be shown.
    """
    rows = hidden(user, at).filter(among, season__circuit__slug=circuit)
    return rows.select_related("plaza", "season__circuit").order_by("date", "pk").first()


def hidden_corrida(user: User, pk: int, at: dt.datetime) -> Any:
    """Return the corrida with this primary key if its results are hidden, otherwise None.

    Its attribute `begun` is true if one of its fights is over, so that its page would reveal
    results.
    """
    over = Lidia.objects.filter(corrida=OuterRef("pk"), ends_at__lte=at)
    rows = hidden(user, at).annotate(begun=Exists(over))
    return rows.select_related("plaza", "season__circuit").filter(pk=pk).first()


def can_mark_watched(user: User, pk: int, at: dt.datetime) -> bool:
    visible = Circuit.objects.filter(may_be_seen(user)).values("pk")
    rows = Corrida.objects.filter(pk=pk, state__in=AIRED, season__circuit__in=visible)
    return rows.filter(on_air_at__lte=at).exists()
