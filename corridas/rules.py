"""Who may do what: a director in his own circuit, staff everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rules

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User
    from corridas.models import Circuit


def _directs(user: User | AnonymousUser, circuit: Circuit | None) -> bool:
    """Whether the user is the director of this circuit."""
    return circuit is not None and user.is_authenticated and circuit.owner_id == user.pk


def _may_see(user: User | AnonymousUser, circuit: Circuit | None) -> bool:
    """Whether the circuit is public."""
    return circuit is not None and circuit.public


directs = rules.predicate(_directs)
may_see = rules.predicate(_may_see)

rules.add_perm("corridas.direct_circuit", directs | rules.is_superuser)
rules.add_perm("corridas.view_circuit", may_see | directs | rules.is_superuser)
