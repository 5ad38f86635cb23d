"""Configuration of the application for records (actas), with which anyone can check a result."""

from django.apps import AppConfig


class ActasConfig(AppConfig):
    name = "actas"

    def ready(self) -> None:
        from actas import account_deletion

        account_deletion.register_reports()
