"""URLs of the pages about a circuit itself, such as its settings."""

from __future__ import annotations

from django.urls import path

from corridas.pages.circuits import views

# URLs below the URL of one circuit.
PAGES = [
    path("oferta/", views.answer, name="circuit_answer"),
    path("copiar/", views.copy, name="circuit_copy"),
    path("direccion/ajustes/", views.settings_page, name="circuit_settings"),
    path("direccion/calendario/", views.calendar, name="circuit_calendar"),
    path("direccion/entregar/", views.offer, name="circuit_offer"),
    path("direccion/reposo/", views.rest, name="circuit_rest"),
    path("direccion/borrar/", views.delete, name="circuit_delete"),
    path("direccion/restaurar/", views.restore, name="circuit_restore"),
]

# URLs outside of any circuit: the list of circuits and the form to create one.
SITE = [
    path("circuitos/", views.circuits_page, name="circuits"),
    path("circuitos/nuevo/", views.founding_page, name="circuit_new"),
    path("circuitos/copias/<int:pk>/", views.copying_page, name="circuit_copying"),
]
