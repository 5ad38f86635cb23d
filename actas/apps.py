"""The records anyone can check, of every game that registers."""

from django.apps import AppConfig


class ActasConfig(AppConfig):
    """The records anyone can check, of every game that registers."""

    name = "actas"
