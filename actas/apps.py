"""Configuration of the records application."""

from django.apps import AppConfig


class ActasConfig(AppConfig):
    name = "actas"
