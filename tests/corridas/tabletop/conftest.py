"""The founded circuits, as the tests of a season have them."""

from tests.corridas.season.conftest import filling, rows

__all__ = ["filling", "rows"]
