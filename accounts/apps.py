"""The signed-in person."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Users, what they prefer, and the chair a visitor of this machine may take."""

    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Declare what the account keeps, and what becomes of it."""
        from accounts.exports import own as own_exports
        from accounts.leaving import own as own_leaving

        own_exports.offer()
        own_leaving.offer()
