"""Indulto: the season, its corridas and what they leave behind."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CorridasConfig(AppConfig):
    """The game of Indulto."""

    name = "corridas"
    verbose_name = _("Corridas")

    def ready(self) -> None:
        """Offer every corrida to the feed, the game to leagues, what is over to be looked at."""
        from corridas import api, game, happenings, programme
        from corridas.archive import revalidating, verdict

        programme.offer()
        happenings.offer()
        game.offer()
        api.offer()
        revalidating.offer()
        verdict.offer()
        _declare_people()


def _declare_people() -> None:
    """Say what is kept of directors, what becomes of it, and what they are told."""
    from corridas import copies, leaving, telling

    for declared in (copies, leaving, telling):
        declared.offer()
