"""Fixtures for roster files: two circuits to copy rosters between, and their users."""

from __future__ import annotations

import datetime as dt

import pytest

from accounts.models import User
from corridas.models import Circuit
from corridas.roster.exchange import commit, preview
from corridas.roster.exchange.commit import Imported
from corridas.roster.exchange.preview import Preview
from corridas.simulation import new_circuit
from corridas.simulation.new_circuit import shipped
from tests.databases import written_again

NOW = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)


@written_again
def _legends() -> Circuit:
    director = User.objects.create_user("empresario")
    return new_circuit.found(shipped(), slug="campo", name="El Campo", owner=director, rules={})


@pytest.fixture
def keeper(db: None) -> User:
    """Return a site administrator."""
    return User.objects.create_superuser("ganadero")


@pytest.fixture
def legends(db: None) -> Circuit:
    """Return a circuit with the shipped roster."""
    return _legends()


@pytest.fixture
def director(legends: Circuit) -> User:
    """Return the user who directs the two circuits and has no other permissions."""
    return User.objects.get(username="empresario")


@pytest.fixture
def bare(legends: Circuit, director: User) -> Circuit:
    """Return a circuit that waits for the import of its roster."""
    return Circuit.objects.create(
        slug="vacio",
        name="El Vacío",
        owner=director,
        deck=legends.deck,
        roster=Circuit.Roster.IMPORTED,
        public=False,
    )


def look(
    circuit: Circuit, by: User, data: bytes | str, name: str = "roster.csv", **options: bool
) -> Preview:
    """Return the preview of a file, which changes nothing."""
    raw = data.encode() if isinstance(data, str) else data
    return preview.preview_import(circuit=circuit, data=raw, name=name, by=by, **options)


def bring(
    circuit: Circuit, by: User, data: bytes | str, name: str = "roster.csv", **options: bool
) -> Imported:
    """Preview a file without faults and import it."""
    seen = look(circuit, by, data, name, **options)
    assert not seen.wrong, [str(fault) for fault in seen.faults]
    return commit.commit_import(circuit=circuit, token=seen.token, by=by, at=NOW)


def fault_places(seen: Preview) -> list[tuple[int | None, str, str]]:
    """Return line, column and value of every fault."""
    return [(fault.line, fault.column, fault.value) for fault in seen.faults]
