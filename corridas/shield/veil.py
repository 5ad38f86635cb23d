"""Whether an address is veiled for a person."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from corridas.models import Corrida, Lidia
from corridas.queries.circuit import SHIPPED
from corridas.queries.shield import Hidden, hidden_corrida, hidden_in
from corridas.shield.table import Tells

if TYPE_CHECKING:
    from accounts.models import User

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
