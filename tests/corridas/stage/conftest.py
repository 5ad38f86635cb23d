"""A corrida on air, as the tests of broadcasts have it."""

from tests.corridas.broadcast.conftest import _nothing_kept, on_air

__all__ = ["_nothing_kept", "on_air"]
