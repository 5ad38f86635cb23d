"""The founded circuits, as the tests of a season have them."""

from tests.corridas.simulation.conftest import filling, rows

__all__ = ["filling", "rows"]
