"""Django app of the lessons."""

from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "lessons"

    def ready(self) -> None:
        from lessons.search_kinds import register_kinds

        register_kinds()
