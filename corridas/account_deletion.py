"""Deletes a director’s account: what happens to the circuits."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.account_deletion import registry as deletion_registry
from accounts.account_deletion.anonymization import replace_names
from accounts.account_deletion.registry import Deletion, DeletionHandler, Effect
from corridas.circuit_queries import SHIPPED, has_history
from corridas.circuits.operations import delete_circuit
from corridas.models import Circuit, CircuitCopy, Follow

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from accounts.models import User


def register_deletion() -> None:
    deletion_registry.register_handler(DeletionHandler(part=_delete_circuits, effects=_effects))


def _effects(user: User) -> Iterable[Effect]:
    if Follow.objects.filter(user=user).exists():
        text = _("What you follow is deleted.")
        yield Effect(text=text, kept=False)
    owned = Circuit.objects.filter(owner=user).select_related("offered_to").order_by("name")
    kept = {circuit: has_history(circuit) for circuit in owned}
    for circuit, is_kept in kept.items():
        yield Effect(text=_effect_text(circuit), kept=is_kept)
    if any(is_kept and circuit.slug != SHIPPED for circuit, is_kept in kept.items()):
        text = _(
            "The seasons of your circuits keep the address at which they were announced, "
            "because it is part "
            "of the seal."
        )
        yield Effect(text=text, kept=True)
    if _copies_by_others(user).exists():
        text = _("Your name is removed from the names of copies that others made of your circuits.")
        yield Effect(text=text, kept=False)


def _effect_text(circuit: Circuit) -> str:
    if circuit.slug == SHIPPED:
        return _("%s continues without a director.") % circuit
    if not has_history(circuit):
        return _("%s is deleted because nothing has been played in it.") % circuit
    if circuit.offered_to:
        return _("%(circuit)s is paused until %(name)s, to whom you offered it, takes it over.") % {
            "circuit": circuit,
            "name": circuit.offered_to.get_username(),
        }
    if circuit.public:
        return _("%s can still be viewed, but is frozen and has no director.") % circuit
    return _("%s is archived: only administrators can see it.") % circuit


def _delete_circuits(deletion: Deletion) -> None:
    """Delete circuits without history. Others lose only the name of their director.

    What the user follows goes with the account's row.
    """
    owned = Circuit.objects.filter(owner=deletion.user)
    copies = list(_copies_by_others(deletion.user).values_list("pk", flat=True))
    for circuit in owned.order_by("pk"):
        _delete_or_freeze(circuit, deletion)
    changed = replace_names(owned, ["name"], deletion)
    for circuit in owned.filter(pk__in=changed).exclude(slug=SHIPPED):
        _move(circuit)
    replace_names(CircuitCopy.objects.filter(pk__in=copies), ["name"], deletion)
    copied = Circuit.objects.filter(copied_by__in=copies)
    for circuit in copied.filter(pk__in=replace_names(copied, ["name"], deletion)):
        _move(circuit)


def _copies_by_others(user: User) -> QuerySet[CircuitCopy]:
    """Return the copies of the user's circuits, which are named after these."""
    return CircuitCopy.objects.filter(source__owner=user).exclude(asked_by=user)


def _move(circuit: Circuit) -> None:
    """Move to an address without the director's name. Seasons stay verifiable by the old one."""
    if circuit.seasons.exists():
        circuit.promised_as = circuit.promised_name
    circuit.slug = f"{slugify(circuit.name)[:30]}-{secrets.token_hex(4)}"
    circuit.save(update_fields=["slug", "promised_as"])


def _delete_or_freeze(circuit: Circuit, deletion: Deletion) -> None:
    if circuit.slug == SHIPPED:
        return
    if not has_history(circuit):
        if not circuit.archived_at:
            delete_circuit(circuit=circuit, by=deletion.user, at=deletion.at)
            return
    elif not circuit.public and circuit.offered_to_id is None:
        circuit.archived_at = circuit.archived_at or deletion.at
    circuit.frozen_at = circuit.frozen_at or deletion.at
    circuit.save(update_fields=["archived_at", "frozen_at"])
