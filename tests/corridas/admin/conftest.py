"""Fixtures for tests of the admin site: a small circuit and a signed-in superuser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from corridas.models import Matador
from tests.factories import CARD

Queries = Callable[[str], int]


@pytest.fixture
def office(db: None) -> Client:
    """Return a test client that is signed in as a superuser."""
    client = Client()
    client.force_login(User.objects.create_superuser("ganadero"))
    return client


@pytest.fixture
def queries(office: Client) -> Queries:
    """Return a function that counts the queries of an admin page."""

    def count(address: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert office.get(address).status_code == 200
        return len(captured)

    return count


def card_fields(matador: Matador, **changed: str) -> dict[str, str]:
    """Return the form data of a matador's admin page: his career and his editable card, if he
    has one.
    """
    given = {
        "circuit": str(matador.circuit_id),
        "name": matador.name,
        "slug": matador.slug,
        "born": matador.born,
        "state": matador.state,
        "birthplace": matador.birthplace,
        "cards-TOTAL_FORMS": "1",
        "cards-INITIAL_FORMS": "1",
        "cards-2-TOTAL_FORMS": "0",
        "cards-2-INITIAL_FORMS": "0",
        "cards-0-matador": str(matador.pk),
        "cards-0-rating": "80",
    }
    newest = matador.cards.order_by("-printing").first() if matador.pk else None
    if newest:
        given["cards-0-id"] = str(newest.pk)
    given |= {f"cards-0-{name}": span for name, span in CARD.items()}
    return given | {f"cards-0-{name}": span for name, span in changed.items()}
