"""Letting a circuit rest, waking it, and ending it; what has a history is never lost with it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils.translation import gettext as _

from corridas import simulation
from corridas.models import Circuit, Season
from corridas.operations.circuits.asked import check_circuits, check_directs, check_own
from corridas.operations.errors import OperationError
from corridas.queries.circuits import has_history

if TYPE_CHECKING:
    from accounts.models import User

RESTORABLE: Final = dt.timedelta(days=30)
"""So long its director can bring back what was archived; afterwards only the office can."""


@transaction.atomic
def freeze_circuit(*, circuit: Circuit, by: User, at: dt.datetime) -> None:
    """Nothing is played any more; what is on air is shown to its end, and every page stays.

    Raises `PermissionDenied` for who does not direct it, `OperationError` where it is frozen
    already or comes with the site.
    """
    found = _own(circuit, by)
    if found.frozen_at:
        raise OperationError(_("%s is already frozen.") % found)
    found.frozen_at = at
    found.save(update_fields=["frozen_at"])
    simulation.halt(found, at=at)


@transaction.atomic
def thaw_circuit(*, circuit: Circuit, by: User) -> None:
    """Wake a frozen circuit; the same refusals, and where it is not frozen."""
    found = _own(circuit, by)
    if not found.frozen_at:
        raise OperationError(_("%s is not frozen.") % found)
    found.frozen_at = None
    found.save(update_fields=["frozen_at"])


@transaction.atomic
def delete_circuit(*, circuit: Circuit, by: User, at: dt.datetime) -> bool:
    """End a circuit: gone where nothing was played in it, else archived; returns whether gone.

    What is archived can be restored by its director for 30 days, and stays in the office.
    Raises `PermissionDenied` for who does not direct it, `OperationError` for the shipped one and
    for what is archived already.
    """
    found = _own(circuit, by)
    if found.archived_at:
        raise OperationError(_("%s is already archived.") % found)
    # A run holds its season while it plays: what it is at is over before history is looked for.
    list(Season.objects.select_for_update().filter(circuit=found).order_by("pk").values_list("pk"))
    simulation.halt(found, at=at)
    if not has_history(found):
        simulation.unfound(found)
        return True
    found.archived_at, found.offered_to = at, None
    found.save(update_fields=["archived_at", "offered_to"])
    return False


@transaction.atomic
def restore_circuit(*, circuit: Circuit, by: User, at: dt.datetime) -> None:
    """Bring an archived circuit back.

    Raises `PermissionDenied` for who does not direct it, `OperationError` where it is not
    archived, its 30 days are over (superusers aside), or for one circuit too many.
    """
    found = _own(circuit, by)
    if not found.archived_at:
        raise OperationError(_("%s is not archived.") % found)
    if not by.is_superuser and at - found.archived_at > RESTORABLE:
        raise OperationError(
            _(
                "It can no longer be restored here, because 30 days have passed. Ask an "
                "administrator to restore it."
            )
        )
    if found.owner is not None and found.owner == by:
        check_circuits(by)
    found.archived_at = None
    found.save(update_fields=["archived_at"])


def _own(circuit: Circuit, by: User) -> Circuit:
    check_directs(by, circuit)
    check_own(circuit)
    return Circuit.objects.select_for_update(of=("self",)).get(pk=circuit.pk)
