"""Decides whether an address would spoil a result for a person."""

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
    """The last day (`until`) whose results may be shown, before the day of the `unwatched` corrida.

    Both are None if everything may be shown.
    """

    unwatched: Corrida | None = None

    @property
    def until(self) -> dt.date | None:
        return self.unwatched.date - dt.timedelta(days=1) if self.unwatched else None

    def up_to(self, day: dt.date | None) -> tuple[SpoilerLimit, dt.date | None]:
        """Return the limit and last day of a page as of `day`, or as of now if it is None."""
        if self.until is None or (day is not None and day <= self.until):
            return SpoilerLimit(), day
        return self, self.until

    @property
    def mark(self) -> tuple[int, dt.date] | None:
        """A cache key component for pages that depend on the limit."""
        return (self.unwatched.pk, self.unwatched.date) if self.unwatched else None


def spoiler_limit_for(
    user: User | None, at: dt.datetime, circuit: str, among: Q = EVERY
) -> SpoilerLimit:
    """Return how far totals of a circuit, or of `among` its corridas, may go.

    `user` is None for a person without spoiler protection, or one who has lifted it for now.
    """
    if user is None:
        return SpoilerLimit()
    return SpoilerLimit(unwatched=earliest_hidden(user, at, circuit=circuit, among=among))


SESSION_KEY: Final = "unveiled"
REVEALED_FOR: Final = dt.timedelta(minutes=30)
# Circuits revealed at a time per session. The oldest is hidden again.
MAX_REVEALED: Final = 20

Session = MutableMapping[str, Any]


def reveal(session: Session, circuit: str, *, at: dt.datetime) -> None:
    """Show the results of a circuit (its slug, or `ALL` for every circuit) for half an hour."""
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


# Stands for every circuit in place of a slug
ALL: Final = ""
_OF_ONE_CORRIDA: Final = frozenset(
    {SpoilerScope.CORRIDA, SpoilerScope.PRESENT, SpoilerScope.LIDIA, SpoilerScope.MOMENT}
)


@dataclass(frozen=True, kw_only=True)
class Spoiler:
    """The results that an address would give away.

    `corrida` is set if it shows only one. Otherwise `circuit` (a slug, or `ALL` for every circuit)
    is the one whose results it shows, and `whole` whether it shows all of them. `begun` is set if
    at least one lidia of the one corrida is over.
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
    """Return the spoilers of an address with these parts, or None.

    `lifted` are circuits whose results the person wants to see for now.
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
    """Return a filter for the corridas of a circuit that an address shows. It is empty for all."""
    if scope is SpoilerScope.SEASON:
        return Q(season__year__lte=parts["year"]) if parts.get("year") else Q()
    if scope is SpoilerScope.RUN:
        # Not run=: only a lookup of the key finds nothing for a number that no column can hold
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
