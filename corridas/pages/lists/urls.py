"""URLs of the lists of corridas, bulls and matadors, below the URL of each circuit."""

from __future__ import annotations

from django.urls import path

from corridas.pages.lists import views

PAGES = [
    path("matadores/", views.matadors_page, name="matadors"),
    path("matadores/comparar/", views.compare_page, name="compare"),
    path("plazas/", views.plazas_page, name="plazas"),
    path("ganaderias/", views.herds_page, name="herds"),
    path("toros/", views.bulls_page, name="bulls"),
    path("resultados/", views.results_page, name="results"),
    path("enfermeria/", views.infirmary_page, name="infirmary"),
]
