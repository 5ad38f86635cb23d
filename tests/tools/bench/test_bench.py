"""The benchmarks' own calculations: comparisons with limits, counting, and judging."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fairness import Seed
from tools.bench import figures, season
from tools.bench.__main__ import chosen
from tools.bench.audience import Audience, p99_and_note
from tools.bench.figures import Figure, format_table, save_figures
from tools.bench.lidia import bare
from tools.bench.registry import BENCHES, LONG


def test_figure_may_equal_its_limit() -> None:
    assert Figure("ratio", 3.0, bar=3.0).ok
    assert not Figure("ratio", 3.01, bar=3.0).ok
    assert Figure("rate", 0.8, bar=0.8, at_least=True).ok
    assert not Figure("rate", 0.79, bar=0.8, at_least=True).ok
    assert Figure("told", 1e9).ok
    assert not Figure("nothing", float("nan")).ok


def test_table_of_figures_marks_failed_ones() -> None:
    lines = format_table([Figure("ratio", 7.0, bar=3.0, unit="x")]).splitlines()
    assert lines[0].split() == ["name", "figure", "bar", "ok"]
    assert lines[1].split() == ["ratio", "7", "x", "at", "most", "3", "NO"]


def test_single_benchmark_keeps_the_figures_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "LATEST_FILE", tmp_path / "latest.json")
    save_figures([Figure("one", 1.0), Figure("two", 2.0)], among=False)
    save_figures([Figure("two", 3.0, bar=2.0)], among=True)
    kept = json.loads(figures.LATEST_FILE.read_text())
    assert kept == {
        "one": {"value": 1.0, "bar": None, "ok": True},
        "two": {"value": 3.0, "bar": 2.0, "ok": False},
    }


def test_benchmark_is_found_by_its_name_or_one_of_its_figures() -> None:
    assert chosen("season_disk") == ["season"]
    assert chosen("pages") == ["pages"]
    assert set(chosen(None, long=True)) == LONG
    assert {*chosen(None), *LONG} == set(BENCHES)
    with pytest.raises(SystemExit, match="There is no benchmark 'sesaon'"):
        chosen("sesaon")


def test_no_two_benchmarks_share_a_figure() -> None:
    names = " ".join(BENCHES.values()).split()
    assert len(names) == len(set(names))


def _audience(arrivals: dict[int, list[float]], watchers: int = 2) -> Audience:
    audience = Audience(0, "", [0.0, 10.0, 11.0, 12.0], watchers)
    audience.arrivals.update(arrivals)
    assert audience.expect(2, begun=5.0) == 11.0
    return audience


def test_delays_of_readers_are_measured_from_the_first_counted_moment() -> None:
    audience = _audience({1: [0.0], 2: [10.010, 10.030], 3: [11.5], 4: [12.5]})
    assert audience.lost() == 1
    assert audience.delays(2) == pytest.approx([0.010, 0.030])
    assert p99_and_note([audience])[0] == pytest.approx(500)


def test_events_that_arrive_too_early_count_as_lost() -> None:
    assert _audience({2: [9.99, 10.02], 3: [11.01, 11.02]}).lost() == 1


def test_benchmark_without_any_reader_fails() -> None:
    silent = _audience({}, 3)
    assert silent.lost() == 6
    assert not Figure("watchers", p99_and_note([silent])[0], bar=100).ok


def test_bare_loop_draws_any_number_of_cards() -> None:
    drawn = bare(Seed(bytes(32)), [12, 80])
    assert len(drawn) == 80
    assert len(set(drawn[:70])) == 70


def _database(path: Path, bulls: dict[int, str]) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bull (id INTEGER PRIMARY KEY, name TEXT)")
        connection.executemany("INSERT INTO bull VALUES (?, ?)", bulls.items())
        connection.commit()
    return path


@pytest.mark.slow
def test_added_and_changed_rows_are_written_again(tmp_path: Path) -> None:
    earlier = _database(tmp_path / "earlier", {1: "Farolero", 2: "Cantinero", 4: "Calesero"})
    later = _database(tmp_path / "later", {1: "Farolero", 2: "Islero", 3: "Avispado"})
    added = season.differences(earlier, later)
    assert [(one.table, one.rows, one.changed) for one in added] == [
        ("bull", [(3, "Avispado")], [(2, 2, "Islero")])
    ]
    season.clear(earlier, later)
    season.insert(earlier, added)
    assert season.differences(earlier, later) == season.differences(later, earlier) == []
