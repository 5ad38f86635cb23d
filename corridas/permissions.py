"""Object permissions for circuits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rules

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User
    from corridas.models import Circuit


def _directs(user: User | AnonymousUser, circuit: Circuit | None) -> bool:
    return circuit is not None and user.is_authenticated and circuit.owner_id == user.pk


def _is_offered(user: User | AnonymousUser, circuit: Circuit | None) -> bool:
    if circuit is None or circuit.archived_at is not None or not user.is_authenticated:
        return False
    return circuit.offered_to_id == user.pk


def _may_see(user: User | AnonymousUser, circuit: Circuit | None) -> bool:
    return circuit is not None and circuit.public and circuit.archived_at is None


directs = rules.predicate(_directs)
is_offered = rules.predicate(_is_offered)
may_see = rules.predicate(_may_see)

rules.add_perm("corridas.direct_circuit", directs | rules.is_superuser)
rules.add_perm("corridas.view_circuit", may_see | directs | is_offered | rules.is_superuser)
