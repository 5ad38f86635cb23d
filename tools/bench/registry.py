"""The benchmarks and the names of their figures. A new benchmark needs a module and a line here."""

from collections.abc import Callable, Iterator
from importlib import import_module

from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite

BENCHES = {
    "lidia": "lidia lidias_a_second",
    "season": "season season_saves season_disk",
    "season_postgres": "season_postgres season_postgres_saves",
    "careers": "careers_season careers_growth careers_memory careers_lidias careers_rebuilt"
    " careers_cold careers_slowest careers_escalafon careers_matador careers_records",
    "copies": "copy copy_wait copy_postgres copy_postgres_wait",
    "search": "search search_p95 search_postgres search_postgres_p95 search_disk search_time",
    "start": "start start_cpu start_memory stop",
    "pages": "escalafon_warm matador_warm records_warm on_air_page page_cpu"
    " escalafon_warm_postgres matador_warm_postgres records_warm_postgres on_air_page_postgres"
    " escalafon_cold escalafon_cold_growth digest_cold digest_queries",
    "moment": "moment",
    "load": "load load_99 load_failed load_memory",
    "hands": "hands hands_open_spiel",
    "towns": "towns towns_open_spiel town_odds",
    "watchers": "watchers watchers_lost watchers_memory"
    " watchers_bytes watchers_bytes_most watchers_bytes_joining",
    "crowd": "watchers_2000 watchers_2000_lost watchers_5000 watchers_5000_lost",
    "workers": "workers workers_one",
    "league": "league_recount league_explanation league_warm league_draw league_draw_ratio",
    "tables": "table_move table_moves_lost",
    "bots": "maestro_greedy maestro_greedy_low maestro_random greedy_random",
    "office": "office_bulls",
    "exchange": "import_bad_row import_bad_xlsx import_good"
    " import_hopeless import_hopeless_results",
    "empresa": "empresa_market empresa_market_least empresa_market_low empresa_market_high"
    " empresa_seats empresa_one_idea empresa_planner empresa_skill empresa_skill_least"
    " empresa_fixed_price empresa_best_price empresa_chosen_price empresa_second"
    " empresa_second_least empresa_las_ventas empresa_las_ventas_least empresa_bankruptcies"
    " empresa_leader",
    "previews": "import_preview import_others",
    "backup": "backup_equal",
    "lookout": "lookout_greedy eltoro_greedy_random",
}
# Benchmarks that take minutes. They run only with `--only` or `--long`.
LONG = {"search", "workers", "backup", "empresa"}


def measure(bench: str, site: ScratchSite) -> Iterator[Figure]:
    """Run a benchmark. Its module is imported only now, because models need Django set up."""
    measured: Callable[[ScratchSite], Iterator[Figure]]
    measured = import_module(f"{__package__}.{bench}").measure
    yield from measured(site)
