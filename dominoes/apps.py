"""Matador dominoes. Empty for now: the game cannot be played here yet."""

from django.apps import AppConfig


class DominoesConfig(AppConfig):
    """The application's place in the house, kept so that its name and contract are settled."""

    name = "dominoes"
