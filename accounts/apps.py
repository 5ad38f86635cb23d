"""The signed-in person."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Users, what they prefer, and the chair a visitor of this machine may take."""

    name = "accounts"
    verbose_name = _("Accounts")
