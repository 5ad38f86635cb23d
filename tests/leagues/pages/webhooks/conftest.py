"""A receiver and a league with an address of its own, as the tests of webhooks have them."""

from tests.leagues.webhooks.conftest import ana, happen, hook, league, receiver

__all__ = ["ana", "happen", "hook", "league", "receiver"]
