"""Two circuits to carry rosters between, and whoever keeps them."""

from tests.corridas.roster.conftest import bare, director, keeper, legends

__all__ = ["bare", "director", "keeper", "legends"]
