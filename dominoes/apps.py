"""Matador dominoes: leagues and tables play it, sheets of it are handed in."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DominoesConfig(AppConfig):
    """The game of Matador dominoes."""

    name = "dominoes"
    verbose_name = _("Dominoes")

    def ready(self) -> None:
        """Offer the game to leagues and tables, and to programs."""
        from dominoes import api, game

        game.register_game()
        api.register_schema()
