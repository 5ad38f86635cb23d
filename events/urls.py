"""Addresses of what has happened."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
