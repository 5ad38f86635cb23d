"""Django app configuration of the game Running with the Bulls (El Toro)."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EltoroConfig(AppConfig):
    name = "eltoro"
    verbose_name = _("El Toro")

    def ready(self) -> None:
        from eltoro import game
        from eltoro.api import resources

        game.register_game()
        resources.register_schema()
