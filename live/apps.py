"""The feed: whatever goes on at this moment, sent as it falls due. Knows no game."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    """The feed has no tables; games register their programmes with it."""

    name = "live"
