"""Who plays whom and who leads, and the tables one can sit at."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeaguesConfig(AppConfig):
    """Leagues, matches, ratings and tables of every game that registers."""

    name = "leagues"
    verbose_name = _("Leagues")

    def ready(self) -> None:
        """Offer every table to the feed; say what is kept of people and what they are told."""
        from leagues import bearing, copies, happenings, leaving, programme, telling
        from leagues.playing import revalidating

        programme.offer()
        happenings.offer()
        revalidating.offer()
        for declared in (bearing, copies, leaving, telling):
            declared.offer()
