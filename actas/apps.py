"""Configuration of the records application."""

from django.apps import AppConfig


class ActasConfig(AppConfig):
    name = "actas"

    def ready(self) -> None:
        from actas import account_deletion

        account_deletion.register_reports()
