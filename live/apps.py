"""Configuration of the live feed, which does not depend on any game."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "live"
