"""Django application of the site search."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "search"
