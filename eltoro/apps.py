"""Running with the Bulls: leagues and tables play it, sheets of it are handed in."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EltoroConfig(AppConfig):
    """The game of Running with the Bulls."""

    name = "eltoro"
    verbose_name = _("El Toro")

    def ready(self) -> None:
        """Offer the game to leagues and tables, and to programs."""
        from eltoro import api, game

        game.register_game()
        api.register_schema()
