"""The URL of the search page."""

from __future__ import annotations

from django.urls import path

from search.views import search_page

urlpatterns = [path("buscar/", search_page, name="search")]
