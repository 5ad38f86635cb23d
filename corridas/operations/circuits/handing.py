"""Handing a circuit on: it is offered by name, and the other accepts or declines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from corridas import telling
from corridas.models import Circuit
from corridas.operations.circuits.asked import check_circuits, check_directs, check_own
from corridas.operations.errors import OperationError

if TYPE_CHECKING:
    from accounts.models import User


@transaction.atomic
def offer_circuit(*, circuit: Circuit, name: str, by: User) -> User:
    """Offer a circuit to the user of that name, who decides; returns whom it is offered to.

    Raises `PermissionDenied` for who does not direct it, `OperationError` for a name that nobody
    has, for the director's own, and for a circuit that is archived or comes with the site.
    """
    check_directs(by, circuit)
    check_own(circuit)
    found = _locked(circuit)
    if found.archived_at:
        raise OperationError(_("%s is archived. Restore it first.") % found)
    users = get_user_model().objects.filter(is_active=True)
    other = users.filter(username__iexact=name.strip()).first()
    if other is None:
        raise OperationError(_("No user is called “%s”.") % name.strip()[:150], "name")
    if other.pk == found.owner_id:
        raise OperationError(_("%s already directs this circuit.") % other, "name")
    found.offered_to = other
    found.save(update_fields=["offered_to"])
    telling.circuit_offered(found, by=by, at=timezone.now())
    return other


@transaction.atomic
def withdraw_offer(*, circuit: Circuit, by: User) -> None:
    """Take an offer back; `OperationError` where there is none any more."""
    check_directs(by, circuit)
    if not Circuit.objects.filter(pk=circuit.pk, offered_to__isnull=False).update(offered_to=None):
        raise OperationError(_("This circuit is not being offered to anybody."))


@transaction.atomic
def accept_circuit(*, circuit: Circuit, by: User) -> Circuit:
    """Take over a circuit that is offered to the user.

    Raises `PermissionDenied` where it is not, `OperationError` for one circuit too many.
    """
    found = _offered(circuit, by)
    check_circuits(by)
    found.owner, found.offered_to = by, None
    found.save(update_fields=["owner", "offered_to"])
    return found


@transaction.atomic
def decline_circuit(*, circuit: Circuit, by: User) -> None:
    """Say no to an offer; `PermissionDenied` where there is none to the user."""
    found = _offered(circuit, by)
    found.offered_to = None
    found.save(update_fields=["offered_to"])


def _offered(circuit: Circuit, by: User) -> Circuit:
    found = _locked(circuit)
    if found.offered_to_id != by.pk or found.archived_at:
        raise PermissionDenied(_("This circuit is no longer offered to you."))
    return found


def _locked(circuit: Circuit) -> Circuit:
    return Circuit.objects.select_for_update(of=("self",)).get(pk=circuit.pk)
