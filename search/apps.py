"""Django app of the search."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "search"
