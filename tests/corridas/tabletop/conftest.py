"""Fixtures with small circuits, shared with the tests of seasons."""

from tests.corridas.simulation.conftest import filling, rows

__all__ = ["filling", "rows"]
