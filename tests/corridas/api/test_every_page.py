"""Every page has a counterpart in the API, or a documented reason for having none."""

from __future__ import annotations

from corridas.api import urls as api
from corridas.urls import PAGES, urlpatterns

PAPER = "made for paper; programs get its content from "
CHECK = "anybody checks a record without this site; the page does it for who has no program"
FOLLOWING = "a reader's own choice, for the order of pages; a program sorts for itself"

TOLD: dict[str, tuple[str, ...] | str] = {
    "home": ("api_corridas", "api_escalafon", "api_circuit"),
    "escalafon": ("api_escalafon", "api_race"),
    "escalafon_csv": ("api_escalafon",),
    "matadors": ("api_matadors",),
    "matador": ("api_matador", "api_cards"),
    "plazas": ("api_plazas",),
    "plaza": ("api_plaza", "api_corridas"),
    "herds": ("api_herds",),
    "herd": ("api_herd", "api_bulls"),
    "bull": ("api_bull",),
    "season": ("api_season", "api_seasons", "api_ferias", "api_corridas"),
    "winter": ("api_winter",),
    "feria": ("api_feria", "api_corridas"),
    "desk": ("api_desk", "api_runs"),
    "desk_begin": ("api_seasons",),
    "desk_winter": ("api_winter",),
    "play": ("api_run", "api_runs"),
    "desk_run": ("api_runs",),
    "desk_stop": ("api_run_stop",),
    "desk_air": ("api_broadcast", "api_retry"),
    "desk_cut_short": ("api_broadcast",),
    "desk_cartel": ("api_cartel",),
    "desk_fill": ("api_carteles_fill",),
    "desk_begin_season": ("api_season_begin",),
    "corrida": ("api_corrida", "api_lidias"),
    "lidia": ("api_lidia",),
    "card": ("api_moment",),
    "corrida_acta": ("api_corrida_record",),
    "lidia_acta": ("api_lidia_record",),
    "corrida_verdict": CHECK,
    "lidia_verdict": CHECK,
    "season_bundle": "a season as a file that another site imports",
    "season_file": "a season as a file that another site imports",
    "circuit_bring": "a season as a file that another site imports",
    "bulls": ("api_bulls",),
    "results": ("api_corridas", "api_lidias"),
    "compare": ("api_matador",),
    "infirmary": ("api_matador",),
    "season_over": ("api_escalafon", "api_race", "api_awards"),
    "digest": ("api_digest",),
    "digests": ("api_digests",),
    "follow_herd": FOLLOWING,
    "follow_matador": FOLLOWING,
    "following": FOLLOWING,
    "rules": PAPER + "the rulebook",
    "circuit_copy": ("api_circuit_copy",),
    "circuit_copying": ("api_circuit_copying",),
    "circuits": ("api_circuits",),
    "circuit_new": ("api_circuits",),
    "circuit_answer": ("api_circuit_answer",),
    "circuit_settings": ("api_circuit_settings",),
    "circuit_calendar": ("api_circuit_calendar",),
    "circuit_offer": ("api_circuit_offer",),
    "circuit_rest": ("api_circuit_rest",),
    "circuit_delete": ("api_circuit",),
    "circuit_restore": ("api_circuit_restore",),
    "records": ("api_records",),
    "records_of": ("api_records",),
    "awards": ("api_awards",),
    "yearbook": ("api_yearbook",),
    "hall": ("api_hall",),
    "duels": ("api_matador",),
    "duel": ("api_duel", "api_corridas"),
    "glossary": ("api_glossary",),
    "imprenta": PAPER + "the resources of the pages to which it links",
    "imprenta_deck": ("api_deck",),
    "imprenta_matadors": ("api_cards",),
    "imprenta_scoresheet": "made for paper; it is blank",
    "imprenta_lists": ("api_plazas", "api_herds"),
    "imprenta_glossary": ("api_glossary",),
    "imprenta_rulings": ("api_circuit",),
    "tienta": ("api_table_corridas",),
    "tienta_new": ("api_table_corridas", "api_league_table_corridas"),
    "indulto_rules": PAPER + "the rulebook",
    "indulto_hand": "a scoresheet is entered, submitted and confirmed as a match of the leagues",
    "tienta_sheet": PAPER + "the match of the leagues",
    "indulto_scoresheets": PAPER + "the matches of the leagues",
    "desk_tables": ("api_circuit_tables", "api_circuit_table"),
    "desk_table_back": ("api_circuit_table",),
    "desk_table_time": ("api_deadline",),
    "exchange": ("api_roster", "api_roster_preview"),
    "exchange_back": ("api_roster_back",),
    "exchange_bundle": ("api_roster_file", "api_matadors", "api_plazas", "api_herds"),
    "exchange_workbook": ("api_roster_file",),
    "exchange_csv": ("api_roster_file", "api_cards", "api_bulls"),
    "exchange_xlsx": ("api_roster_file",),
    "watched": ("api_watched",),
    "watched_all": ("api_unwatched",),
    "unveil": "a program sends `Veiled: show` with what it asks",
    "language": "a program asks by Accept-Language",
}


def pages() -> set[str]:
    """Return the URL names of all pages."""
    named = {getattr(one, "name", None) for one in (*PAGES, *urlpatterns)}
    return {name for name in named if name}


def test_every_page_has_a_counterpart_in_the_api_or_a_reason() -> None:
    assert pages() - TOLD.keys() == set()
    assert TOLD.keys() - pages() == set()


def test_every_api_view_belongs_to_a_page() -> None:
    offered = {str(one.name) for one in api.urlpatterns}
    told = {name for names in TOLD.values() if not isinstance(names, str) for name in names}
    assert told == offered
