"""Configuration of the API application."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        from accounts.operations import register_access
        from api import account_deletion, data_export
        from api.keys.operations import revoke_all_tokens

        register_access(revoke_all_tokens)
        data_export.register_export_tables()
        account_deletion.register_stored_responses()
