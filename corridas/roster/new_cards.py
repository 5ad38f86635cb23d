"""The decision to print all cards of a circuit again, by the rules of new circuits.

It is made once, in a circuit with cards of an earlier version of the winter's rules. The cards are
printed in the last winter that is promised by that version, and the decision can be taken back
until then.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from corridas.circuits.operations import check_awake, lock_circuit
from corridas.errors import OperationError
from corridas.models import Circuit, Winter
from corridas.roster.exchange.preview import check_may_exchange
from corridas.world.roster import CARDS_VERSION

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, kw_only=True)
class NewCards:
    """The winter in which all cards of a circuit are or can be printed again.

    `year` is the season before it, and `decided_at` the time of the decision, None without one.
    `settled` says whether the decision can no longer be taken back.
    """

    year: int
    decided_at: dt.datetime | None = None
    settled: bool = False


def new_cards(circuit: Circuit) -> NewCards | None:
    """Return the winter in which all cards can be printed again. One query at most.

    None if the circuit already has new cards, or no season with a winter to come.
    """
    if circuit.cards_version >= CARDS_VERSION:
        return None
    coming = Winter.objects.filter(season__circuit=circuit, done_at=None)
    winters = list(coming.order_by("season__year").values_list("season__year", "new_cards_at"))
    for place, (year, decided_at) in enumerate(winters, start=1):
        if decided_at:
            # The winters after it are promised by the version of the new cards.
            return NewCards(year=year, decided_at=decided_at, settled=place < len(winters))
    return NewCards(year=winters[-1][0]) if winters else None


@transaction.atomic
def print_new_cards(*, circuit: Circuit, by: User, at: dt.datetime) -> NewCards:
    """Decide that all cards of a circuit are printed again in the last winter that is planned.

    A second decision changes nothing. Raise `PermissionDenied` unless the user may change the
    roster, and `OperationError` if the circuit is frozen or archived, already has new cards, or has
    no season with a winter to come.
    """
    held, found = _lock(circuit, by)
    if found is None:
        raise OperationError(_("Plan a season of %s first.") % held)
    if found.decided_at is None:
        _decide(held, found, at)
    return found


@transaction.atomic
def take_back_new_cards(*, circuit: Circuit, by: User) -> None:
    """Take back the decision of `print_new_cards`. Without a decision, change nothing.

    Raise `PermissionDenied` and `OperationError` as `print_new_cards` does, and also if a season
    after the winter has been planned with the new cards.
    """
    held, found = _lock(circuit, by)
    if found is None or found.decided_at is None:
        return
    if found.settled:
        raise OperationError(
            _("A season after %s has already been planned with the new cards.") % found.year
        )
    _decide(held, found, None)


def _lock(circuit: Circuit, by: User) -> tuple[Circuit, NewCards | None]:
    check_may_exchange(by, circuit)
    held = lock_circuit(circuit)
    check_awake(held)
    if held.cards_version >= CARDS_VERSION:
        raise OperationError(_("%s already has the new cards.") % held)
    return held, new_cards(held)


def _decide(circuit: Circuit, found: NewCards, at: dt.datetime | None) -> None:
    winters = Winter.objects.filter(season__circuit=circuit, season__year=found.year, done_at=None)
    winters.update(new_cards_at=at)
