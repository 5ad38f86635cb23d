"""Decides whether an address would spoil a result for a person."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from corridas.circuits.queries import SHIPPED
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

    def up_to(self, asked: dt.date | None) -> tuple[SpoilerLimit, dt.date | None]:
        if self.until is None or (asked is not None and asked <= self.until):
            return SpoilerLimit(), asked
        return self, self.until

    @property
    def mark(self) -> tuple[int, dt.date] | None:
        """A cache key component for pages that depend on the limit."""
        return (self.unwatched.pk, self.unwatched.date) if self.unwatched else None


def spoiler_limit_for(
    user: User | None, at: dt.datetime, circuit: str, among: Q = EVERY
) -> SpoilerLimit:
    """Return how far totals of a circuit, or of `among` its corridas, may go. One query.

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
    kept = {slug: until for slug, until in _stored(session).items() if until > at.timestamp()}
    kept.pop(circuit, None)
    newest = dict(list(kept.items())[1 - MAX_REVEALED :])
    session[SESSION_KEY] = newest | {circuit: (at + REVEALED_FOR).timestamp()}


def revealed(session: Session, *, at: dt.datetime) -> frozenset[str]:
    return frozenset(slug for slug, until in _stored(session).items() if until > at.timestamp())


def _stored(session: Session) -> dict[str, float]:
    kept: dict[str, float] = session.get(SESSION_KEY, {})
    return kept


# Stands for every circuit in place of a slug
ALL: Final = ""
_ONE: Final = frozenset(
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
    what: SpoilerScope,
    parts: Mapping[str, Any],
    *,
    at: dt.datetime,
    lifted: Collection[str] = (),
) -> Spoiler | None:
    """Return the spoilers of an address with these parts, or None. One query.

    `lifted` are circuits whose results the person wants to see for now.
    """
    if what is SpoilerScope.NOTHING:
        return None
    if what in _ONE:
        return _of_one(user, parts["pk"], at)
    if ALL in lifted:
        return None
    circuit = None if what is SpoilerScope.EVERYTHING else str(parts.get("circuit", SHIPPED))
    if circuit in lifted:
        return None
    among = corridas_at(what, parts)
    without = lifted if circuit is None else ()
    hidden = hidden_in(user, at, circuit=circuit, without=without, among=among)
    return Spoiler(hidden=hidden, circuit=circuit or ALL, whole=not among) if hidden else None


def corridas_at(what: SpoilerScope, parts: Mapping[str, Any]) -> Q:
    """Return a filter for the corridas of a circuit that an address shows. It is empty for all."""
    if what is SpoilerScope.SEASON:
        return Q(season__year__lte=parts["year"]) if parts.get("year") else Q()
    if what is SpoilerScope.PLAZA:
        return Q(plaza__slug=parts["slug"])
    if what is SpoilerScope.HERD:
        bulls = Lidia.objects.filter(bull__ganaderia__slug=parts["slug"])
        return Q(pk__in=bulls.values("corrida"))
    if what is SpoilerScope.BULL:
        bulls = Lidia.objects.filter(Q(bull=parts["pk"]) | Q(bull__sire=parts["pk"]))
        return Q(pk__in=bulls.values("corrida"))
    return Q()


def _of_one(user: User, pk: int, at: dt.datetime) -> Spoiler | None:
    hidden = hidden_corrida(user, pk, at)
    if hidden is None:
        return None
    return Spoiler(hidden=Hidden(total=1, first=(hidden,)), corrida=hidden, begun=hidden.begun)
