"""Functions that create small circuits of users."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from accounts.models import User
from corridas.models import Circuit
from tests.corridas.circuits import barrio


def founded(name: str = "Barrio", by: str = "ana", **parts: Any) -> Circuit:
    """Create a circuit with an empty roster by default;

    `parts` are other arguments of `Founding`.
    """
    user, _new = User.objects.get_or_create(username=by)
    given: dict[str, Any] = {"roster": Circuit.Roster.IMPORTED, **parts}
    return barrio.founded(user, name, at=timezone.now(), **given)
