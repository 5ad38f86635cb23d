"""Fixtures: two guests, ana and blas, each with a test client."""

from tests.leagues.pages.conftest import ana, blas

__all__ = ["ana", "blas"]
