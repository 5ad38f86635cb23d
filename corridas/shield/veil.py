"""Whether an address is veiled for a person."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corridas.models import Corrida
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
    results it holds. `begun`: of the one corrida a lidia at least is over.
    """

    hidden: Hidden
    circuit: str = ALL
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
    circuit = str(parts.get("circuit", SHIPPED)) if what is Tells.CIRCUIT else None
    if circuit in lifted:
        return None
    found = hidden_in(user, at, circuit=circuit, without=lifted if circuit is None else ())
    return Veil(hidden=found, circuit=circuit or ALL) if found else None


def _of_one(user: User, pk: int, at: dt.datetime) -> Veil | None:
    found = hidden_corrida(user, pk, at)
    if found is None:
        return None
    return Veil(hidden=Hidden(total=1, first=(found,)), corrida=found, begun=found.begun)
