"""Browsers of users, and small circuits of theirs."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas.models import Circuit
from corridas.operations import circuits as asked
from tests.corridas.rows.world import BRIEF


def entered(name: str) -> Client:
    """The browser of the user of this name."""
    client = Client()
    client.force_login(User.objects.get_or_create(username=name)[0])
    return client


def founded(name: str = "Barrio", by: str = "ana", **parts: Any) -> Circuit:
    """A circuit with an empty roster, by default; `parts` are those of a `Founding`."""
    user, _new = User.objects.get_or_create(username=by)
    given: dict[str, Any] = {"roster": Circuit.Roster.IMPORTED, "year": 2027, "calendar": BRIEF}
    founding = asked.Founding(name=name, **given | parts)
    return asked.found_circuit(founding=founding, by=user, at=timezone.now())
