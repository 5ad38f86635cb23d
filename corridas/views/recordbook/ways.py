"""The addresses of the record book, for every circuit."""

from django.urls import path

from corridas.views.recordbook import annual, book, duels, prizes

PAGES = [
    path("records/", book.index, name="records"),
    path("records/<slug:scope>/<slug:slug>/", book.place, name="records_of"),
    path("premios/", prizes.page, name="awards"),
    path("premios/<int:year>/", prizes.page, name="awards"),
    path("anuario/<int:year>/", annual.page, name="yearbook"),
    path("salon/", prizes.honours, name="hall"),
    path("mano-a-mano/", duels.choose, name="duels"),
    path("mano-a-mano/<slug:left>/<slug:right>/", duels.page, name="duel"),
]
