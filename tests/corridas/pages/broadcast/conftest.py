"""Fixtures with a corrida on air, shared with the tests of broadcasts."""

from tests.corridas.broadcast.conftest import _nothing_kept, announced, on_air

__all__ = ["_nothing_kept", "announced", "on_air"]
