"""URLs of seasons and circuits. Paths are in Spanish, like the terms of bullfighting.

`PAGES` contains every page of a circuit once. The bundled circuit has them at the root of the site,
and every other circuit below its own path.
"""

from django.urls import include, path

from corridas import languages
from corridas.addresses import NAMESPACE
from corridas.pages import rulebook
from corridas.pages.access import circuit_visible
from corridas.pages.archive import views as archive_views
from corridas.pages.broadcast import views as broadcast_views
from corridas.pages.circuits import urls as circuits
from corridas.pages.escalafon import ranking, season_over
from corridas.pages.escalafon import urls as recordbook
from corridas.pages.following import urls as following
from corridas.pages.lists import urls as lists
from corridas.pages.roster import exchange, matadors, places
from corridas.pages.season import calendar, cartel, desk, digest, home, play, winter
from corridas.pages.spoilers import views as spoilers
from corridas.pages.tabletop import urls as tabletop

# Pages of a circuit. Their views take the argument `circuit`, a slug, which defaults to the bundled
# circuit.
PAGES = [
    path("", home.home_page, name="home"),
    path("reglas/", rulebook.rules_page, name="rules"),
    path("escalafon/", ranking.ranking_page, name="escalafon"),
    path("escalafon/<int:year>/", ranking.ranking_page, name="escalafon"),
    path("escalafon/<int:year>.csv", ranking.ranking_page, {"form": "csv"}, name="escalafon_csv"),
    *lists.PAGES,
    *following.PAGES,
    path("matadores/<matador:slug>/", matadors.matador_page, name="matador"),
    path("plazas/<slug:slug>/", places.plaza_page, name="plaza"),
    path("ganaderias/<slug:slug>/", places.herd_page, name="herd"),
    path("toros/<int:pk>/", places.bull_page, name="bull"),
    path("temporada/", calendar.season_page, name="season"),
    path("temporada/<int:year>/", calendar.season_page, name="season"),
    path("temporada/<int:year>/invierno/", winter.winter_page, name="winter"),
    path("temporada/<int:year>/resumen/", digest.digests_page, name="digests"),
    path("temporada/<int:year>/resumen/<int:run>/", digest.digest_page, name="digest"),
    path("temporada/<int:year>/final/", season_over.season_over_page, name="season_over"),
    *archive_views.PAGES,
    path("temporada/<int:year>/<feria:slug>/", calendar.feria_page, name="feria"),
    path("direccion/", desk.desk_page, name="desk"),
    path("direccion/empezar/", desk.begin, name="desk_begin"),
    path("direccion/invierno/", desk.winter, name="desk_winter"),
    path("direccion/jugar/", play.play_page, name="play"),
    path("direccion/adelante/", play.run, name="desk_run"),
    path("direccion/alto/", play.stop, name="desk_stop"),
    path("direccion/al-aire/", desk.air, name="desk_air"),
    path("direccion/al-aire/<int:pk>/", desk.cut_short, name="desk_cut_short"),
    path("direccion/cartel/<int:pk>/", cartel.cartel_page, name="desk_cartel"),
    path("direccion/carteles/", desk.fill, name="desk_fill"),
    path("direccion/comienzo/", desk.begin_season, name="desk_begin_season"),
    path("corridas/<int:pk>/", broadcast_views.corrida_page, name="corrida"),
    path("corridas/<int:pk>/<int:turn>/", broadcast_views.lidia_page, name="lidia"),
    path("corridas/<int:pk>/<int:turn>/<int:card>/", broadcast_views.card_page, name="card"),
    path("corridas/<int:pk>/record/", archive_views.record_file, name="corrida_acta"),
    path("corridas/<int:pk>/record/verdict/", archive_views.record_verdict, name="corrida_verdict"),
    path("corridas/<int:pk>/<int:turn>/record/", archive_views.record_file, name="lidia_acta"),
    path(
        "corridas/<int:pk>/<int:turn>/record/verdict/",
        archive_views.record_verdict,
        name="lidia_verdict",
    ),
    *circuits.PAGES,
    *exchange.PAGES,
    *tabletop.PRINTING,
    *tabletop.PAGES,
    *recordbook.PAGES,
]

PAGES_OF_CIRCUITS = [
    path(str(page.pattern), circuit_visible(page.callback), page.default_args, name=page.name)
    for page in PAGES
]

urlpatterns = [
    *PAGES,
    *tabletop.SITE,
    *circuits.SITE,
    *archive_views.SITE,
    *spoilers.SITE,
    *following.SITE,
    path("glosario/", languages.glossary_page, name="glossary"),
    path("idioma/", languages.switch, name="language"),
    path("circuitos/<slug:circuit>/", include((PAGES_OF_CIRCUITS, NAMESPACE))),
]
