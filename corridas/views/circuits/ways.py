"""Where the pages of circuits as such stand."""

from __future__ import annotations

from django.urls import path

from corridas.views.circuits import founding, listing, passing, settings

PAGES = [
    path("oferta/", passing.answer, name="circuit_answer"),
    path("direccion/ajustes/", settings.page, name="circuit_settings"),
    path("direccion/calendario/", settings.calendar, name="circuit_calendar"),
    path("direccion/entregar/", passing.offer, name="circuit_offer"),
    path("direccion/reposo/", passing.rest, name="circuit_rest"),
    path("direccion/borrar/", passing.delete, name="circuit_delete"),
    path("direccion/restaurar/", passing.restore, name="circuit_restore"),
]
"""Pages of a circuit."""

SITE = [
    path("circuitos/", listing.page, name="circuits"),
    path("circuitos/nuevo/", founding.page, name="circuit_new"),
]
"""Pages of the site that speak of many circuits, or of one that is not yet."""
