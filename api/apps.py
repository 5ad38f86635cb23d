"""Configuration of the API application."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        from api import data_export

        data_export.register_export_tables()
