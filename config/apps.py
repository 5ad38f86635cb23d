"""The house as a Django application: it brings the commands that start and check the site."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConfigConfig(AppConfig):
    """Settings and commands; it has no tables."""

    name = "config"
    verbose_name = _("House")
