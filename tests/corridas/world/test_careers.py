"""Many simulated seasons without a database: reproducible, with statistics, a page and charts."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corridas.engine import Rules
from corridas.management import careers as management_careers
from corridas.management.careers import BEGIN, END, PAGE, document
from corridas.world.careers import Farewell, Played, Run, careers, figures, play_careers, quantile
from corridas.world.roster import load
from corridas.world.winter import STEP, VERSION
from corridas.world.winter.bounds import BOUNDS
from fairness import Seed

# Number of simulated seasons. With more seasons the statistics are stricter: their limits are made
# for fifty seasons.
SEASONS = int(os.environ.get("CAREER_SEASONS", "4"))
SVG = "{http://www.w3.org/2000/svg}"


@cache
def run() -> tuple[Played, ...]:
    return tuple(play_careers(load(cards_version=VERSION), Rules(), SEASONS, 2026, Seed(bytes(32))))


def season(**changes: object) -> Played:
    quiet = Played(
        year=2026,
        ratings=(50, 60, 70, 80, 90),
        ages=(20, 25, 30, 35, 40),
        novilleros=3,
        bulls=100,
        ears=43,
        left_open=0,
        leader="joselito",
        lead=60,
        moves=(-3, 1, 8),
        farewells=(),
        returned=0,
        alternativas=3,
        debuts=3,
    )
    return replace(quiet, **changes)  # type: ignore[arg-type]  # each test says what it changes


@pytest.mark.slow
def test_same_seed_gives_the_same_seasons() -> None:
    again = play_careers(load(cards_version=VERSION), Rules(), 2, 2026, Seed(bytes(32)))
    assert tuple(again) == run()[:2]


@pytest.mark.slow
def test_numbers_of_matadors_and_novilleros_follow_each_other() -> None:
    assert [played.year for played in run()] == list(range(2026, 2026 + SEASONS))
    for before, after in zip(run(), run()[1:], strict=False):
        men = len(before.ratings) - len(before.farewells) + before.returned + before.alternativas
        assert len(after.ratings) == men
        assert after.novilleros == before.novilleros - before.alternativas + before.debuts
    assert max(abs(move) for played in run() for move in played.moves) <= STEP


@pytest.mark.slow
def test_statistics_of_played_seasons_are_within_their_limits() -> None:
    for found in figures([run()]):
        assert found.inside or found.bound.of == "run", found
    every = {found.bound.name: found for found in figures([run()] * 2)}
    assert every["active matadors"].shown.startswith(str(min(len(one.ratings) for one in run())))


def test_statistics_are_computed_and_compared_with_their_limits() -> None:
    quiet = [season() for _ in range(10)]
    found = dict(zip(BOUNDS, figures([quiet]), strict=True))
    assert (found["quarter"].low, found["middle"].low, found["upper"].low) == (60, 70, 80)
    assert (found["step"].high, found["move"].shown) == (8, "4.0")
    assert found["ears"].shown == "0.43"
    assert found["same"].shown == "100 %"
    assert not found["same"].inside
    assert not found["active"].inside
    assert (found["length"].shown, found["length"].inside) == ("–", True)
    assert found["lead"].bounds == "45 – 110"
    both = figures([[season()], [season(lead=80, novilleros=0)]])
    assert [line.shown for line in both if line.bound.name.startswith("corridas")] == ["60 – 80"]


def test_career_lengths_count_careers_that_could_be_long() -> None:
    gone = {20: Farewell(40, 12, True), 45: Farewell(24, 3, True), 46: Farewell(50, 30, False)}
    long = [season(farewells=(gone[n],) if n in gone else ()) for n in range(50)]
    assert careers(long) == [12]
    assert careers(long[:30]) == []
    found = {key: line.shown for key, line in zip(BOUNDS, figures([long]), strict=True)}
    assert (found["farewell"], found["oldest"], found["usual"]) == ("40.0", "50", "100 %")


def test_quantiles_of_a_list() -> None:
    assert [quantile((1, 2, 3, 4, 9), share) for share in (0, 0.25, 0.5, 1)] == [1, 2, 3, 9]
    assert quantile((), 0.5) == 0


@pytest.mark.slow
def test_calibration_page_and_its_charts_are_written(tmp_path: Path) -> None:
    (tmp_path / PAGE).write_text(f"before\n{BEGIN}\nstale\n{END}\nafter\n", encoding="utf-8")
    written = document(tmp_path, [run()], figures([run()]), "One seed.")
    text = (tmp_path / PAGE).read_text("utf-8")
    assert text.startswith(f"before\n{BEGIN}\nOne seed.\n")
    assert text.endswith(f"{END}\nafter\n")
    assert "stale" not in text
    assert "| active matadors | " in text
    charts = [path for path in written if path.suffix == ".svg"]
    assert len(charts) == 4
    for chart in charts:
        drawn = chart.read_text("utf-8")
        root = ET.fromstring(drawn)
        assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
        assert root[0].text
        assert root[1].text
        assert root.get("role") == "img"
        for word in ("<script", "http://pygal", "url(http", "@import"):
            assert word not in drawn
        assert "prefers-color-scheme:dark" in drawn
    first = [chart.read_bytes() for chart in charts]
    document(tmp_path, [run()], figures([run()]), "One seed.")
    assert [chart.read_bytes() for chart in charts] == first


def test_calibration_page_shows_every_statistic() -> None:
    page = (Path(__file__).parents[3] / "docs" / PAGE).read_text("utf-8")
    for bound in BOUNDS.values():
        assert f"| {bound.name} | " in page
        assert f" | {bound.low:g} – {bound.high:g}{bound.unit} |" in page


@pytest.mark.nightly
@pytest.mark.slow
def test_calibrate_careers_command_writes_and_checks_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = ["calibrate", "careers", "--seasons", "1", "--runs", "2", "--processes", "2"]
    measure, measured = management_careers.measure, list[Run]()

    def measure_once(parts: Sequence[management_careers.Portion], processes: int) -> list[Run]:
        measured[:] = measured or measure(parts, processes)
        return measured

    monkeypatch.setattr(management_careers, "measure", measure_once)  # playing takes ten seconds
    out = StringIO()
    for name in (
        "alternativas",
        "debuts",
        "retirements",
        "returns",
    ):  # one year is too short to judge
        monkeypatch.delitem(BOUNDS, name)
    call_command(*few, "--docs", str(tmp_path), "--no-color", stdout=out)
    assert "2 seeds, 1 seasons each" in out.getvalue()
    assert f"All {len(BOUNDS)} figures lie inside." in out.getvalue()
    assert "Wrote careers-ratings.svg." in out.getvalue()
    assert len(list((tmp_path / "img").iterdir())) == 4
    monkeypatch.setitem(BOUNDS, "ears", BOUNDS["ears"]._replace(low=0.9, high=1))
    out = StringIO()
    with pytest.raises(CommandError, match=r"1 of .* figures lie outside") as caught:
        call_command(*few, "--no-color", stdout=out)
    assert caught.value.returncode == 1
    assert "Wrote" not in out.getvalue()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seasons", "0"], "At least one season has to be played."),
        (["--runs", "0"], "At least one run has to be played."),
        (["--data", "nowhere"], "the file is missing"),
        (["--rule", "colour=red"], "There is no option “colour”"),
    ],
)
def test_calibrate_careers_command_rejects_invalid_options(
    arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("calibrate", "careers", *arguments, stdout=StringIO())
