"""Running with the Bulls. Empty for now: the game cannot be played here yet."""

from django.apps import AppConfig


class EltoroConfig(AppConfig):
    """The application's place in the house, kept so that its name and contract are settled."""

    name = "eltoro"
