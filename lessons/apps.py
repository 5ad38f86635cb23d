"""Django app of the lessons."""

from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "lessons"
