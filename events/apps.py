"""What has happened, in order, for whoever follows."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """What has happened, in order, for whoever follows; apps register kinds of theirs."""

    name = "events"

    def ready(self) -> None:
        """Offer what happens to the feed."""
        from events import broadcast_source

        broadcast_source.register_event_log()
