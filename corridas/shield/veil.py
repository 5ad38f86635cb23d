"""Whether an address is veiled for a person."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from corridas.circuits.queries import SHIPPED
from corridas.models import Corrida, Lidia
from corridas.queries.shield import EVERY, Hidden, earliest_hidden, hidden_corrida, hidden_in
from corridas.shield.table import Tells

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, kw_only=True)
class Told:
    """Up to and with the day `until`, for on the next one `unwatched` was fought.

    Both are None where everything may be told.
    """

    unwatched: Corrida | None = None

    @property
    def until(self) -> dt.date | None:
        """The last day whose results are told."""
        return self.unwatched.date - dt.timedelta(days=1) if self.unwatched else None

    def up_to(self, asked: dt.date | None) -> tuple[Told, dt.date | None]:
        """This and the last day to tell, where no more than up to `asked` is wanted."""
        if self.until is None or (asked is not None and asked <= self.until):
            return Told(), asked
        return self, self.until

    @property
    def mark(self) -> tuple[int, dt.date] | None:
        """What a page that is kept depends on."""
        return (self.unwatched.pk, self.unwatched.date) if self.unwatched else None


def told_to(user: User | None, at: dt.datetime, circuit: str, among: Q = EVERY) -> Told:
    """How far totals of a circuit, or of `among` its corridas, are told; one query.

    `user` is None for who has no shield, or wants to see all for now.
    """
    if user is None:
        return Told()
    return Told(unwatched=earliest_hidden(user, at, circuit=circuit, among=among))


KEY: Final = "unveiled"
LASTS: Final = dt.timedelta(minutes=30)
MOST: Final = 20
"""Circuits kept at a time; the oldest is veiled again."""

Session = MutableMapping[str, Any]


def lift(session: Session, circuit: str, *, at: dt.datetime) -> None:
    """Show the results of a circuit (its slug; `veil.ALL` for every one) for half an hour."""
    kept = {slug: until for slug, until in _kept(session).items() if until > at.timestamp()}
    kept.pop(circuit, None)
    newest = dict(list(kept.items())[1 - MOST :])
    session[KEY] = newest | {circuit: (at + LASTS).timestamp()}


def lifted(session: Session, *, at: dt.datetime) -> frozenset[str]:
    """The circuits whose results are shown at this instant."""
    return frozenset(slug for slug, until in _kept(session).items() if until > at.timestamp())


def _kept(session: Session) -> dict[str, float]:
    kept: dict[str, float] = session.get(KEY, {})
    return kept


ALL: Final = ""
"""What is lifted of every circuit, where the slug of one would stand."""
_ONE: Final = frozenset({Tells.CORRIDA, Tells.PRESENT, Tells.LIDIA, Tells.MOMENT})


@dataclass(frozen=True, kw_only=True)
class Veil:
    """What an address would give away.

    `corrida` where it is of one alone; else `circuit` (a slug, `ALL` for every one) is whose
    results it holds, `whole` whether all of them. `begun`: of the one corrida a lidia at least is
    over.
    """

    hidden: Hidden
    circuit: str = ALL
    whole: bool = True
    corrida: Corrida | None = None
    begun: bool = False


def veil_of(
    user: User,
    what: Tells,
    parts: Mapping[str, Any],
    *,
    at: dt.datetime,
    lifted: Collection[str] = (),
) -> Veil | None:
    """The veil over an address with these parts, where something in it is hidden; one query.

    `lifted` are circuits whose results the person wants to see for now.
    """
    if what is Tells.NOTHING:
        return None
    if what in _ONE:
        return _of_one(user, parts["pk"], at)
    if ALL in lifted:
        return None
    circuit = None if what is Tells.EVERYTHING else str(parts.get("circuit", SHIPPED))
    if circuit in lifted:
        return None
    among = among_of(what, parts)
    without = lifted if circuit is None else ()
    found = hidden_in(user, at, circuit=circuit, without=without, among=among)
    return Veil(hidden=found, circuit=circuit or ALL, whole=not among) if found else None


def among_of(what: Tells, parts: Mapping[str, Any]) -> Q:
    """Which corridas of a circuit an address tells of; all of them where nothing is named."""
    if what is Tells.SEASON:
        return Q(season__year__lte=parts["year"]) if parts.get("year") else Q()
    if what is Tells.PLAZA:
        return Q(plaza__slug=parts["slug"])
    if what is Tells.HERD:
        bulls = Lidia.objects.filter(bull__ganaderia__slug=parts["slug"])
        return Q(pk__in=bulls.values("corrida"))
    if what is Tells.BULL:
        bulls = Lidia.objects.filter(Q(bull=parts["pk"]) | Q(bull__sire=parts["pk"]))
        return Q(pk__in=bulls.values("corrida"))
    return Q()


def _of_one(user: User, pk: int, at: dt.datetime) -> Veil | None:
    found = hidden_corrida(user, pk, at)
    if found is None:
        return None
    return Veil(hidden=Hidden(total=1, first=(found,)), corrida=found, begun=found.begun)
