"""Copies of a circuit in the API: a user requests one, reads its progress and may cancel it."""

from __future__ import annotations

import pytest
from django.utils import timezone

from corridas.circuits.copy_job import make_copy
from corridas.models import CircuitCopy
from fairness import Seed
from tests.corridas.api.conftest import Program
from tests.factories import World

pytestmark = pytest.mark.django_db


def asked(who: Program) -> str:
    answer = who.ask("POST", "circuits/leyendas/copy/", {})
    assert answer.status_code == 202
    location: str = answer["Location"]
    assert location.endswith(f"/api/v1/circuit-copies/{answer.json()['id']}/")
    return location.partition("/api/v1/")[2]


def test_the_progress_of_a_copy_can_be_read_until_it_is_done(
    world: World, nobody: Program, stranger: Program, director: Program
) -> None:
    way = asked(stranger)
    told = stranger.get_json(way)
    assert (told["state"], told["circuit"], told["total"]) == ("queued", None, 0)
    assert [who.get(way).status_code for who in (nobody, director)] == [401, 404]
    make_copy(told["id"], clock=timezone.now, fresh=Seed.fresh)
    told = stranger.get_json(way)
    assert (told["state"], told["done"]) == ("done", told["total"])
    assert stranger.get_json(f"circuits/{told['circuit']}/")["director"] is not None
    assert director.get(f"circuits/{told['circuit']}/").status_code == 404


def test_a_copy_can_be_cancelled(world: World, stranger: Program, director: Program) -> None:
    way = asked(stranger)
    assert director.ask("DELETE", way).status_code == 404
    assert stranger.ask("DELETE", way).json()["state"] == "cancelled"
    assert CircuitCopy.objects.get().state == "cancelled"
    # Cancelling a copy that has already been cancelled changes nothing.
    assert stranger.ask("DELETE", way).json()["state"] == "cancelled"
