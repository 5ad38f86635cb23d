"""The house as a Django application, with its commands, and the office with pages of its own."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy as _


class ConfigConfig(AppConfig):
    """Settings and commands; it has no tables."""

    name = "config"
    verbose_name = _("Site")

    def ready(self) -> None:
        """Declare what admins are told of."""
        from config.health import notifications

        notifications.register_notification_kinds()


class SiteAdminConfig(AdminConfig):
    """Django's admin with the site of `config.admin`."""

    default_site = "config.admin.SiteAdmin"
