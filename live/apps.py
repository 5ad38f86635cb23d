"""Configuration of the feed. It does not depend on any game."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "live"
