"""Indulto: the season, its corridas and what they leave behind."""

from django.apps import AppConfig


class CorridasConfig(AppConfig):
    """The game of Indulto."""

    name = "corridas"
