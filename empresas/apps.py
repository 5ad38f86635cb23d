"""Configuration of the Django app for promoters."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EmpresasConfig(AppConfig):
    name = "empresas"
    verbose_name = _("Promoters")

    def ready(self) -> None:
        from empresas import data_export

        data_export.register_exports()
