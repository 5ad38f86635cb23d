"""Addresses of the corridas of tables; they belong to the site, not to one circuit."""

from django.urls import path

from corridas.views.imprenta import pages as imprenta
from corridas.views.tabletop import front, page, scoresheet

PAGES = [
    path("tienta/", front.front, name="tienta"),
    path("tienta/nueva/", front.new, name="tienta_new"),
    path("tienta/reglas/", imprenta.rulings, name="indulto_rules"),
    path("tienta/<int:pk>/", page.page, name="indulto_hand"),
    path("tienta/<int:pk>/hoja/", scoresheet.of_match, name="tienta_sheet"),
]
