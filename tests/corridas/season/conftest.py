"""The founded circuits, as the tests of the simulation have them."""

from tests.corridas.simulation.conftest import filling, rows

__all__ = ["filling", "rows"]
