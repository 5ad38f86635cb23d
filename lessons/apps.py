"""Django application of the lessons, which teach the rules of the games."""

from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "lessons"

    def ready(self) -> None:
        from lessons.search_kinds import register_kinds

        register_kinds()
