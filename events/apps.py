"""Configuration of the events application."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "events"

    def ready(self) -> None:
        from events import broadcast_source

        broadcast_source.register_event_log()
