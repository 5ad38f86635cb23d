"""Fixtures with two circuits whose rows have the same names."""

from tests.corridas.simulation.conftest import both, mine, other

__all__ = ["both", "mine", "other"]
