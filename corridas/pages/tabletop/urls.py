"""URLs of the pages for corridas at real tables, and of the printable pages."""

from __future__ import annotations

from django.urls import path

from corridas.pages.tabletop import corrida, fixtures, home, printing

# URLs outside of any circuit, because a corrida of a real table belongs to its players.
SITE = [
    path("tienta/", home.tabletop_page, name="tienta"),
    path("tienta/nueva/", home.new_page, name="tienta_new"),
    path("tienta/reglas/", printing.rulings, name="indulto_rules"),
    path("tienta/<int:pk>/", corrida.page, name="indulto_hand"),
    path("tienta/hojas/", printing.scoresheets_of_matches, name="indulto_scoresheets"),
    path("tienta/<int:pk>/hoja/", printing.scoresheet_of_match, name="tienta_sheet"),
]

# URLs below the URL of a circuit, for its director.
PAGES = [
    path("direccion/mesas/", fixtures.fixtures_page, name="desk_tables"),
    path("direccion/mesas/<int:pk>/", fixtures.take_back, name="desk_table_back"),
    path("direccion/mesas/<int:pk>/plazo/", fixtures.extend, name="desk_table_time"),
]

PRINTING = [
    path("imprenta/", printing.index, name="imprenta"),
    path("imprenta/baraja/", printing.deck, name="imprenta_deck"),
    path("imprenta/matadores/", printing.matadors, name="imprenta_matadors"),
    path("imprenta/hoja/", printing.empty, name="imprenta_scoresheet"),
    path("imprenta/listas/", printing.lists, name="imprenta_lists"),
    path("imprenta/glosario/", printing.glossary, name="imprenta_glossary"),
    path("imprenta/reglas/", printing.rulings, name="imprenta_rulings"),
]
