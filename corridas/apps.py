"""Indulto: the season, its corridas and what they leave behind."""

from django.apps import AppConfig


class CorridasConfig(AppConfig):
    """The game of Indulto."""

    name = "corridas"

    def ready(self) -> None:
        """Offer every corrida to the feed, and the game to leagues."""
        from corridas import game, happenings, programme

        programme.offer()
        happenings.offer()
        game.offer()
