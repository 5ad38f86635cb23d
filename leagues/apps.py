"""Who plays whom and who leads. Empty for now: no league can be founded yet."""

from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    """The application's place in the house, kept so that its name and contract are settled."""

    name = "leagues"
