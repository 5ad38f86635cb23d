"""Databases that several programs may ask of at the same moment."""

from tests.events.conftest import copies, empty_file, empty_server, shared

__all__ = ["copies", "empty_file", "empty_server", "shared"]
