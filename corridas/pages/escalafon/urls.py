"""URLs of the pages of the ranking and of the record book, below the URL of each circuit."""

from __future__ import annotations

from django.urls import path

from corridas.pages.escalafon import records

PAGES = [
    path("records/", records.records_page, name="records"),
    path("records/<slug:scope>/<slug:slug>/", records.place_page, name="records_of"),
    path("premios/", records.awards_page, name="awards"),
    path("premios/<int:year>/", records.awards_page, name="awards"),
    path("anuario/<int:year>/", records.yearbook_page, name="yearbook"),
    path("salon/", records.hall_page, name="hall"),
    path("mano-a-mano/", records.duel_form, name="duels"),
    path("mano-a-mano/<slug:left>/<slug:right>/", records.duel_page, name="duel"),
]
