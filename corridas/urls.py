"""The season's addresses; they speak Spanish, as the field does."""

from importlib import import_module
from importlib.util import find_spec

from django.urls import path

from corridas.views import calendar, escalafon, glossary, herd, home, language, matador
from corridas.views import plaza as plazas

urlpatterns = [
    path("", home.page, name="home"),
    path("escalafon/", escalafon.page, name="escalafon"),
    path("escalafon/<int:year>/", escalafon.page, name="escalafon"),
    path("escalafon/<int:year>.csv", escalafon.page, {"form": "csv"}, name="escalafon_csv"),
    path("matadores/", matador.index, name="matadors"),
    path("matadores/<slug:slug>/", matador.page, name="matador"),
    path("plazas/", plazas.index, name="plazas"),
    path("plazas/<slug:slug>/", plazas.page, name="plaza"),
    path("ganaderias/", herd.index, name="herds"),
    path("ganaderias/<slug:slug>/", herd.page, name="herd"),
    path("toros/<int:pk>/", herd.bull, name="bull"),
    path("temporada/", calendar.season, name="season"),
    path("temporada/<int:year>/", calendar.season, name="season"),
    path("temporada/<int:year>/<slug:slug>/", calendar.feria, name="feria"),
    path("glosario/", glossary.page, name="glossary"),
    path("idioma/", language.switch, name="language"),
    path("direccion/", home.page, name="desk"),
]

# Until the live page has landed its addresses lead home.
live = import_module("corridas.views.live") if find_spec("corridas.views.live") else None
urlpatterns += [
    path("corridas/<int:pk>/", getattr(live, "corrida", home.page), name="corrida"),
    path("corridas/<int:pk>/<int:turn>/", getattr(live, "lidia", home.page), name="lidia"),
    path("corridas/<int:pk>/<int:turn>/<int:card>/", getattr(live, "card", home.page), name="card"),
]
