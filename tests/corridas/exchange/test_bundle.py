"""A whole roster carried from one circuit to another."""

from __future__ import annotations

import pytest

from accounts.models import User
from corridas.models import Change, Circuit
from corridas.operations import exchange
from corridas.operations.exchange import Form
from tests.corridas.exchange.conftest import bring, look

pytestmark = pytest.mark.django_db


def bundle(circuit: Circuit, by: User) -> bytes:
    return exchange.export_roster(circuit=circuit, by=by, form=Form.BUNDLE)


def test_a_roster_goes_out_and_comes_into_an_empty_circuit_byte_by_byte(
    legends: Circuit, bare: Circuit, keeper: User
) -> None:
    before = bundle(legends, keeper)
    assert bundle(legends, keeper) == before
    bring(bare, keeper, before, "campo-roster.zip")
    Circuit.objects.filter(pk=legends.pk).update(slug="otro")
    bare.refresh_from_db()
    bare.slug, bare.name = "campo", "El Campo"
    bare.save()
    assert bundle(bare, keeper) == before
    assert Change.objects.filter(circuit=bare).values("batch").distinct().count() == 1
    assert look(bare, keeper, before, "campo-roster.zip").plan.empty
