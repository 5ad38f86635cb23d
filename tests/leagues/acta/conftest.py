"""Two guests, each in a browser."""

from tests.leagues.pages.conftest import ana, blas

__all__ = ["ana", "blas"]
