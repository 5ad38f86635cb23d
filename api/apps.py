"""What programs meet: keys, pages by cursor, problems in a document."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """What programs meet: keys, pages by cursor, problems in a document."""

    name = "api"

    def ready(self) -> None:
        """Say what is kept about people."""
        from api import data_export

        data_export.register_export_tables()
