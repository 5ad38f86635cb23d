"""Configuration of the project's own application and of the admin."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy as _


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = _("Site")

    def ready(self) -> None:
        from django.core import checks

        from config.checks import check_keys, check_setting_names
        from core.names.lookups import register_lookups
        from server.health import notifications

        checks.register(check_keys, checks.Tags.database)
        checks.register(check_setting_names)
        notifications.register_notification_kinds()
        register_lookups()


class SiteAdminConfig(AdminConfig):
    default_site = "config.admin.SiteAdmin"
