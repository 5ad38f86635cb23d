"""The season's addresses; they speak Spanish, as the field does.

Every page of a circuit stands in `PAGES`, once: the shipped circuit has them at the root, every
other one under its own address.
"""

from django.urls import URLPattern, include, path

from corridas.addresses import NAMESPACE
from corridas.circuits import urls as circuits
from corridas.circuits.access import seen
from corridas.escalafon import urls as recordbook
from corridas.escalafon.views import ranking
from corridas.tabletop import urls as imprenta
from corridas.tabletop import urls as tabletop
from corridas.views import (
    actas,
    bundles,
    calendar,
    desk,
    exchange,
    glossary,
    herd,
    home,
    language,
    live,
    matador,
    shield,
    winter,
)
from corridas.views import plaza as plazas

PAGES = [
    path("", home.page, name="home"),
    path("escalafon/", ranking.ranking_page, name="escalafon"),
    path("escalafon/<int:year>/", ranking.ranking_page, name="escalafon"),
    path("escalafon/<int:year>.csv", ranking.ranking_page, {"form": "csv"}, name="escalafon_csv"),
    path("matadores/", matador.index, name="matadors"),
    path("matadores/<slug:slug>/", matador.page, name="matador"),
    path("plazas/", plazas.index, name="plazas"),
    path("plazas/<slug:slug>/", plazas.page, name="plaza"),
    path("ganaderias/", herd.index, name="herds"),
    path("ganaderias/<slug:slug>/", herd.page, name="herd"),
    path("toros/<int:pk>/", herd.bull, name="bull"),
    path("temporada/", calendar.season, name="season"),
    path("temporada/<int:year>/", calendar.season, name="season"),
    path("temporada/<int:year>/invierno/", winter.page, name="winter"),
    *bundles.PAGES,
    path("temporada/<int:year>/<slug:slug>/", calendar.feria, name="feria"),
    path("direccion/", desk.page, name="desk"),
    path("direccion/empezar/", desk.begin, name="desk_begin"),
    path("direccion/invierno/", desk.winter, name="desk_winter"),
    path("direccion/marcha/", desk.progress, name="desk_progress"),
    path("direccion/adelante/", desk.run, name="desk_run"),
    path("direccion/alto/", desk.stop, name="desk_stop"),
    path("direccion/al-aire/", desk.air, name="desk_air"),
    path("direccion/al-aire/<int:pk>/", desk.cut_short, name="desk_cut_short"),
    path("direccion/cartel/<int:pk>/", desk.cartel, name="desk_cartel"),
    path("corridas/<int:pk>/", live.corrida, name="corrida"),
    path("corridas/<int:pk>/<int:turn>/", live.lidia, name="lidia"),
    path("corridas/<int:pk>/<int:turn>/<int:card>/", live.card, name="card"),
    path("corridas/<int:pk>/record/", actas.record, name="corrida_acta"),
    path("corridas/<int:pk>/record/verdict/", actas.verdict, name="corrida_verdict"),
    path("corridas/<int:pk>/<int:turn>/record/", actas.record, name="lidia_acta"),
    path("corridas/<int:pk>/<int:turn>/record/verdict/", actas.verdict, name="lidia_verdict"),
    *circuits.PAGES,
    *exchange.PAGES,
    *imprenta.PRINTING,
    *tabletop.PAGES,
    *recordbook.PAGES,
]
"""Pages of a circuit: their views take `circuit`, a slug, and are the shipped one's without."""


def _of_a_circuit(page: URLPattern) -> URLPattern:
    return path(str(page.pattern), seen(page.callback), page.default_args, name=page.name)


urlpatterns = [
    *PAGES,
    *tabletop.SITE,
    *circuits.SITE,
    *bundles.SITE,
    *shield.SITE,
    path("glosario/", glossary.page, name="glossary"),
    path("idioma/", language.switch, name="language"),
    path(
        "circuitos/<slug:circuit>/",
        include(([_of_a_circuit(page) for page in PAGES], NAMESPACE)),
    ),
]
