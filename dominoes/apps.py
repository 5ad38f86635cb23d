"""Django app configuration of Matador dominoes."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DominoesConfig(AppConfig):
    name = "dominoes"
    verbose_name = _("Dominoes")

    def ready(self) -> None:
        from dominoes import api, game

        game.register_game()
        api.register_schema()
