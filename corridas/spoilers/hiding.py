"""Decides whether a page would reveal a result that a user has not watched."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q, Subquery

from corridas.circuit_queries import SHIPPED
from corridas.models import Corrida, Lidia
from corridas.spoilers.addresses import SpoilerScope
from corridas.spoilers.queries import EVERY, Hidden, earliest_hidden, hidden_corrida, hidden_in

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, kw_only=True)
class SpoilerLimit:
    """The last day (`until`) whose results may be shown to a user.

    It is the day before the corrida `unwatched`. Both are None if everything may be shown.
    """

    unwatched: Corrida | None = None

    @property
    def until(self) -> dt.date | None:
        return self.unwatched.date - dt.timedelta(days=1) if self.unwatched else None

    def up_to(self, day: dt.date | None) -> tuple[SpoilerLimit, dt.date | None]:
        """Return the limit and the last day for a page that shows results up to `day`.

        If `day` is None, the page shows the present state.
        """
        if self.until is None or (day is not None and day <= self.until):
            return SpoilerLimit(), day
        return self, self.until

    @property
    def mark(self) -> tuple[int, dt.date] | None:
        """A component of the cache key of pages that depend on the limit."""
        return (self.unwatched.pk, self.unwatched.date) if self.unwatched else None


def spoiler_limit_for(
    user: User | None, at: dt.datetime, circuit: str, among: Q = EVERY
) -> SpoilerLimit:
    """Return the limit for totals of a circuit, or of the corridas selected by `among`.

    `user` is None for a user without spoiler protection, or one who has lifted it for this circuit.
    """
    if user is None:
        return SpoilerLimit()
    return SpoilerLimit(unwatched=earliest_hidden(user, at, circuit=circuit, among=among))


SESSION_KEY: Final = "unveiled"
REVEALED_FOR: Final = dt.timedelta(minutes=30)
# Maximum number of circuits whose results a session reveals. If there are more, the oldest is
# hidden again.
MAX_REVEALED: Final = 20

Session = MutableMapping[str, Any]


def reveal(session: Session, circuit: str, *, at: dt.datetime) -> None:
    """Reveal the results of a circuit (its slug, or `ALL` for all circuits) for half an hour.

    The session stores this.
    """
    others = {
        slug: until
        for slug, until in _revealed_until(session).items()
        if until > at.timestamp() and slug != circuit
    }
    newest = dict(list(others.items())[1 - MAX_REVEALED :])
    session[SESSION_KEY] = newest | {circuit: (at + REVEALED_FOR).timestamp()}


def revealed(session: Session, *, at: dt.datetime) -> frozenset[str]:
    until_by_slug = _revealed_until(session)
    return frozenset(slug for slug, until in until_by_slug.items() if until > at.timestamp())


def _revealed_until(session: Session) -> dict[str, float]:
    until_by_slug: dict[str, float] = session.get(SESSION_KEY, {})
    return until_by_slug


# Used in place of a slug for all circuits.
ALL: Final = ""
_OF_ONE_CORRIDA: Final = frozenset(
    {SpoilerScope.CORRIDA, SpoilerScope.PRESENT, SpoilerScope.LIDIA, SpoilerScope.MOMENT}
)


@dataclass(frozen=True, kw_only=True)
class Spoiler:
    """The results that a page would reveal.

    `corrida` is set if the page shows a single corrida; `begun` is then true if one of its fights
    is over. Otherwise `circuit` is the slug of the circuit whose results the page shows (`ALL` for
    all circuits), and `whole` is true if it shows all of them.
    """

    hidden: Hidden
    circuit: str = ALL
    whole: bool = True
    corrida: Corrida | None = None
    begun: bool = False


def spoiler_at(
    user: User,
    scope: SpoilerScope,
    parts: Mapping[str, Any],
    *,
    at: dt.datetime,
    lifted: Collection[str] = (),
) -> Spoiler | None:
    """Return what the page with these URL arguments would reveal, or None if nothing is hidden.

    `lifted` are circuits for which the user has switched off spoiler protection for now.
    """
    if scope is SpoilerScope.NOTHING:
        return None
    if scope in _OF_ONE_CORRIDA:
        corrida = hidden_corrida(user, parts["pk"], at)
        if corrida is None:
            return None
        hidden = Hidden(total=1, first=(corrida,))
        return Spoiler(hidden=hidden, corrida=corrida, begun=corrida.begun)
    if ALL in lifted:
        return None
    circuit = None if scope is SpoilerScope.EVERYTHING else str(parts.get("circuit", SHIPPED))
    if circuit in lifted:
        return None
    among = corridas_at(scope, parts)
    without = lifted if circuit is None else ()
    hidden = hidden_in(user, at, circuit=circuit, without=without, among=among)
    return Spoiler(hidden=hidden, circuit=circuit or ALL, whole=not among) if hidden else None


def corridas_at(scope: SpoilerScope, parts: Mapping[str, Any]) -> Q:
    """Return a filter for the corridas that a page shows. It is empty if the page shows all."""
    if scope is SpoilerScope.SEASON:
        return Q(season__year__lte=parts["year"]) if parts.get("year") else Q()
    if scope is SpoilerScope.RUN:
        # A filter `run=` could overflow the column. Only a lookup of the primary key handles
        # numbers that are too large.
        played = Corrida.objects.filter(run__pk=parts["run"]).order_by("-date")
        until = Q(season__year=parts["year"], date__lte=Subquery(played.values("date")[:1]))
        return Q(season__year__lt=parts["year"]) | until
    if scope is SpoilerScope.PLAZA:
        return Q(plaza__slug=parts["slug"])
    if scope is SpoilerScope.HERD:
        bulls = Lidia.objects.filter(bull__ganaderia__slug=parts["slug"])
        return Q(pk__in=bulls.values("corrida"))
    if scope is SpoilerScope.BULL:
        bulls = Lidia.objects.filter(Q(bull=parts["pk"]) | Q(bull__sire=parts["pk"]))
        return Q(pk__in=bulls.values("corrida"))
    return Q()
