"""Addresses of what has happened, below `/api/v1/`."""

from django.urls import path

from events.api import happenings

urlpatterns = [path("events/", happenings.Happenings.as_view(), name="api_events")]
