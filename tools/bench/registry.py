"""Registry of the benchmarks. A new benchmark needs a module and a line here."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite


@dataclass(frozen=True)
class Bench:
    """A benchmark: a module of this package with `measure(ground)`, and the names of its figures.

    A `long` benchmark takes minutes and runs only if it, or every long one, is selected.
    """

    name: str
    figures: tuple[str, ...]
    long: bool = False

    def measure(self, where: ScratchSite) -> list[Figure]:
        """Run the benchmark.

        Its module is imported here, because models need Django to be set up.
        """
        module = import_module(f"{__package__}.{self.name}")
        measure: Callable[[ScratchSite], list[Figure]] = module.measure
        return measure(where)


BENCHES = (
    Bench("lidia", ("lidia", "lidias_a_second")),
    Bench("season", ("season", "season_saves", "season_disk")),
    Bench("season_postgres", ("season_postgres", "season_postgres_saves")),
    Bench(
        "careers",
        (
            *("careers_season", "careers_growth", "careers_memory", "careers_lidias"),
            *("careers_rebuilt", "careers_cold", "careers_slowest", "careers_slowest_other"),
            *("careers_escalafon", "careers_matador", "careers_records"),
        ),
    ),
    Bench("copies", ("copy", "copy_wait", "copy_postgres", "copy_postgres_wait")),
    Bench(
        "search",
        (
            *("search", "search_p95", "search_postgres", "search_postgres_p95"),
            *("search_disk", "search_time"),
        ),
        long=True,
    ),
    Bench("start", ("start", "start_cpu", "start_memory", "stop")),
    Bench(
        "pages",
        (
            *("escalafon_warm", "matador_warm", "records_warm", "on_air_page"),
            "page_cpu",
            *("escalafon_cold", "escalafon_cold_growth", "digest_cold", "digest_queries"),
        ),
    ),
    Bench("moment", ("moment", "moment_empty")),
    Bench("load", ("load", "load_99", "load_failed", "load_memory")),
    Bench("hands", ("hands", "hands_open_spiel", "hands_a_second")),
    Bench("towns", ("towns", "towns_open_spiel", "town_odds")),
    Bench(
        "watchers",
        (
            *("watchers", "watchers_median", "watchers_lost", "watchers_memory"),
            *("watchers_bytes", "watchers_bytes_most", "watchers_bytes_joining"),
        ),
    ),
    Bench(
        "crowd",
        ("watchers_2000", "watchers_2000_lost", "watchers_5000", "watchers_5000_lost"),
    ),
    Bench("workers", ("workers", "workers_one"), long=True),
    Bench(
        "league",
        (
            *(
                "league_recount",
                "league_confirm",
                "league_cold",
                "league_explanation",
                "league_warm",
            ),
            *("league_draw", "league_draw_ratio"),
        ),
    ),
    Bench("tables", ("table_move", "table_move_99", "table_move_cpu", "table_moves_lost")),
    Bench("bots", ("maestro_greedy", "maestro_greedy_low", "maestro_random", "greedy_random")),
    Bench("office", ("office_bulls", "office_bulls_seconds")),
    Bench(
        "exchange",
        (
            *("import_bad_row", "import_bad_xlsx", "import_good"),
            *("import_hopeless", "import_hopeless_results"),
        ),
    ),
    Bench("previews", ("import_preview", "import_others")),
    Bench(
        "backup",
        (
            *("backup_equal", "backup_seconds", "restore_seconds"),
            *("backup_postgres", "restore_postgres"),
        ),
        long=True,
    ),
    Bench("lookout", ("lookout_greedy", "eltoro_greedy_random")),
)
