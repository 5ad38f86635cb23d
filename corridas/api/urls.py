"""URLs of circuits, seasons and corridas under `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from corridas.api import archive as archive_api
from corridas.api import broadcast as broadcast_api
from corridas.api import circuits as circuits_api
from corridas.api import escalafon
from corridas.api import spoilers as spoilers_api
from corridas.api.roster import decks, exchange, matadors, places
from corridas.api.season import corridas, digests, runs, seasons
from corridas.api.tabletop import resources as tabletop_api

# Names of the resources that the index of the API lists. All other resources are linked from these.
COLLECTIONS = ("circuits", "corridas", "glossary", "table_corridas")

CIRCUIT = "circuits/<slug:circuit>/"
YEAR = f"{CIRCUIT}seasons/<int:year>/"
CORRIDA = "corridas/<int:pk>/"

circuit = circuits_api.CircuitViewSet.as_view

_OF_CIRCUIT = [
    path("circuits/", circuits_api.Circuits.as_view(), name="api_circuits"),
    path(CIRCUIT, circuit({"get": "retrieve", "delete": "destroy"}), name="api_circuit"),
    path(
        f"{CIRCUIT}settings/", circuits_api.CircuitSettings.as_view(), name="api_circuit_settings"
    ),
    path(
        f"{CIRCUIT}calendar/", circuits_api.CircuitCalendar.as_view(), name="api_circuit_calendar"
    ),
    path(
        f"{CIRCUIT}offer/",
        circuit({"post": "offer", "delete": "withdraw_offer"}),
        name="api_circuit_offer",
    ),
    path(f"{CIRCUIT}offer/answer/", circuit({"post": "answer_offer"}), name="api_circuit_answer"),
    path(f"{CIRCUIT}rest/", circuit({"put": "set_rest"}), name="api_circuit_rest"),
    path(f"{CIRCUIT}copy/", circuit({"post": "copy"}), name="api_circuit_copy"),
    path(f"{CIRCUIT}restore/", circuit({"post": "restore"}), name="api_circuit_restore"),
    path(f"{CIRCUIT}plazas/", places.Plazas.as_view(), name="api_plazas"),
    path(f"{CIRCUIT}plazas/<slug:slug>/", places.OnePlaza.as_view(), name="api_plaza"),
    path(f"{CIRCUIT}herds/", places.Herds.as_view(), name="api_herds"),
    path(f"{CIRCUIT}herds/<slug:slug>/", places.OneHerd.as_view(), name="api_herd"),
    path(f"{CIRCUIT}bulls/", places.Bulls.as_view(), name="api_bulls"),
    path(f"{CIRCUIT}bulls/<int:pk>/", places.OneBull.as_view(), name="api_bull"),
    path(f"{CIRCUIT}matadors/", matadors.Matadors.as_view(), name="api_matadors"),
    path(f"{CIRCUIT}matadors/<slug:slug>/", matadors.OneMatador.as_view(), name="api_matador"),
    path(f"{CIRCUIT}duels/<slug:left>/<slug:right>/", matadors.OneDuel.as_view(), name="api_duel"),
    path(f"{CIRCUIT}cards/", matadors.Cards.as_view(), name="api_cards"),
    path(f"{CIRCUIT}deck/", decks.OneDeck.as_view(), name="api_deck"),
    path(f"{CIRCUIT}roster/", exchange.Roster.as_view(), name="api_roster"),
    path(f"{CIRCUIT}roster/file/", exchange.File.as_view(), name="api_roster_file"),
    path(f"{CIRCUIT}roster/preview/", exchange.Preview.as_view(), name="api_roster_preview"),
    path(f"{CIRCUIT}roster/back/", exchange.Back.as_view(), name="api_roster_back"),
    path(f"{CIRCUIT}records/", escalafon.Records.as_view(), name="api_records"),
    path(f"{CIRCUIT}hall/", escalafon.Hall.as_view(), name="api_hall"),
    path(f"{CIRCUIT}tables/", tabletop_api.Tables.as_view(), name="api_circuit_tables"),
    path(f"{CIRCUIT}tables/<int:pk>/", tabletop_api.OneTable.as_view(), name="api_circuit_table"),
    path(
        f"{CIRCUIT}tables/<int:pk>/deadline/",
        tabletop_api.Deadline.as_view(),
        name="api_deadline",
    ),
]
_OF_SEASON = [
    path(f"{CIRCUIT}seasons/", seasons.Seasons.as_view(), name="api_seasons"),
    path(YEAR, seasons.OneSeason.as_view(), name="api_season"),
    path(f"{YEAR}ferias/", seasons.Ferias.as_view(), name="api_ferias"),
    path(f"{YEAR}ferias/<slug:slug>/", seasons.OneFeria.as_view(), name="api_feria"),
    path(f"{YEAR}escalafon/", escalafon.Ranking.as_view(), name="api_escalafon"),
    path(f"{YEAR}race/", escalafon.Race.as_view(), name="api_race"),
    path(f"{YEAR}awards/", escalafon.Awards.as_view(), name="api_awards"),
    path(f"{YEAR}yearbook/", escalafon.Yearbook.as_view(), name="api_yearbook"),
    path(f"{YEAR}winter/", seasons.OneWinter.as_view(), name="api_winter"),
    path(f"{YEAR}begin/", seasons.BeginSeason.as_view(), name="api_season_begin"),
    path(f"{YEAR}carteles/", seasons.FillCarteles.as_view(), name="api_carteles_fill"),
    path(f"{YEAR}digests/", digests.Digests.as_view(), name="api_digests"),
    path(f"{YEAR}digests/<int:run>/", digests.OneDigest.as_view(), name="api_digest"),
    path(f"{YEAR}desk/", runs.Desk.as_view(), name="api_desk"),
    path(f"{YEAR}runs/", runs.Runs.as_view(), name="api_runs"),
    path(f"{YEAR}runs/<int:pk>/", runs.OneRun.as_view(), name="api_run"),
    path(f"{YEAR}runs/<int:pk>/stop/", runs.StopRun.as_view(), name="api_run_stop"),
]
_OF_CORRIDA = [
    path("corridas/", corridas.Corridas.as_view(), name="api_corridas"),
    path(CORRIDA, corridas.OneCorrida.as_view(), name="api_corrida"),
    path(f"{CORRIDA}cartel/", corridas.OneCartel.as_view(), name="api_cartel"),
    path(f"{CORRIDA}broadcast/", corridas.Broadcast.as_view(), name="api_broadcast"),
    path(f"{CORRIDA}retry/", corridas.Retry.as_view(), name="api_retry"),
    path(f"{CORRIDA}watched/", spoilers_api.OneWatched.as_view(), name="api_watched"),
    path(f"{CORRIDA}record/", archive_api.CorridaRecord.as_view(), name="api_corrida_record"),
    path(f"{CORRIDA}lidias/", broadcast_api.Lidias.as_view(), name="api_lidias"),
    path(f"{CORRIDA}lidias/<int:turn>/", broadcast_api.OneLidia.as_view(), name="api_lidia"),
    path(
        f"{CORRIDA}lidias/<int:turn>/record/",
        archive_api.LidiaRecord.as_view(),
        name="api_lidia_record",
    ),
    path(
        f"{CORRIDA}moments/<int:turn>/<int:card>/",
        broadcast_api.OneMoment.as_view(),
        name="api_moment",
    ),
]
urlpatterns = [
    *_OF_CIRCUIT,
    *_OF_SEASON,
    *_OF_CORRIDA,
    path("table-corridas/", tabletop_api.TableCorridas.as_view(), name="api_table_corridas"),
    path(
        "leagues/<slug:slug>/table-corridas/",
        tabletop_api.ClubCorridas.as_view(),
        name="api_league_table_corridas",
    ),
    path("circuit-copies/<int:pk>/", circuits_api.OneCopy.as_view(), name="api_circuit_copying"),
    path("unwatched/", spoilers_api.AllUnwatched.as_view(), name="api_unwatched"),
    path("glossary/", decks.Glossary.as_view(), name="api_glossary"),
]
