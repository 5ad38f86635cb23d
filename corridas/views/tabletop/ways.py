"""Addresses of the corridas of tables."""

from django.urls import path

from corridas.views.imprenta import pages as imprenta
from corridas.views.tabletop import front, handing, page, scoresheet

SITE = [
    path("tienta/", front.front, name="tienta"),
    path("tienta/nueva/", front.new, name="tienta_new"),
    path("tienta/reglas/", imprenta.rulings, name="indulto_rules"),
    path("tienta/<int:pk>/", page.page, name="indulto_hand"),
    path("tienta/hojas/", scoresheet.of_matches, name="indulto_scoresheets"),
    path("tienta/<int:pk>/hoja/", scoresheet.of_match, name="tienta_sheet"),
]
"""Pages of the site: what a table writes belongs to its people."""

PAGES = [
    path("direccion/mesas/", handing.page, name="desk_tables"),
    path("direccion/mesas/<int:pk>/", handing.take_back, name="desk_table_back"),
    path("direccion/mesas/<int:pk>/plazo/", handing.extend, name="desk_table_time"),
]
"""Pages of a circuit, for its director."""
