"""Addresses of the print room: pages of a circuit like any other."""

from django.urls import path

from corridas.views.imprenta import pages, scoresheet

PAGES = [
    path("imprenta/", pages.index, name="imprenta"),
    path("imprenta/baraja/", pages.deck, name="imprenta_deck"),
    path("imprenta/matadores/", pages.matadors, name="imprenta_matadors"),
    path("imprenta/hoja/", scoresheet.empty, name="imprenta_scoresheet"),
    path("imprenta/listas/", pages.lists, name="imprenta_lists"),
    path("imprenta/glosario/", pages.glossary, name="imprenta_glossary"),
    path("imprenta/reglas/", pages.rulings, name="imprenta_rulings"),
]
