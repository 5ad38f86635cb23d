"""Matador dominoes: leagues and tables play it, sheets of it are handed in."""

from django.apps import AppConfig


class DominoesConfig(AppConfig):
    """The game of Matador dominoes."""

    name = "dominoes"

    def ready(self) -> None:
        """Offer the game to leagues and tables, and to programs."""
        from dominoes import api, game

        game.offer()
        api.offer()
