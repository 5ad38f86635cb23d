"""Who plays whom and who leads, and the tables one can sit at."""

from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    """Leagues, matches, ratings and tables of every game that registers."""

    name = "leagues"

    def ready(self) -> None:
        """Offer every table to the feed."""
        from leagues import happenings, programme

        programme.offer()
        happenings.offer()
