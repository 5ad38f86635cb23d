"""The receiver and the league with a webhook of `tests/leagues/webhooks`."""

from tests.leagues.webhooks.conftest import ana, happen, hook, league, receiver

__all__ = ["ana", "happen", "hook", "league", "receiver"]
