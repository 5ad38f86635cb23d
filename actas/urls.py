"""Addresses of the records anyone can check."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
