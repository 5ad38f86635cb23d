"""What has happened, in order, for whoever follows."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """What has happened, in order, for whoever follows."""

    name = "events"
