"""URLs for following matadors and herds."""

from __future__ import annotations

from django.urls import path

from corridas import addresses  # noqa: F401  registers the converter
from corridas.pages.following import views

# URLs below the URL of one circuit.
PAGES = [
    path("matadores/<matador:slug>/seguir/", views.follow_matador, name="follow_matador"),
    path("ganaderias/<slug:slug>/seguir/", views.follow_herd, name="follow_herd"),
]

# The page that lists everything a user follows, in all circuits.
SITE = [path("siguiendo/", views.following_page, name="following")]
