"""The app configuration of leagues."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeaguesConfig(AppConfig):
    name = "leagues"
    verbose_name = _("Leagues")

    def ready(self) -> None:
        from leagues import (
            account_deletion,
            data_export,
            display_name,
            event_types,
            notifications,
            tasks,  # noqa: F401  `enqueue` finds them by name
        )
        from leagues.pages import search_kinds
        from leagues.tables import actas, broadcast

        search_kinds.register_kinds()
        broadcast.register_broadcasts()
        event_types.register_event_types()
        actas.register_revalidation()
        display_name.register_display_name()
        data_export.register_data_export()
        account_deletion.register_account_deletion()
        notifications.register_notifications()
