"""Configuration of the Django app for the card game Indulto."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CorridasConfig(AppConfig):
    name = "corridas"
    verbose_name = _("Corridas")

    def ready(self) -> None:
        from corridas import (
            account_deletion,
            api,
            data_export,
            event_types,
            game,
            notifications,
            permissions,  # noqa: F401  its predicates are registered on import
            tasks,  # noqa: F401  `enqueue` finds them by name
        )
        from corridas.archive import revalidation, verification
        from corridas.broadcast import source
        from corridas.pages import search_kinds

        search_kinds.register_kinds()
        source.register_broadcasts()
        event_types.register_event_types()
        game.register_game()
        api.register_sheet_schema()
        revalidation.register_revalidation()
        verification.register_season_files()
        data_export.register_exports()
        account_deletion.register_deletion()
        notifications.register_notifications()
