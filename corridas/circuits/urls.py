"""URLs of the pages of circuits as such."""

from __future__ import annotations

from django.urls import path

from corridas.circuits import views

PAGES = [
    path("oferta/", views.answer, name="circuit_answer"),
    path("direccion/ajustes/", views.settings_page, name="circuit_settings"),
    path("direccion/calendario/", views.calendar, name="circuit_calendar"),
    path("direccion/entregar/", views.offer, name="circuit_offer"),
    path("direccion/reposo/", views.rest, name="circuit_rest"),
    path("direccion/borrar/", views.delete, name="circuit_delete"),
    path("direccion/restaurar/", views.restore, name="circuit_restore"),
]
"""Pages of a circuit."""

SITE = [
    path("circuitos/", views.circuits_page, name="circuits"),
    path("circuitos/nuevo/", views.founding_page, name="circuit_new"),
]
"""Pages of the site that speak of many circuits, or of one that is not yet."""
