"""Fixtures with the circuits of the simulation tests."""

from tests.corridas.simulation.conftest import filling, rows

__all__ = ["filling", "rows"]
