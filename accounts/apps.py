"""Configuration of the accounts application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from accounts import tasks  # noqa: F401  `enqueue` finds them by name
        from accounts.account_deletion import registry as deletion_registry
        from accounts.data_export import registry as export_registry
        from accounts.notifications import tokens
        from accounts.notifications.kinds import register_kinds
        from accounts.notifications.upgrades import ADDRESS_CHANGED, SAME_USERNAME
        from accounts.operations import register_access

        register_access(tokens.invalidate_tokens)
        register_kinds(SAME_USERNAME, ADDRESS_CHANGED)
        export_registry.register_account_tables()
        deletion_registry.register_account_handler()
