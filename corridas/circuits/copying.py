"""Operations that request or cancel the copy of a circuit."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from core.jobs import enqueue
from core.names.text import shorten
from corridas.circuits.operations import MAX_NAME_LENGTH, check_circuits, lock_circuit
from corridas.errors import OperationError
from corridas.models import Circuit, CircuitCopy


@transaction.atomic
def request_copy(*, circuit: Circuit, by: User, at: dt.datetime) -> CircuitCopy:
    """Request a private copy of a circuit for the user. A worker creates it.

    Raise `OperationError` if the circuit is archived or deleted, if the user has the maximum number
    of circuits, or if the user's copies already have the maximum number of rows.
    """
    source = lock_circuit(circuit)
    check_circuits(by)
    if source.archived_at:
        raise OperationError(_("%s is archived. Restore it first.") % source)
    check_budget(by)
    name = shorten(_("Copy of %s") % source.name, MAX_NAME_LENGTH)
    copy = CircuitCopy.objects.create(source=source, asked_by=by, name=name, asked_at=at)
    enqueue("corridas.tasks.copy_circuit", copy.pk, on_commit=True)
    return copy


def check_budget(by: User, rows: int = 1) -> None:
    """Raise `OperationError` if the user's copies would have too many rows."""
    most = settings.COPIED_ROWS_A_USER
    if not by.is_superuser and CircuitCopy.objects.stored_rows(by) + rows > most:
        raise OperationError(
            _(
                "Your copies can have at most %(most)s rows in total, including archived copies. "
                "To make room, delete a copy in which no corridas have been played."
            )
            % {"most": intcomma(most)}
        )


@transaction.atomic
def cancel_copy(*, copy: CircuitCopy, by: User, at: dt.datetime) -> bool:
    """Cancel a copy and remove its rows. Return whether it was still unfinished.

    Raise `PermissionDenied` unless the user has requested it.
    """
    if copy.asked_by_id != by.pk:
        raise PermissionDenied(_("Only the user who requested this copy can cancel it."))
    unfinished = CircuitCopy.objects.filter(CircuitCopy.UNFINISHED, pk=copy.pk)
    # The worker notices the new state the next time that it reports progress.
    if not unfinished.update(state=CircuitCopy.State.CANCELLED, ended_at=at, beat_at=None):
        return False
    enqueue("corridas.tasks.remove_copy", copy.pk, on_commit=True)
    return True
