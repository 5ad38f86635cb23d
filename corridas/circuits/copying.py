"""Requests for a copy of a circuit, in which its owner can try anything."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from core.jobs import enqueue
from corridas.circuits.operations import MAX_NAME_LENGTH, check_circuits
from corridas.errors import OperationError
from corridas.models import Circuit, CircuitCopy


@transaction.atomic
def request_copy(*, circuit: Circuit, by: User, at: dt.datetime) -> CircuitCopy:
    """Request a private copy of a circuit for the user. A worker makes it from all that is posted.

    Raise `OperationError` for an archived circuit, one circuit too many, and for a user whose
    copies hold as many rows as one person may store.
    """
    check_circuits(by)
    if circuit.archived_at:
        raise OperationError(_("%s is archived. Restore it first.") % circuit)
    check_budget(by)
    name = (_("Copy of %s") % circuit.name)[:MAX_NAME_LENGTH]
    copy = CircuitCopy.objects.create(source=circuit, asked_by=by, name=name, asked_at=at)
    enqueue("corridas.tasks.copy_circuit", copy.pk, on_commit=True)
    return copy


def check_budget(by: User, rows: int = 1) -> None:
    """Raise `OperationError` where the user may not store so many more copied rows."""
    most = settings.COPIED_ROWS_A_USER
    if not by.is_superuser and CircuitCopy.objects.stored_rows(by) + rows > most:
        raise OperationError(
            _(
                "Your copies would hold more than %(most)s rows, archived ones included. "
                "A copy in which nothing was played is deleted for good and makes room."
            )
            % {"most": most}
        )


@transaction.atomic
def cancel_copy(*, copy: CircuitCopy, by: User, at: dt.datetime) -> bool:
    """Cancel a copy that is being made; return whether it was still unfinished.

    What is already written is removed. Raise `PermissionDenied` for all but the user who asked.
    """
    if copy.asked_by_id != by.pk:
        raise PermissionDenied(_("Only the user who asked for this copy can cancel it."))
    unfinished = CircuitCopy.objects.filter(CircuitCopy.UNFINISHED, pk=copy.pk)
    # The worker that has it finds this with its next rows, and removes those it has written.
    if not unfinished.update(state=CircuitCopy.State.CANCELLED, ended_at=at, beat_at=None):
        return False
    enqueue("corridas.tasks.remove_copy", copy.pk, on_commit=True)
    return True
