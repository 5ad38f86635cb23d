"""Fixtures for roster files: two circuits to copy rosters between, and their users."""

from tests.corridas.roster.conftest import bare, director, keeper, legends

__all__ = ["bare", "director", "keeper", "legends"]
